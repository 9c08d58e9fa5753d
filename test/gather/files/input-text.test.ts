import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFileText, readInputText } from '../../../src/gather/files/read-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
async function* stream(...chunks: readonly Uint8Array[]) {
  yield* chunks;
}
const read = (source: string, stdin: AsyncIterable<Uint8Array> = stream()) =>
  readInputText({ source, stdin, what: 'merge file' });

describe('readInputText', () => {
  it('reads a file', async () => {
    expect(await read(file('a.yaml', 'zażółć: 1\n'))).toBe('zażółć: 1\n');
  });

  it('reads standard input, whatever its chunks cut apart', async () => {
    const bytes = Buffer.from('zażółć');
    expect(await read('-', stream(bytes.subarray(0, 3), bytes.subarray(3)))).toBe('zażółć');
  });

  it('drops a byte order mark', async () => {
    expect(await read(file('bom.yaml', '\uFEFFa: 1'))).toBe('a: 1');
  });

  it('keeps the byte order mark of a file that is to be written again', async () => {
    expect(await readFileText(file('bom.yaml', '\uFEFFa: 1'))).toBe('\uFEFFa: 1');
  });

  it.each([
    [join(folder, 'none'), 'unreadable-source', /cannot read the merge file .*none: there is no such file/],
    [folder, 'unreadable-source', /it is a folder, not a file/],
    [file('binary', Uint8Array.of(0xff, 0x00)), 'usage', /binary is not UTF-8 text$/],
  ])('refuses %s', async (source, code, message) => {
    await expect(read(source)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('reads no further than it must of what never ends', async () => {
    let chunks = 0;
    const endless = (async function* () {
      for (;;) {
        chunks += 1;
        yield new Uint8Array(1024 * 1024);
      }
    })();
    await expect(read('-', endless)).rejects.toMatchObject({
      code: 'too-large',
      message: 'the merge file on standard input is larger than 16777216 bytes',
    });
    expect(chunks).toBe(17);
  });
});
