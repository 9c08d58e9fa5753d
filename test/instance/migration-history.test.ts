import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOfHistory } from '../../src/answer/outputs/history.js';
import { migrationTime } from '../../src/checks/database/migration-time.js';
import { describeFinding } from '../../src/checks/describe.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { parseVersion } from '../../src/core/version.js';
import { historyOf, type PastAttempt, type PastMigration } from '../../src/instance/migration-history.js';
import { inputOf, upgradeTo } from '../support/preflight.js';

const at = (time: string) => `2026-08-0${time}Z`;
const migration = (name: string, time: string | null, batch = 1): PastMigration => ({
  name,
  batch,
  at: time === null ? null : at(time),
});
const attempt = (version: string, from: string, to: string | null, more: Partial<PastAttempt> = {}) => ({
  ...{ version, attempt: 1, outcome: 'succeeded', failing: null },
  ...{ startedAt: at(from), finishedAt: to === null ? null : at(to) },
  ...more,
});
const releases = [
  { version: parseVersion('1.0.0'), releaseDate: at('1T00:00:00') },
  { version: parseVersion('1.1.0'), releaseDate: at('2T00:00:00') },
  { version: parseVersion('1.2.0'), releaseDate: at('3T00:00:00') },
];

describe('what a database has migrated', () => {
  it('has a run for each attempt of the run ledger, with the migrations recorded during it', () => {
    const { runs, longest } = historyOf(
      [migration('a', '2T10:00:30'), migration('b', '2T10:04:30', 2)],
      [attempt('1.1.0', '2T10:00:00', '2T10:05:00')],
      releases,
    );
    expect(runs).toEqual([
      {
        ...{ startedAt: at('2T10:00:00'), seconds: 300, isLeast: false, version: '1.1.0' },
        ...{ versionBy: 'run-ledger', outcome: 'succeeded', attempt: 1, failing: null },
        ...{ migrations: 2, first: 'a', last: 'b' },
      },
    ]);
    expect(longest).toEqual({ migration: 'b', seconds: 240 });
  });

  it('is grouped by batch and pause before there was one, with the newest release that was out', () => {
    const { runs } = historyOf(
      [
        // One batch of Knex, however long a migration takes.
        ...[migration('a', '2T10:00:00', 7), migration('b', '2T11:00:00', 7)],
        // A batch each, one after the other.
        ...[migration('c', '3T10:00:00', 8), migration('d', '3T10:05:00', 9)],
        migration('e', '3T11:00:00', 10),
      ],
      [],
      releases,
    );
    expect(
      runs.map(({ version, versionBy, seconds, isLeast, first, last }) => [
        ...[version, versionBy, seconds, isLeast, first, last],
      ]),
    ).toEqual([
      ['1.1.0', 'date', 3600, true, 'a', 'b'],
      ['1.2.0', 'date', 300, true, 'c', 'd'],
      ['1.2.0', 'date', 0, true, 'e', 'e'],
    ]);
  });

  it('names no release where the run is older than the index', () => {
    const old = [{ name: 'a', batch: 1, at: '2020-01-01T00:00:00Z' }];
    expect(historyOf(old, [], releases).runs[0]?.version).toBeNull();
  });

  it('leaves out starts with nothing to migrate, but not those that changed the release or failed', () => {
    const { runs, idleStarts } = historyOf(
      [],
      [
        attempt('1.0.0', '1T01:00:00', '1T01:00:01'),
        attempt('1.0.0', '1T02:00:00', '1T02:00:01'),
        attempt('1.1.0', '2T01:00:00', '2T01:00:01'),
        attempt('1.1.0', '2T02:00:00', '2T02:00:01', { outcome: 'parked', failing: 'x' }),
        attempt('1.1.0', '2T03:00:00', null, { outcome: 'running', attempt: 2 }),
      ],
      releases,
    );
    expect(idleStarts).toBe(1);
    expect(runs.map(({ version, outcome, seconds }) => [version, outcome, seconds])).toEqual([
      ['1.0.0', 'succeeded', 1],
      ['1.1.0', 'succeeded', 1],
      ['1.1.0', 'parked', 1],
      ['1.1.0', 'running', null],
    ]);
  });

  it('is shown in one line a run', () => {
    const history = historyOf(
      [
        ...[migration('a', '1T10:00:00', 1), migration('b', '1T10:00:40', 1), migration('x', null, 1)],
        migration('c', '2T10:03:00', 2),
      ],
      [
        attempt('1.1.0', '2T10:00:00', '2T10:04:00', { outcome: 'retrying', failing: 'd' }),
        attempt('1.1.0', '2T10:10:00', null, { outcome: 'running', attempt: 2 }),
      ],
      releases,
    );
    expect(linesOfHistory(history)).toEqual([
      '2026-08-01 10:00  1.0.0 or older: 2 migrations, at least 40 seconds',
      '2026-08-02 10:00  1.1.0: 1 migration, 4 minutes, retrying in d',
      '2026-08-02 10:10  1.1.0: 0 migrations, no end, running, attempt 2',
      'and 1 migration without a time',
      'The longest migration took up to 3 minutes: c',
    ]);
    expect(linesOfHistory(historyOf([], [], releases))).toEqual(['nothing has migrated here']);
  });

  it('is shown beside the forecast of the next upgrade', () => {
    const rows = [
      { name: 'a', batch: 1, migratedAt: at('1T10:00:00') },
      { name: 'b', batch: 1, migratedAt: at('1T10:04:30') },
    ];
    const { findings } = runChecks([migrationTime], inputOf(upgradeTo([], { ledger: rows })));
    expect(findings.map((finding) => describeFinding(finding).description)).toEqual([
      expect.stringMatching(
        /^1 pending migration: .*; the longest that ran here took up to 5 minutes \(b\)$/,
      ),
    ]);
  });

  it('counts every migration once', () => {
    const minute = fc.integer({ min: 0, max: 3000 });
    const time = (minutes: number) => new Date(Date.parse(at('1T00:00:00')) + minutes * 60_000).toISOString();
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.option(minute), batch: fc.integer({ min: 1, max: 9 }) }), {
          maxLength: 30,
        }),
        fc.array(fc.tuple(minute, fc.option(fc.integer({ min: 1, max: 200 }))), { maxLength: 5 }),
        (rows, starts) => {
          // No two attempts hold the lease at once.
          const sorted = [...starts].sort(([a], [b]) => a - b);
          const attempts = sorted.map(([start, long], i) => {
            const next = sorted[i + 1]?.[0] ?? Number.POSITIVE_INFINITY;
            const end = Math.min(start + (long ?? 1), next - 0.01);
            return {
              ...{ version: '1.0.0', attempt: 1, outcome: 'succeeded', failing: null },
              startedAt: time(start),
              finishedAt: long === null && i === sorted.length - 1 ? null : time(Math.max(start, end)),
            };
          });
          const migrations = rows.map(({ at, batch }, i) => ({
            ...{ name: String(i), batch },
            at: at === null ? null : time(at),
          }));
          const { runs, undated } = historyOf(migrations, attempts, releases);
          const counted = runs.reduce((sum, run) => sum + run.migrations, 0);
          expect(counted + undated).toBeGreaterThanOrEqual(rows.length);
          const isTwice = counted + undated > rows.length;
          const begins = new Set(attempts.map(({ startedAt }) => startedAt));
          if (begins.size === attempts.length) expect(isTwice).toBe(false);
          for (const { seconds } of runs) expect(seconds ?? 0).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
