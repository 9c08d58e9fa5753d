import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Check } from '../../src/checks/check.js';
import { describeFinding } from '../../src/checks/describe.js';
import { type PreflightInput, runChecks } from '../../src/checks/run-checks.js';
import { parseReleaseArtifactText } from '../../src/core/artifact/artifact.js';
import type { ArtifactOutcome } from '../../src/core/artifact/reconcile.js';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import { compareVersions, requireVersion } from '../../src/core/version.js';
import type { FactName } from '../../src/instance/facts/fact-names.js';
import { conditionFacts } from '../../src/instance/facts/known-facts.js';
import type { FactKey, FactOf } from '../../src/instance/facts/needs.js';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { releaseLine } from '../../src/instance/release-line.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { knownIssuesOf } from '../../src/known-issues/known-issues.js';
import { inventedArtifact, type LooseArtifact } from './artifacts.js';
import { deployedAt } from './deployment.js';
import { migratorFact, serverFact, tableFact } from './facts.js';
import { afterRecords } from './known-issues.js';
import { writeTestMirror } from './mirror.js';
import { indexOf, type LooseEntry } from './real-index.js';
import { temporaryFolder } from './temporary-folder.js';

export const seenAt = '2026-09-06T18:00:00Z';

/** A migration as a table of cases writes it. */
export interface MigrationCase {
  readonly name: string;
  readonly edition?: 'core' | 'ee';
  readonly tables?: readonly string[];
  /** What it does, all else `false`; `unknown` for all three. */
  readonly does?: readonly ('locks' | 'rewrites' | 'scans')[] | 'unknown';
}

/** A release as a table of cases writes it. */
export interface ReleaseCase {
  readonly version: string;
  readonly migrations?: readonly MigrationCase[];
  /** Fields of its index entry and of its artifact. */
  readonly entry?: LooseEntry;
  readonly artifact?: LooseArtifact | 'missing';
}

/** A situation of an instance, told short: what is not named is not seen. */
export interface Situation {
  readonly from?: string;
  readonly to?: string;
  /** Oldest first; `from` is the first of them, `to` the last, unless said otherwise. */
  readonly releases?: readonly ReleaseCase[];
  /** The first of those that show where the ledger is; earlier ones are read for its names alone. */
  readonly begin?: string;
  readonly facts?: { readonly [Key in FactKey]?: FactOf<Key> | 'absent' | 'not-permitted' | 'unsafe' };
  readonly diskFree?: number;
  readonly edition?: 'community' | 'enterprise' | undefined;
}

/** What a table does not name of a finding: which numbers, names and releases it tells. Beside the test, in __snapshots__. */
export function recordEvidence(
  findings: readonly { readonly status: string; readonly evidence: { readonly kind: string } }[],
): void {
  const lines = findings.map(
    ({ status, evidence: { kind, ...told } }) => `${status} ${kind} ${JSON.stringify(told)}`,
  );
  expect(lines.join('\n')).toMatchSnapshot();
}

/** What a check finds, a line each: `stop table-absent ai_prompt`. Each of them is told, and what is not in order with its remedy. */
export function foundBy<Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  situation: Situation,
): string[] {
  const { findings } = runChecks([check], inputOf(situation));
  recordEvidence(findings);
  return findings.map((finding) => {
    const { status, subject, evidence } = finding;
    const { description, remedy } = describeFinding(finding as Parameters<typeof describeFinding>[0]);
    const told = [description, ...(remedy === null ? [] : [remedy.text, ...remedy.commands])];
    // Each is a line of its own where it is printed.
    for (const line of remedy?.commands ?? []) expect(line).not.toContain('\n');
    for (const text of told) expect(text).not.toMatch(/^$|undefined|null\b|NaN|\[object/);
    expect(remedy === null, description).toBe(status === 'ok');
    return [status, evidence.kind, ...(subject === null ? [] : [subject])].join(' ');
  });
}

/**
 * What a check finds: cases by their title under what they find, more of one case after a semicolon; more cases as rows
 * of a table.
 */
export function itFinds<Seen, Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  situationOf: (seen: Seen) => Situation,
  cases: Readonly<Record<string, Readonly<Record<string, Seen>>>>,
  more: readonly (readonly [title: string, seen: Seen, found: readonly string[]])[] = [],
): void {
  const rows = Object.entries(cases).flatMap(([found, titled]) =>
    Object.entries(titled).map(([title, seen]) => [title, seen, found.split('; ')] as const),
  );
  it.each([...rows, ...more])('%s', (_, seen, found) => {
    expect(foundBy(check, situationOf(seen))).toEqual(found);
  });
}

/** What is to be pasted for all that a check finds, line by line. */
export function pastedFor<Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  situation: Situation,
): string[] {
  return runChecks([check], inputOf(situation)).findings.flatMap(
    (finding) => describeFinding(finding as Parameters<typeof describeFinding>[0]).remedy?.commands ?? [],
  );
}

/** A release that has run, with the one migration of `healthyFacts('20260801000000_old')`. */
export const ranRelease: ReleaseCase = { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] };

/** An upgrade by one release from there, to one that brings these migrations; the instance is healthy but for these facts. */
export function upgradeTo(migrations: readonly MigrationCase[], facts: Situation['facts'] = {}): Situation {
  return {
    releases: [ranRelease, { version: '2.1.0', migrations }],
    facts: { ...healthyFacts('20260801000000_old'), ...deployedAt('2.0.0'), ...facts },
  };
}

const twoReleases: readonly ReleaseCase[] = [{ version: '2.0.0' }, { version: '2.1.0' }];

/** What the publisher says of the releases of a situation: the index, and the artifacts by version. */
export function publishedOf({ releases = twoReleases }: Situation): {
  readonly index: string;
  readonly artifacts: ReadonlyMap<string, string>;
} {
  const index = JSON.stringify(indexOf(...releases.map(({ version, entry }) => ({ version, ...entry }))));
  const artifacts = parseReleaseSafetyIndexText(index).entries.flatMap((entry, i) => {
    const { migrations = [], artifact = {} } = releases[i] ?? {};
    if (artifact === 'missing') return [];
    const text = inventedArtifact(entry, { migrations: migrationsSection(migrations), ...artifact });
    return [[entry.version, JSON.stringify(text)] as const];
  });
  return { index, artifacts: new Map(artifacts) };
}

export function inputOf(situation: Situation): PreflightInput {
  const { releases = twoReleases, diskFree, edition } = situation;
  const from = requireVersion(situation.from ?? releases[0]?.version ?? '');
  const to = requireVersion(situation.to ?? releases.at(-1)?.version ?? '');
  const { index, artifacts } = publishedOf(situation);
  const outcomes = new Map(
    [...artifacts].map(([version, text]): [string, ArtifactOutcome] => [
      version,
      { kind: 'artifact', artifact: parseReleaseArtifactText(text) },
    ]),
  );
  const begin = requireVersion(situation.begin ?? releases[0]?.version ?? from);
  const facts = factsOf(situation.facts ?? {});
  return {
    from,
    to,
    issues: issuesUnder({ from, to, edition, facts }),
    line: releaseLine(parseReleaseSafetyIndexText(index), { from, to }, begin, outcomes),
    diskFree,
    edition,
    facts,
  };
}

/** The built-in known issues of a step that apply, or may hold, under these facts. */
export function issuesUnder({
  from,
  to,
  edition,
  facts,
}: Pick<PreflightInput, 'from' | 'to' | 'edition' | 'facts'>): NonNullable<PreflightInput['issues']> {
  const observed = conditionFacts(facts);
  const get = (name: FactName) => (name === 'edition' ? edition : undefined) ?? observed.get(name);
  return knownIssuesOf(
    builtInKnownIssues.records,
    { get },
    afterRecords,
  )([])
    .ofLanding(to)
    .filter(({ startsBefore }) => compareVersions(from, startsBefore) < 0)
    .map(({ appliedTo }) => appliedTo({ from, to }));
}

/** A mirror of what the publisher says of a situation, and `facts.json` beside it. */
export async function writeSituation(folder: string, situation: Situation): Promise<void> {
  const { index, artifacts } = publishedOf(situation);
  await writeTestMirror(folder, {
    'release-safety-index.json': index,
    ...Object.fromEntries([...artifacts].map(([version, text]) => [`artifacts/${version}.json`, text])),
  });
  const facts = factsOf(situation.facts ?? {});
  await writeFile(join(folder, 'facts.json'), factsText({ schemaVersion: '1', collectedAt: seenAt, facts }));
}

/** The options that read a mirror of what the publisher says of a situation, and its facts, if it has any. */
export async function sourcesOf(situation: Situation): Promise<readonly string[]> {
  const folder = temporaryFolder();
  await writeSituation(folder, situation);
  const facts = situation.facts === undefined ? [] : ['--facts', join(folder, 'facts.json')];
  return ['--index', folder, ...facts];
}

/** The observations of a facts file. */
export function factsOf(facts: NonNullable<Situation['facts']>): PreflightInput['facts'] {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      value === 'absent' || value === 'not-permitted' || value === 'unsafe'
        ? { status: value, source: 'database' }
        : { status: 'seen', value, seenAt, source: key === 'stated' ? 'stated' : 'database' },
    ]),
  );
}

function migrationsSection(migrations: readonly MigrationCase[]) {
  const files = migrations.map(({ name, edition = 'core', tables = [], does = [] }) => {
    const effect = (one: 'locks' | 'rewrites' | 'scans') =>
      does === 'unknown' ? 'unknown' : does.includes(one);
    return {
      name: `${name}.ts`,
      edition,
      tables,
      heaviness: {
        locksTable: effect('locks'),
        rewritesTable: effect('rewrites'),
        scansTable: effect('scans'),
      },
    };
  });
  const coreCount = files.filter(({ edition }) => edition === 'core').length;
  return {
    present: files.length > 0,
    count: files.length,
    coreCount,
    eeCount: files.length - coreCount,
    files,
  };
}

/** Rows of a ledger, each a batch of its own as releases since 1.123.0 write it. */
export function ledgerOf(...names: readonly string[]): FactOf<'ledger'> {
  return names.map((name, i) => ({ name: `${name}.js`, batch: i + 1, migratedAt: seenAt }));
}

/** Everything that checks look at, of an instance with nothing remarkable, which has run these migrations. */
export function healthyFacts(...ledger: readonly string[]) {
  return {
    server: serverFact,
    role: { name: 'looker', superuser: false },
    migrator: migratorFact,
    database: { name: 'lightdash', sizeBytes: 2_000_000_000 },
    extensions: [
      { name: 'uuid-ossp', available: '1.1', installed: '1.1', trusted: true },
      { name: 'vector', available: '0.7.4', installed: '0.7.4', trusted: false },
    ],
    tables: ['saved_queries', 'saved_queries_versions', 'analytics_chart_views', 'projects'].map((name) =>
      tableFact({ name, estimatedRows: 1000, heapBytes: 1_000_000, toastBytes: 0, indexBytes: 200_000 }),
    ),
    indexes: [],
    dependents: { objects: [], triggers: [], unidentified: [] },
    ledger: ledgerOf(...ledger),
    ledgerLock: { rows: 1, lockedRows: 0 },
    lease: [idleLease],
    runs: { newest: null, lastSucceeded: null },
    queue: idleQueue,
    activity: { sessions: [], hiddenSessions: 0 },
    locks: [],
    preparedTransactions: [],
    replication: { slots: [], subscriptions: [] },
    archiver: { enabled: false, archivedSecondsAgo: null, failedSecondsAgo: null },
    vacuums: { running: [], hidden: 0 },
    readRate: {
      table: 'saved_queries_versions',
      firstBytes: 268_435_456,
      firstMicroseconds: 1_000_000,
      againBytes: 268_435_456,
      againMicroseconds: 500_000,
    },
    sortRate: { rows: 50_000, microseconds: 100_000 },
  } satisfies Situation['facts'];
}

/** A queue that nothing waits in. */
export const idleQueue: FactOf<'queue'> = {
  jobs: 0,
  locked: 0,
  lockedTooLong: 0,
  lockedOnLastAttempt: 0,
  due: 0,
  oldestDueSeconds: null,
  failed: 0,
};

/** A lease that nobody holds. */
export const idleLease: FactOf<'lease'>[number] = {
  key: 'global',
  claimed: false,
  holderHostname: null,
  holderPodName: null,
  appVersion: null,
  currentMigration: null,
  lastHeartbeat: null,
  heartbeatAgeSeconds: null,
  parkedAt: null,
  parkedAppVersion: null,
  parkedMigration: null,
  parkedErrorClass: null,
};

type Run = NonNullable<FactOf<'runs'>['newest']>;

/** An attempt that succeeded. */
export function runOf(told: Partial<Run>): Run {
  return { appVersion: '2.0.0', outcome: 'succeeded', failingMigration: null, ...told };
}

/** A session of the role that migrates, in the midst of a statement. */
export function sessionOf(
  told: Partial<FactOf<'activity'>['sessions'][number]>,
): FactOf<'activity'>['sessions'][number] {
  return {
    pid: 4711,
    role: 'lightdash',
    backend: 'client backend',
    state: 'active',
    transactionSeconds: 1,
    snapshot: false,
    ...told,
  };
}

/** A lock on `projects` that a session has held for a second. */
export function lockOf(told: Partial<FactOf<'locks'>[number]>): FactOf<'locks'>[number] {
  return {
    table: 'projects',
    mode: 'AccessShareLock',
    granted: true,
    pid: 7,
    preparedTransaction: null,
    transactionSeconds: 1,
    ...told,
  };
}

/** A logical slot for which 3.3 GiB are kept. */
export const slotThatNobodyReads: FactOf<'replication'> = {
  slots: [{ name: 'gone', kind: 'logical', active: false, keptBytes: 3_500_000_000, walStatus: 'extended' }],
  subscriptions: [],
};
