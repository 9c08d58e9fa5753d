import { readFileSync } from 'node:fs';
import { memoize } from '../../src/core/common/memoize.js';

/** The four real artifacts of the public releases, as they were published. */
export const realArtifactVersions = ['1.121.0', '1.136.1', '2.133.1', '2.134.2'] as const;

export const realArtifactText: (version: (typeof realArtifactVersions)[number]) => string = memoize(
  (version) => readFileSync(`fixtures/artifacts/${version}.json`, 'utf8'),
);

/** An artifact as a test writes it: any field may hold anything. */
export type LooseArtifact = Record<string, unknown>;

/** An invented artifact that confirms `entry`, a release without changes; `fields` stand over its own. */
export function inventedArtifact(
  entry: {
    readonly version: string;
    readonly previousVersion: string | null;
    readonly rollingUpdateSafe: boolean | 'unknown';
    readonly requiredStops: readonly string[];
    readonly minPreviousVersion: string | null;
  },
  fields: LooseArtifact = {},
): LooseArtifact {
  return {
    ...JSON.parse(realArtifactText('1.121.0')),
    version: entry.version,
    previousVersion: entry.previousVersion,
    compatibility: {
      rollingUpdateSafe: entry.rollingUpdateSafe,
      recommendedStrategy: entry.rollingUpdateSafe === true ? 'RollingUpdate' : 'Recreate',
    },
    upgrade: { minPreviousVersion: entry.minPreviousVersion, requiredStops: entry.requiredStops },
    ...fields,
  };
}

/** The text of an artifact of a release that may roll, and comes after nothing. */
export function soundArtifactText(version: string): string {
  const nothing = { previousVersion: null, requiredStops: [], minPreviousVersion: null };
  return JSON.stringify(inventedArtifact({ version, rollingUpdateSafe: true, ...nothing }));
}

const migration = (
  name: string,
  edition: string,
  tables: string[],
  heaviness: [unknown, unknown, unknown],
) => {
  const [locksTable, rewritesTable, scansTable] = heaviness;
  return { name, edition, tables, heaviness: { locksTable, rewritesTable, scansTable } };
};

/**
 * Invented sections in the documented shape, with what newer artifacts are known to add: heavy migrations, breaking
 * changes with capped lists, changed variables, declared breaks.
 */
export const inventedHeavySections: LooseArtifact = {
  migrations: {
    ...{ present: true, count: 3, coreCount: 2, eeCount: 1 },
    files: [
      migration(
        '20260801000000_add_index.ts',
        'core',
        ['saved_queries', 'projects'],
        [true, false, 'unknown'],
      ),
      migration('20260802000000_add_column.ts', 'core', ['users'], [false, false, false]),
      migration('20260803000000_rewrite_ee.ts', 'ee', ['ai_thread'], [true, true, true]),
    ],
  },
  api: {
    rest: {
      ...{ checked: true, breaking: true, breakingCount: 12, advisoryCount: 1 },
      changes: ['GET /api/v1/saved: response lost `slug`', '… and 11 more'],
      advisories: ['GET /api/v1/org: enum gained `viewer`'],
    },
    mcp: {
      ...{ checked: false, breaking: 'unknown', breakingCount: 0, advisoryCount: 0 },
      ...{ changes: [], advisories: [] },
    },
  },
  config: {
    ...{ checked: true, breaking: true },
    changes: [
      { type: 'removed', name: 'OLD_FLAG', previousDefault: 'false' },
      { type: 'renamed', name: 'NEW_NAME', previousName: 'OLD_NAME', defaultValue: null },
      { type: 'defaultChanged', name: 'LIMIT', previousDefault: 500, defaultValue: 5000 },
    ],
  },
  declaredBreaks: [
    {
      ...{ id: 'drop-column-slug', migration: '20260803000000_rewrite_ee.ts', releasedIn: null },
      ...{ file: 'packages/backend/src/database/migrations/20260803000000_rewrite_ee.ts', line: 12 },
      reason: 'old pods still read the column',
    },
    { id: 'tool-removed', reason: 'a tool of the agent is gone', requiredStop: false, releasedIn: '1.200.0' },
  ],
  declaredAdvisories: [
    {
      ...{ id: 'thing-removed', reason: 'the endpoint had no caller but us', requiredStop: false },
      impact: {
        ...{ kind: 'no-external-callers', featureFlag: 'thing' },
        covers: { rest: ['DELETE /api/v1/thing'], mcp: ['run_thing'] },
      },
    },
  ],
  newTopLevelSection: { anything: [1, 2, 3] },
};
