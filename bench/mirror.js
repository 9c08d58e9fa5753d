import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedIndex } from './indexes.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * A mirror of the real index with an artifact for each of its 510 releases that are not backfilled: the real one of
 * 1.121.0, made to confirm the index, every ninth with migrations and API changes.
 *
 * @returns {string} the folder
 */
export function writeMirror() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'artifacts'));
  const sums = [];
  const put = (path, text) => {
    writeFileSync(join(folder, path), text);
    sums.push(`${createHash('sha256').update(text).digest('hex')}  ${path}\n`);
  };
  const text = readFileSync(publishedIndex, 'utf8');
  const plain = JSON.parse(
    readFileSync(new URL('../fixtures/artifacts/1.121.0.json', import.meta.url), 'utf8'),
  );
  put('release-safety-index.json', text);
  const published = JSON.parse(text).entries.filter(({ backfilled }) => !backfilled);
  for (const [i, entry] of published.entries()) {
    const { version, previousVersion, releaseDate, rollingUpdateSafe } = entry;
    const { requiredStops, minPreviousVersion } = entry;
    const recommendedStrategy = rollingUpdateSafe === true ? 'RollingUpdate' : 'Recreate';
    const artifact = {
      ...plain,
      ...(i % 9 === 0 ? changesOf(i) : {}),
      version,
      previousVersion,
      releaseDate,
      compatibility: { rollingUpdateSafe, recommendedStrategy },
      upgrade: { minPreviousVersion, requiredStops },
    };
    put(`artifacts/${version}.json`, `${JSON.stringify(artifact, null, 2)}\n`);
  }
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return folder;
}

function changesOf(i) {
  const heaviness = { locksTable: true, rewritesTable: false, scansTable: 'unknown' };
  const file = { name: `${20260800000000 + i}_change.ts`, edition: 'core', tables: ['projects'], heaviness };
  const changes = [`GET /api/v1/projects/${i}: response property removed`];
  const rest = { checked: true, breaking: true, changes, breakingCount: 1, advisories: [], advisoryCount: 0 };
  return { migrations: { present: true, count: 1, coreCount: 1, eeCount: 0, files: [file] }, api: { rest } };
}
