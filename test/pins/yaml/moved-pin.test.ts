import { describe, expect, it } from 'vitest';
import { movePin } from '../../../src/pins/yaml/pinned-version.js';

const location = { file: 'values.yaml', path: ['image', 'tag'] };
const move = (text: string, { path = location.path, suffix = '' } = {}) =>
  movePin(text, { ...location, path }, suffix, '1.10.0');

it('moves the tag under a key with dots, as set of a HelmChart has it', () => {
  const chart = (tag: string) => `spec:\n  chart: lightdash\n  set: {image.tag: "${tag}", replicas: "2"}\n`;
  expect(move(chart('1.9.0'), { path: ['spec', 'set', 'image', 'tag'] })).toBe(chart('1.10.0'));
});

describe('a moved pin', () => {
  it.each([
    ['plain', 'image:\n  tag: 1.9.0\n', 'image:\n  tag: 1.10.0\n'],
    ['double quotes', 'image: { tag: "1.9.0" }\n', 'image: { tag: "1.10.0" }\n'],
    ['single quotes', "image:\n  tag: '1.9.0'\n", "image:\n  tag: '1.10.0'\n"],
    ['a leading v', 'image:\n  tag: v1.9.0\n', 'image:\n  tag: v1.10.0\n'],
    [
      'comments',
      '# 1.9.0\nimage: # 1.9.0\n  tag: 1.9.0   # was 1.9.0\n# 1.9.0',
      '# 1.9.0\nimage: # 1.9.0\n  tag: 1.10.0   # was 1.9.0\n# 1.9.0',
    ],
    [
      'an anchor and its alias',
      'image:\n  tag: &tag 1.9.0\nother: *tag\n',
      'image:\n  tag: &tag 1.10.0\nother: *tag\n',
    ],
    ['a tag', 'image:\n  tag: !!str 1.9.0\n', 'image:\n  tag: !!str 1.10.0\n'],
    [
      'CRLF, a byte order mark, tabs behind',
      '\uFEFFa: 1\r\nimage:\r\n  tag: "1.9.0"\t\r\n',
      '\uFEFFa: 1\r\nimage:\r\n  tag: "1.10.0"\t\r\n',
    ],
    [
      'the same version elsewhere',
      'tag: 1.9.0\nimage:\n  other: 1.9.0\n  tag: 1.9.0\n',
      'tag: 1.9.0\nimage:\n  other: 1.9.0\n  tag: 1.10.0\n',
    ],
    [
      'the second of several documents',
      'a: 1\n---\nkind: A\nimage:\n  tag: 1.9.0\n...\n---\nb: 2\n',
      'a: 1\n---\nkind: A\nimage:\n  tag: 1.10.0\n...\n---\nb: 2\n',
    ],
    ['JSON', '{"image": {"tag": "1.9.0"}}', '{"image": {"tag": "1.10.0"}}'],
    ['letters of more than one byte', 'ä: "😀"\nimage: {tag: 1.9.0}', 'ä: "😀"\nimage: {tag: 1.10.0}'],
  ])('changes that scalar alone: %s', (_, text, moved) => {
    expect(move(text)).toBe(moved);
  });

  it('keeps the image, the port of its registry and a suffix', () => {
    const compose = (version: string) => `services: {bi: {image: "q.io:5000/lightdash:${version}-custom"}}\n`;
    const path = ['services', 'bi', 'image'];
    expect(move(compose('1.9.0'), { path, suffix: '-custom' })).toBe(compose('1.10.0'));
  });

  it('changes every place of the image, to a version that is longer or shorter', () => {
    const places = (version: string) =>
      ['image', 'worker', 'last']
        .map((name) => `${name}:\n  repository: lightdash/lightdash\n  tag: ${version}\n`)
        .join('');
    expect(move(places('1.9.0'))).toBe(places('1.10.0'));
    expect(move(places('1.1000.0'))).toBe(places('1.10.0'));
  });

  it.each([
    ['an escape', 'image:\n  tag: "1\\x2e9.0"\n'],
    ['a block', 'image:\n  tag: |-\n    1.9.0\n'],
  ])('refuses what cannot be changed in place: %s', (_, text) => {
    expect(() => move(text)).toThrow(
      /values\.yaml#image\.tag: it is written in a form that cannot be edited/,
    );
  });
});
