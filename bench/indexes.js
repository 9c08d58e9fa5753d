import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

/** The real index in the form it is published in: pretty-printed with two spaces, 1,030,269 bytes. */
export const publishedIndex = write('published.json', readIndex());

function readIndex() {
  return JSON.parse(readFileSync(new URL('../fixtures/release-safety-index.json', import.meta.url), 'utf8'));
}

/** A file of that content, beside the indexes. */
export function writeText(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function write(name, json) {
  const file = join(folder, name);
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
  return file;
}

/** An invented index of 1.0.0 and 500 releases after it, each of them true and none backfilled. */
export const trueIndex = write('true.json', {
  schemaVersion: '1',
  generatedAt: new Date().toISOString(),
  backfillFloorVersion: '1.0.0',
  entries: Array.from({ length: 501 }, (_, minor) => ({
    version: `1.${minor}.0`,
    previousVersion: minor === 0 ? null : `1.${minor - 1}.0`,
    releaseDate: '2026-09-06T18:08:42.040Z',
    rollingUpdateSafe: true,
    requiredStops: [],
    minPreviousVersion: null,
    backfilled: false,
    syntheticRequiredStop: minor === 0,
  })),
});

/**
 * The real index `times` times over, one behind the other: each copy's major versions come after the last copy's, so
 * that the whole is one unbroken chain. Every release is `true` and the only minimum is the first copy's, so that a
 * span over all of it is evaluated to its end.
 *
 * @returns {{ file: string, from: string, to: string, near: string }} the file, its longest span, and where 1.121.0 is in
 *   the last copy
 */
export function repeatedIndex(times) {
  const { entries, ...index } = readIndex();
  const majors = 3;
  const shift = (version, copy) => {
    if (version === null) return null;
    const [major, ...rest] = version.split('.');
    return [Number(major) + copy * majors, ...rest].join('.');
  };
  const all = [];
  for (let copy = 0; copy < times; copy++) {
    for (const entry of entries) {
      all.push({
        ...entry,
        version: shift(entry.version, copy),
        previousVersion: all.at(-1)?.version ?? entry.previousVersion,
        requiredStops: copy === 0 ? entry.requiredStops : [],
        minPreviousVersion: shift(entry.minPreviousVersion, copy),
        syntheticRequiredStop: copy === 0 && entry.syntheticRequiredStop,
      });
    }
  }
  const file = write(`times-${times}.json`, { ...index, entries: all });
  return { file, from: all[0].version, to: all.at(-1).version, near: shift('1.121.0', times - 1) };
}
