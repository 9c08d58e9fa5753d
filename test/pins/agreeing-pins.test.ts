import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAgreeingPins } from '../../src/pins/places/agreeing.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const folder = temporaryFolder();
const image = (repository: string, tag: string) => `image: {repository: ${repository}, tag: "${tag}"}`;

/** Reads `image.tag` of each text, `-` as standard input. */
function read(texts: readonly string[], stdin = '') {
  const places = texts.map((text, i) => {
    const file = join(folder, `${i}.yaml`);
    writeFileSync(file, text);
    return text === '-' ? '-#image.tag' : `${file}#image.tag`;
  });
  return readAgreeingPins(places, { stdin: Readable.from([Buffer.from(stdin)]), tagSuffix: undefined });
}

describe('several places that pin a version', () => {
  it.each<[string, string[]]>([
    ['one', [image('a/lightdash', '1.2.3')]],
    ['the same twice', [image('a/lightdash', '1.2.3'), image('a/lightdash', '1.2.3')]],
    ['a repository that is not given', [image('a/lightdash', '1.2.3'), 'image: {tag: 1.2.3}']],
    ['the same release under other names', [image('a/lightdash', '1.2.3'), image('a/worker', 'v1.2.3')]],
    ['another digest under another name', [image('a/l', '1.2.3'), image('a/w', `1.2.3@${digest}`)]],
  ])('agree: %s', async (_, texts) => {
    const pins = await read(texts);
    expect(pins.map(({ version }) => version)).toEqual(texts.map(() => '1.2.3'));
  });

  it.each<[string, string[], RegExp]>([
    [
      'another release',
      [image('a/l', '1.2.3'), image('a/l', '1.2.3'), image('a/l', '1.2.4')],
      /0\.yaml#image\.tag is 1\.2\.3, but \S+2\.yaml#image\.tag is 1\.2\.4$/,
    ],
    ['another release under another name', [image('a/l', '1.2.3'), image('a/w', '1.2.4')], /is 1\.2\.4$/],
    ['another tag', [image('a/l', '1.2.3'), image('a/l', 'v1.2.3')], /is v1\.2\.3$/],
    ['another tag without a repository', [image('a/l', '1.2.3'), 'image: {tag: v1.2.3}'], /is v1\.2\.3$/],
    ['another tag of the second alone', ['image: {tag: 1.2.3}', image('a/l', 'v1.2.3')], /is v1\.2\.3$/],
    ['another digest', [image('a/l', '1.2.3'), image('a/l', `1.2.3@${digest}`)], /is 1\.2\.3@sha256:/],
    ['one that is not to be read', [image('a/l', '1.2.3'), image('a/l', 'latest')], /"latest" does not name/],
  ])('are refused: %s', async (_, texts, message) => {
    await expect(read(texts)).rejects.toMatchObject({
      code: 'invalid-pin',
      message: expect.stringMatching(message),
    });
  });

  it('may be in one file, which is read once', async () => {
    const stdin = 'image: {tag: 1.2.3}';
    expect(await read(['-', '-'], stdin)).toHaveLength(2);
  });
});

describe('the variables of a compose file', () => {
  const compose = join(folder, 'compose.yaml');
  const files = { 'compose.yaml': `services: {bi: {image: "lightdash/lightdash:\${TAG}"}}\n` };
  const envs = { '.env': 'TAG=1.2.0\n', 'prod.env': 'TAG=1.156.0\n' };
  const readWith = async (names?: readonly string[]) => {
    for (const [name, text] of Object.entries({ ...files, ...envs })) writeFileSync(join(folder, name), text);
    const env = { COMPOSE_ENV_FILES: names?.map((name) => join(folder, name)).join(',') };
    const [pin] = await readAgreeingPins([compose], { stdin: Readable.from([]), env, tagSuffix: undefined });
    return [pin.version, pin.variable?.file];
  };

  it('come from .env', async () => expect(await readWith()).toEqual(['1.2.0', join(folder, '.env')]));

  it('come from the file that COMPOSE_ENV_FILES names', async () => {
    expect(await readWith(['prod.env'])).toEqual(['1.156.0', join(folder, 'prod.env')]);
  });

  it('are not known where it names several', async () => {
    await expect(readWith(['.env', 'prod.env'])).rejects.toThrow('COMPOSE_ENV_FILES names several files');
  });

  it('are not those of .env where it names a file that is missing', async () => {
    await expect(readWith(['gone.env'])).rejects.toMatchObject({ code: 'unreadable-source' });
  });
});
