import { readFileSync } from 'node:fs';
import { gte } from 'semver';
import { expect, it } from 'vitest';
import { builtInFile, builtInKnownIssues } from '../../scripts/built-in-known-issues.js';
import { builtInKnownIssues as builtIn, timeForRecords } from '../../src/known-issues/built-in.js';
import { realIndex } from '../support/real-index.js';

it('holds what `npm run generate -- known-issues` writes', () => {
  expect(
    readFileSync(builtInFile, 'utf8'),
    `${builtInFile} is stale: run npm run generate -- known-issues`,
  ).toBe(builtInKnownIssues());
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for.
it('is ASCII, as the program is', () => expect(JSON.stringify(builtIn)).toMatch(/^[\x00-\x7f]*$/));

it('has records count by the clock, but for one that is behind them', () => {
  const ahead = new Date('2199-01-01T00:00:00Z');
  expect(timeForRecords(ahead)).toEqual(ahead);
  expect(timeForRecords(new Date('2001-01-01T00:00:00Z'))).toEqual(new Date(builtIn.publishedAt));
});

it.each(builtIn.records)('$id names releases of the index, or older ones', ({ affected, effect }) => {
  const versions = realIndex().entries.map(({ version }) => version);
  const named = [
    ...affected.flatMap(({ introduced, fixed }) =>
      fixed === undefined ? [introduced] : [introduced, fixed],
    ),
    ...(effect.kind === 'required-stops' ? effect.stops : []),
  ];
  const [floor = ''] = versions;
  expect(versions).toEqual(expect.arrayContaining(named.filter((version) => gte(version, floor))));
});
