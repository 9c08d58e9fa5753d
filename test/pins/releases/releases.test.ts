import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInReleases, releasesFile, releasesSource } from '../../../scripts/built-in-releases.js';
import { parseReleaseSafetyIndexText } from '../../../src/core/index/parse-index.js';
import { isRelease, isUnmistakable } from '../../../src/pins/releases/releases.js';

it('the list that is built in is that of the index: npm run generate -- releases', () => {
  expect(readFileSync(releasesFile, 'utf8')).toBe(builtInReleases());
});

it('knows every release of the index, and no other version up to the last one', () => {
  const { entries } = parseReleaseSafetyIndexText(readFileSync(releasesSource, 'utf8'));
  expect(entries.filter(({ version }) => !isRelease(version))).toEqual([]);
  const all = new Set<string>(entries.map(({ version }) => version));
  for (const { version } of entries) {
    const [major, minor, patch] = version.split('.');
    const next = `${major}.${minor}.${Number(patch) + 1}`;
    if (!all.has(next) && version !== entries.at(-1)?.version) expect(isRelease(next), next).toBe(false);
  }
});

it.each(['0.1892.0', '0.17.1', '1.263.0', '1.1000.0', '4.2.0', '15.1.0'])('%s is no release', (version) => {
  expect(isRelease(version)).toBe(false);
});

it.each(['2.134.3', '2.135.0', '3.0.0'])('%s may be one that is newer than the list', (version) => {
  expect(isRelease(version)).toBe(true);
});

it.each([
  ['0.2711.0', true],
  ['1.156.0', true],
  ['2.134.2', true],
  ['2.10.0', false],
  ['1.900.0', false],
])('%s can hardly be another program’s: %s', (version, is) => {
  expect(isUnmistakable(version)).toBe(is);
});
