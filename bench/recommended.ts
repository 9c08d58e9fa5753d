import { readFileSync } from 'node:fs';
import { parseReleaseSafetyIndexText } from '../src/core/index/parse-index.js';
import { indexOfEntries, withKnownIssues } from '../src/core/index/release-safety-index.js';
import { recommend } from '../src/core/route/recommended.js';
import { compareVersions, type Version } from '../src/core/version.js';
import { builtInKnownIssues } from '../src/known-issues/built-in.js';
import { knownIssuesOf } from '../src/known-issues/known-issues.js';
import { isIssue } from '../src/known-issues/record-forms.js';

/**
 * What `--to recommended` would have chosen in the past: the real index is replayed every two hours, and each choice is
 * held to what became known of it later: a bot that has moved to a release stays there until the next one. A record counts from the moment at which its fix was released. Run it with
 * `npx tsx bench/recommended.ts`; docs/commands/upgrade-plan.md has its figures.
 */

const hour = 3_600_000;
const index = parseReleaseSafetyIndexText(readFileSync('fixtures/release-safety-index.json', 'utf8'));
const { entries } = index;
const released = new Map(entries.map(({ version, releaseDate }) => [version, Date.parse(releaseDate)]));

/**
 * Defects of a release itself: of landing on it, and mended by a later one within some days. What only asks for a stop
 * on the way is none: every route makes it.
 */
const defects = builtInKnownIssues.records
  .filter(isIssue)
  .filter(
    ({ when, affected, effect }) =>
      when === 'landing' && effect.kind !== 'required-stops' && affected.every(isMendedSoon),
  );

function isMendedSoon({
  introduced,
  fixed,
}: {
  readonly introduced: Version;
  readonly fixed?: Version | undefined;
}) {
  const [from, until] = [released.get(introduced), fixed && released.get(fixed)];
  return from !== undefined && until !== undefined && until - from < 100 * hour;
}
const fixedAt = (versions: readonly (Version | undefined)[]) =>
  Math.max(
    ...versions.map((version) =>
      version === undefined ? Number.POSITIVE_INFINITY : (released.get(version) ?? 0),
    ),
  );
const isDefect = (version: Version) =>
  defects.some(({ affected }) =>
    affected.some(
      ({ introduced, fixed }) =>
        compareVersions(version, introduced) >= 0 &&
        (fixed === undefined || compareVersions(version, fixed) < 0),
    ),
  );

const end = Date.parse(index.generatedAt);
const start = Date.parse(entries[0].releaseDate) + 14 * 24 * hour;

function replay(minAgeMs: number, withRecords: boolean) {
  let moments = 0;
  let onDefect = 0;
  const ages: number[] = [];
  let from = entries[0].version;
  for (let at = start; at < end; at += 2 * hour) {
    const now = new Date(at);
    const known = entries.filter(({ releaseDate }) => Date.parse(releaseDate) <= at);
    // A choice depends on the last days alone, and a route over thousands of releases takes long.
    const recent = known.slice(-600);
    const records = withRecords
      ? defects.filter(({ affected }) => fixedAt(affected.map(({ fixed }) => fixed)) <= at)
      : [];
    const then = withKnownIssues(
      indexOfEntries({ generatedAt: now.toISOString(), backfillFloorVersion: null }, recent),
      knownIssuesOf(records, new Map(), new Date(end)),
    );
    const first = recent[0]?.version ?? from;
    const begin = compareVersions(from, first) < 0 ? first : from;
    const { release } = recommend(then, {
      ...{ from: begin, now, minAgeMs, rollingOnly: false },
      isOpenMajor: () => false,
    });
    from = release?.version ?? from;
    moments += 1;
    if (isDefect(from)) onDefect += 1;
    ages.push(at - (released.get(from) ?? at));
  }
  ages.sort((a, b) => a - b);
  const median = (ages[Math.floor(ages.length / 2)] ?? 0) / hour;
  return { moments, share: (100 * onDefect) / moments, median };
}

const rows = [
  ['latest', 0, false],
  ['at least 24 h old', 24, false],
  ['at least 96 h old', 96, false],
  ['latest, and records', 0, true],
  ['48 h old, and records', 48, true],
  ['96 h old, and records', 96, true],
] as const;

process.stdout.write(
  '| what is chosen | of the time on a release with a defect that is on record now | median age |\n| --- | --- | --- |\n',
);
for (const [name, hours, withRecords] of rows) {
  const { share, median } = replay(hours * hour, withRecords);
  process.stdout.write(`| ${name} | ${share.toFixed(2)} % | ${median.toFixed(0)} h |\n`);
}
