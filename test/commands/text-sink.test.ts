import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSink, outputSink, writeWhole } from '../../src/commands/text-sink.js';
import { LightspanError } from '../../src/errors.js';
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

describe('fileSink', () => {
  const newPath = () => join(temporaryFolder(), 'result.csv');

  it('leaves the file as it was until it is committed', async () => {
    const path = newPath();
    writeFileSync(path, 'old');
    const sink = await fileSink(path);
    await sink.write('n');
    await sink.write('ew');
    expect(readFileSync(path, 'utf8')).toBe('old');
    await sink.commit();
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(join(path, '..'))).toEqual(['result.csv']);
  });

  it('stopped right before it takes its place, leaves what was there', async () => {
    const path = newPath();
    writeFileSync(path, 'old');
    const stop = new LightspanError('unreadable-source', 'it was changed meanwhile');
    const sink = await fileSink(path, {
      before: () => {
        throw stop;
      },
    });
    await sink.write('new');
    await expect(sink.commit()).rejects.toBe(stop);
    await sink.abandon();
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(join(path, '..'))).toEqual(['result.csv']);
  });
});

it('a file that could not be written whole is as it was, and nothing is left beside it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, 'before');
  const before = () => Promise.reject(new Error('full'));
  await expect(writeWhole(file, 'after', { before })).rejects.toMatchObject({ code: 'unwritable-output' });
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['file']);
});
