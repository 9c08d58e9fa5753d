import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../src/core/lightspan-error.js';
import { outputSink, withFile, writeWhole } from '../../src/door/text-sink.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('outputSink', () => {
  it('waits for a reader that is behind', async () => {
    let taken = () => {};
    let resumed = false;
    const flush = () =>
      new Promise<void>((done) => {
        taken = done;
      });
    const writing = outputSink({ write: () => {}, flush })
      .write('x')
      .then(() => {
        resumed = true;
      });
    await new Promise((done) => setImmediate(done));
    expect(resumed).toBe(false);
    taken();
    await writing;
    expect(resumed).toBe(true);
  });
});

describe('withFile', () => {
  const oldFile = () => {
    const path = join(temporaryFolder(), 'result.csv');
    writeFileSync(path, 'old');
    return path;
  };
  const left = (path: string) => [readFileSync(path, 'utf8'), ...readdirSync(join(path, '..'))];

  it('leaves the file as it was until it is committed', async () => {
    const path = oldFile();
    await withFile(path, async (file) => {
      await file.write('n');
      await file.write('ew');
      expect(readFileSync(path, 'utf8')).toBe('old');
      await file.commit();
    });
    expect(left(path)).toEqual(['new', 'result.csv']);
  });

  it.each([
    ['stopped right before it takes its place', new LightspanError('unreadable-source', 'it was changed')],
    ['that could not be written whole', new Error('full')],
  ])('a file %s is as it was, and nothing is left beside it', async (_, error) => {
    const path = oldFile();
    const code = error instanceof LightspanError ? error.code : 'unwritable-output';
    await expect(writeWhole(path, 'new', () => Promise.reject(error))).rejects.toMatchObject({ code });
    expect(left(path)).toEqual(['old', 'result.csv']);
  });

  it('removes what was not committed', async () => {
    const path = oldFile();
    await withFile(path, (file) => file.write('new'));
    expect(left(path)).toEqual(['old', 'result.csv']);
  });
});
