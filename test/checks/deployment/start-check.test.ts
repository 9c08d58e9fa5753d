import { describe } from 'vitest';
import { startCheck } from '../../../src/checks/deployment/start-check.js';
import { migratorFact, serverFact, tableFact } from '../../support/facts.js';
import {
  healthyFacts,
  itFinds,
  ledgerOf,
  type ReleaseCase,
  type Situation,
} from '../../support/preflight.js';

const old = '20260801000000_old';

/** From a release that has run, over one in between, to the target. */
function over(to: string, artifact: object = {}, more: Partial<Situation> = {}): Situation {
  const releases: ReleaseCase[] = [
    { version: '1.100.0', migrations: [{ name: old }] },
    { version: '1.101.0', migrations: [{ name: '20260802000000_between', tables: ['projects'] }] },
    {
      version: to,
      migrations: [{ name: '20260803000000_own', tables: ['saved_queries'] }],
      artifact: { ...artifact },
    },
  ];
  return { releases, facts: healthyFacts(old), ...more };
}

const before = (situation: Situation, release: ReleaseCase): Situation => ({
  ...situation,
  from: '1.100.0',
  releases: [release, ...(situation.releases ?? [])],
});

const withoutOwn = ({ releases = [], ...situation }: Situation): Situation => ({
  ...situation,
  releases: releases.map((one, i) => (i === releases.length - 1 ? { ...one, migrations: [] } : one)),
});

const withStop = { upgrade: { minPreviousVersion: null, requiredStops: ['1.50.0'] } };
const withTwoStops = over('1.140.0', {
  upgrade: { minPreviousVersion: null, requiredStops: ['1.50.0', '1.60.0'] },
});
const also: ReleaseCase = { version: '1.102.0', migrations: [{ name: '20260802500000_also' }] };
const withMinimum = { upgrade: { minPreviousVersion: '1.90.0', requiredStops: [] } };
const ownStop = { upgrade: { minPreviousVersion: null, requiredStops: ['1.140.0'] } };
const seeing = (to: string, facts: Situation['facts']) =>
  over(to, {}, { facts: { ...healthyFacts(old), ...facts } });
const unowned = (name: string) => ({ tables: [tableFact({ name, owned: false, owner: 'postgres' })] });
const stranger = { ledger: ledgerOf(old, '20261224000000_elsewhere') };
const server = (versionNum: number) => ({ server: { ...serverFact, versionNum } });
const noCreate = { migrator: { ...migratorFact, schemaCreate: false } };
const unread: ReleaseCase = { version: '1.99.0', artifact: 'missing' };
const ee = '20260701000000_ee';
const enterprise: ReleaseCase = { version: '1.99.0', migrations: [{ name: ee, edition: 'ee' }] };
const unlicensed = (to: string) =>
  before(over(to, {}, { edition: 'community', facts: healthyFacts(ee, old) }), enterprise);

describe('the start check of the target', () => {
  itFinds(startCheck, (situation: Situation) => situation, {
    'ok start-proceeds': {
      'lets pass what is in order': over('1.140.0'),
      'is not there in a release with a lease alone': seeing('1.124.0', stranger),
      'does not where all that is pending is of the target itself': over('1.140.0', withStop, {
        facts: healthyFacts(old, '20260802000000_between'),
      }),
      'does not where the target is the stop': over('1.140.0', ownStop),
      'no longer does': over('1.134.1', withMinimum),
      'does not see one of a release in between': seeing('1.140.0', unowned('projects')),
      'does not ask for them in a release with a lease alone': before(over('1.124.0'), unread),
      'takes the oldest server that it knows': seeing('1.140.0', server(120_000)),
    },
    'stop start-diverged version-path': {
      'aborts on a divergence': seeing('1.140.0', stranger),
      'does not know the enterprise migrations of an instance without a licence': unlicensed('1.140.0'),
    },
    'stop start-corrupt-directory knex': {
      'is that of Knex before': seeing('1.122.0', stranger),
      'of Knex does not know those of an instance without a licence': unlicensed('1.122.0'),
    },
    'stop start-outside-artifact version-path': {
      'aborts on a stop that was passed long ago': over('1.140.0', withStop),
      'aborts on two, with what two releases bring': {
        ...withTwoStops,
        releases: withTwoStops.releases?.toSpliced(2, 0, also) ?? [],
      },
      'aborts on it, where the target itself brings nothing': withoutOwn(over('1.140.0', withStop)),
      'aborted on a minimum once': over('1.134.0', withMinimum),
    },
    'stop start-privileges migration-privileges': {
      'aborts on a table of its own that is not owned': seeing('1.140.0', unowned('saved_queries')),
      'aborts without the right to create': seeing('1.140.0', noCreate),
      'aborts without either': seeing('1.140.0', { ...noCreate, ...unowned('saved_queries') }),
    },
    'stop start-postgres postgres-version': { 'aborts on an old server': seeing('1.140.0', server(110_022)) },
    'not-checked facts-not-seen': {
      'is not known where one release before does not tell its migrations': before(over('1.140.0'), unread),
      'is not known where nothing tells whether enterprise migrations have run': {
        ...before(over('1.140.0'), enterprise),
      },
      'of Knex is not known where one release before does not tell them': before(over('1.122.0'), unread),
      'of Knex is not known where nothing tells whether enterprise migrations have run': {
        ...before(over('1.122.0'), enterprise),
      },
    },
  });
});
