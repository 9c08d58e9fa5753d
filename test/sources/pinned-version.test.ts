import { describe, expect, it } from 'vitest';
import { parsePinLocation, readPin } from '../../src/sources/pinned-version.js';

const values = (tag: string) => `image:\n  tag: ${tag}\n`;
const read = (text: string, path = 'image.tag', suffix?: string) =>
  readPin(text, parsePinLocation(`values.yaml#${path}`), suffix);

describe('readPin', () => {
  it.each<[string, string, string?, string?]>([
    ['a plain tag', values('1.214.0')],
    ['a tag in quotes', values('"1.214.0"')],
    ['a tag in single quotes with a comment', values("'1.214.0' # pinned")],
    ['a leading v', values('v1.214.0')],
    ['a tag that an anchor marks', values('&tag 1.214.0')],
    ['a suffix', values('1.214.0-custom'), 'image.tag', '-custom'],
    ['Windows line endings', values('1.214.0').replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${values('1.214.0')}`],
    ['JSON', '{"image":{"tag":"1.214.0"}}'],
    ['the second document', `a: 1\n---\n${values('1.214.0')}`],
    ['an item of a list', 'images:\n  - x\n  - tag: 1.214.0\n', 'images.1.tag'],
    ['an image', 'services: {lightdash: {image: "lightdash/lightdash:1.214.0"}}', 'services.lightdash.image'],
    ['an image of a registry with a port', values('localhost:5000/a/lightdash:1.214.0-x'), 'image.tag', '-x'],
    ['an image without a folder', values('lightdash:v1.214.0')],
    ['a key that is a number', 'images:\n  1: 1.214.0\n', 'images.1'],
  ])('%s', (_, text, path, suffix) => {
    const pin = read(text, path, suffix);
    expect(pin.version).toBe('1.214.0');
    const [start, end] = pin.versionRange;
    expect(pin.value.slice(start, end).replace('v', '')).toBe('1.214.0');
    const [from = 0, to = 0] = pin.scalar.range ?? [];
    expect(text.slice(from, to)).toContain('1.214.0');
  });

  it.each<[string, string, string, string?, string?]>([
    ['a path that is not there', values('1.214.0'), 'nothing at that path', 'image.version'],
    ['a path through a value', values('1.214.0'), 'nothing at that path', 'image.tag.x'],
    ['an empty file', '', 'nothing at that path'],
    ['an empty value', values(''), 'it is empty'],
    ['a number', values('1.10'), 'YAML reads 1.10 as 1.1'],
    ['a number in JSON', '{"image":{"tag":1.10}}', 'YAML reads 1.10 as 1.1'],
    ['a whole number', values('2'), 'YAML reads 2 as 2'],
    ['a truth value', values('true'), 'YAML reads true as true'],
    ['an alias', `v: &v 1.214.0\n${values('*v')}`, 'an alias of the anchor "v"'],
    ['a path through an alias', 'a: &a {tag: 1.2.3}\nimage: *a\n', 'through an alias of the anchor "a"'],
    ['a template', values('{{ .Values.tag }}'), 'is a template'],
    ['a template in quotes', values('"{{ .Values.tag }}"'), 'is a template'],
    ['a file that is a template', `{{- if .x }}\n${values('1.214.0')}{{- end }}\n`, 'no valid YAML or JSON'],
    ['a variable', values('"$' + '{LIGHTDASH_VERSION:-1.2.3}"'), 'filled in from the environment'],
    ['a digest', values('lightdash/lightdash@sha256:0123'), 'pins a digest'],
    ['a tag and a digest', values('lightdash/lightdash:1.214.0@sha256:0123'), 'pins a digest'],
    ['latest', values('latest'), '"latest" does not tell the release'],
    ['an image with latest', values('lightdash/lightdash:latest'), '"latest" does not tell the release'],
    ['an image without a tag', values('lightdash/lightdash'), 'has no tag'],
    ['a registry with a port, without a tag', values('localhost:5000/lightdash'), 'has no tag'],
    ['a collection', values('{a: 1}'), 'it is a collection'],
    ['a suffix that was not named', values('1.214.0-custom'), 'pre-releases'],
    [
      'another suffix than was named',
      values('1.214.0-other'),
      'does not end in "-custom"',
      'image.tag',
      '-custom',
    ],
    ['a range', values('"^1.214.0"'), 'it is a range'],
    ['two of the three numbers', values('"1.10"'), 'it has 2 of the three numbers'],
    ['two documents that have it', `${values('1.2.3')}---\n${values('1.2.4')}`, 'more than one document'],
    ['a key that stands twice', `${values('1.2.3')}${values('1.2.4')}`, 'Map keys must be unique'],
    [
      'brackets without end',
      values(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
      'nests deeper than 300 levels',
    ],
    ['broken YAML', 'image: [', 'no valid YAML or JSON'],
  ])('refuses %s', (_, text, message, path, suffix) => {
    expect(() => read(text, path, suffix)).toThrow(
      expect.objectContaining({ code: 'invalid-pin', message: expect.stringContaining(message) }),
    );
  });
});

describe('parsePinLocation', () => {
  it('splits at the last #', () => {
    expect(parsePinLocation('a#b/values.yaml#image.tag')).toEqual({
      file: 'a#b/values.yaml',
      path: ['image', 'tag'],
    });
  });

  it.each(['values.yaml', '#image.tag', 'values.yaml#', 'values.yaml#image..tag', ''])(
    'refuses %j',
    (text) => {
      expect(() => parsePinLocation(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );
});
