import { expect, it } from 'vitest';
import { loadReleaseLine, placeInDatabase } from '../../src/app/see-instance.js';
import type { LoadArtifacts } from '../../src/app/sources/read-artifacts.js';
import { parseReleaseArtifactText } from '../../src/core/artifact/artifact.js';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import { parseVersion } from '../../src/core/version.js';
import type { ObservedFacts } from '../../src/instance/facts/facts-schema.js';
import { deployedAt } from '../support/deployment.js';
import { factsOf, type MigrationCase, publishedOf, seenAt } from '../support/preflight.js';

/** Releases 1.0.0 to 1.199.0, of which some bring a migration; and what is asked of their artifacts, one group a line. */
function published(migrations: Readonly<Record<number, MigrationCase>>, backfilled: readonly number[] = []) {
  const releases = Array.from({ length: 200 }, (_, i) => ({
    version: `1.${i}.0`,
    entry: { backfilled: backfilled.includes(i) },
    migrations: migrations[i] === undefined ? [] : [migrations[i]],
  }));
  const { index, artifacts } = publishedOf({ releases });
  const asked: string[] = [];
  const load: LoadArtifacts = async (versions) => {
    asked.push(versions.length === 0 ? 'none' : `${versions[0]} to ${versions.at(-1)}`);
    return new Map(
      versions.map((version) => {
        const artifact = parseReleaseArtifactText(artifacts.get(version) ?? '');
        return [version, { kind: 'artifact', artifact }];
      }),
    );
  };
  return { index: parseReleaseSafetyIndexText(index), load, asked };
}

const span = { from: parseVersion('1.198.0'), to: parseVersion('1.199.0') };
const core: MigrationCase = { name: '20260101000000_core', tables: ['things'] };
const later: MigrationCase = { name: '20260103000000_later', tables: ['things'] };
const ofEnterprise: MigrationCase = { name: '20260102000000_ee', edition: 'ee', tables: ['others'] };

it.each<[string, Readonly<Record<number, MigrationCase>>, begin: string, groups: number]>([
  ['the newest that ran before', { 190: core }, '1.183.0', 1],
  ['one further back', { 170: core }, '1.167.0', 2],
  [
    'one that all editions have, whatever the enterprise edition has since',
    { 150: core, 190: ofEnterprise },
    '1.135.0',
    4,
  ],
  ['none, for there is none in eight groups', { 10: core }, '1.71.0', 8],
])('goes back to a migration: %s', async (_, migrations, begin, groups) => {
  const { index, load, asked } = published(migrations);
  const line = await loadReleaseLine(index, span, load);
  expect(line.before[0]?.version).toBe(begin);
  expect(line.before.at(-1)?.version).toBe('1.198.0');
  expect(line.span.map(({ version }) => version)).toEqual(['1.199.0']);
  // What is between is asked for first.
  expect(asked[0]).toBe('1.199.0 to 1.199.0');
  expect(asked.slice(1)).toHaveLength(groups);
  expect(asked[1]).toBe('1.198.0 to 1.183.0');
});

it('goes back as far as a migration is where a ledger has all artifacts read in the end', async () => {
  const { index, load, asked } = published({ 10: core });
  const value = [{ name: core.name, batch: 1, migratedAt: null }];
  const ledger = { status: 'seen', source: 'database', seenAt, value } as const;
  const line = await loadReleaseLine(index, span, load, ledger);
  expect(line.before[0]?.version).toBe('1.7.0');
  expect(asked.at(-1)).toBe('1.6.0 to 1.0.0');
});

it('goes back to the first artifact for the names in a ledger', async () => {
  const { index, load, asked } = published({ 190: core }, [0, 1]);
  const ledger = { status: 'seen' as const, source: 'database' as const, seenAt, value: [] };
  const { earlier, before } = await loadReleaseLine(index, span, load, ledger);
  expect(asked.slice(1)).toEqual(['1.198.0 to 1.183.0', '1.182.0 to 1.2.0']);
  expect([earlier[0]?.version, earlier.at(-1)?.version, before[0]?.version]).toEqual([
    '1.2.0',
    '1.182.0',
    '1.183.0',
  ]);
});

it('asks for no artifact of a backfilled release: it has none', async () => {
  const { index, load, asked } = published({ 190: core }, [197, 198]);
  await loadReleaseLine(index, span, load);
  expect(asked.slice(1)).toEqual(['1.196.0 to 1.181.0']);
});

it.each<[string, ran: readonly string[], version: string, source: string]>([
  ['it agrees with several', [core.name, later.name], '1.190.0', ', the oldest of 1.190.0 to 1.199.0'],
  ['it agrees with one', [core.name], '1.150.0', ', the oldest of 1.150.0 to 1.189.0'],
  ['an older migration is missing', [later.name], '1.190.0', ''],
])('names the releases that a ledger may be of: %s', async (_, ran, version, source) => {
  const { index, load } = published({ 150: core, 190: later });
  const value = ran.map((name) => ({ name, batch: 1, migratedAt: null }));
  const ledger = { status: 'seen', source: 'database', seenAt, value } as const;
  expect(await placeInDatabase(index, { ledger }, 'community', load)).toEqual({
    version,
    source: `the ledger of the database${source}`,
  });
});

it.each<[string, tag: string, origin: 'cluster' | 'rendered', to: 'latest' | string, version: string]>([
  ['of the range runs', '1.195.0', 'cluster', 'latest', '1.195.0'],
  ['outside the range is for the check of images', '1.150.0', 'cluster', 'latest', '1.190.0'],
  ['that names no release shows nothing', 'latest', 'cluster', 'latest', '1.190.0'],
  ['in a file that names the target may not run yet', '1.199.0', 'rendered', '1.199.0', '1.190.0'],
  ['in a cluster that names the target does', '1.199.0', 'cluster', '1.199.0', '1.199.0'],
])('an image %s', async (_, tag, origin, to, version) => {
  const { index, load } = published({ 150: core, 190: later });
  const value = [core.name, later.name].map((name) => ({ name, batch: 1, migratedAt: null }));
  const ledger = { status: 'seen', source: 'database', seenAt, value } as const;
  const { deployment, workloads } = factsOf(deployedAt(tag));
  const facts = { ledger, workloads, deployment: withOrigin(deployment, origin) };
  const target = to === 'latest' ? to : parseVersion(to);
  expect(await placeInDatabase(index, facts, 'community', load, target)).toMatchObject({ version });
});

/** What the cluster says is there runs; a file may be of what is to come. */
function withOrigin(
  deployment: ObservedFacts['deployment'],
  origin: 'cluster' | 'rendered',
): ObservedFacts['deployment'] {
  return deployment?.status === 'seen'
    ? { ...deployment, value: { ...deployment.value, origin } }
    : deployment;
}
