import { replicaIdentity } from '../../../src/checks/database/replica-identity.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import { tableFact } from '../../support/facts.js';
import {
  itFinds,
  type MigrationCase,
  ranRelease,
  type Situation,
  upgradeTo,
} from '../../support/preflight.js';

type Unidentified = FactOf<'dependents'>['unidentified'][number];

const views: Unidentified = {
  publication: 'dbz_publication',
  table: 'analytics_chart_views',
  updates: true,
  deletes: true,
};
const changing = (does: MigrationCase['does'], ...tables: string[]): MigrationCase[] => [
  { name: '20260901000000_x', tables, ...(does === undefined ? {} : { does }) },
];
const backfill: MigrationCase = {
  name: '20260428153355_add_primary_keys_to_analytics_and_scheduler_log',
  tables: ['analytics_chart_views'],
  does: ['locks'],
};
/** The one release brings what is pending; what is on record is of the time between the two. */
const ofBackfills = (migrations: readonly MigrationCase[]) => [
  { ...ranRelease, version: '0.1000.0' },
  { version: '0.3000.0', migrations },
];
const published = (
  unidentified: readonly Unidentified[],
  migrations: readonly MigrationCase[],
  facts: Situation['facts'] = {},
): Situation => ({
  ...upgradeTo(migrations, {
    dependents: { objects: [], triggers: [], unidentified: [...unidentified] },
    ...facts,
  }),
  releases: ofBackfills(migrations),
});
const update = changing(['rewrites', 'scans'], 'analytics_chart_views');

itFinds(replicaIdentity, (situation: Situation) => situation, {
  'ok rows-identified': {
    'no table is published without an identity': published([], update),
    'a table without an identity is published, and no migration changes rows of it': published(
      [views],
      changing(['locks', 'scans'], 'analytics_chart_views'),
    ),
    'a table without an identity is published, and a migration changes rows of another': published(
      [views],
      changing(['rewrites', 'scans'], 'projects'),
    ),
    'rows of a backfill on record are added, and no change of them': published(
      [{ ...views, table: 'scoped_roles' }],
      [
        {
          name: '20260417111420_grant_custom_fields_to_custom_sql_roles',
          tables: ['scoped_roles'],
          does: [],
        },
      ],
    ),
    'deleted rows alone are published, and a backfill on record updates them': published(
      [{ ...views, updates: false }],
      [backfill],
    ),
  },
  'stop row-not-identified analytics_chart_views': {
    'a migration changes rows of it': published([views], update),
    'a backfill on record changes rows of it': published([views], [backfill]),
    'two publications publish what a backfill changes': published(
      [views, { ...views, publication: 'fivetran' }],
      [backfill],
    ),
    'a migration may change rows of it, and a later one does': published(
      [views],
      [...changing('unknown', 'analytics_chart_views'), backfill],
    ),
  },
  'stop row-not-identified views_2026': {
    'a partition of a table that a migration changes is published': published(
      [{ ...views, table: 'views_2026' }],
      update,
      {
        tables: [
          tableFact({ name: 'analytics_chart_views', kind: 'partitioned' }),
          tableFact({ name: 'views_2026', partitionOf: 'analytics_chart_views' }),
        ],
      },
    ),
  },
  'stop row-not-identified knex_migrations_lock': {
    'the lock of all migrations is published without an identity': published(
      [{ ...views, table: 'knex_migrations_lock' }],
      [],
    ),
  },
  'warn row-maybe-not-identified analytics_chart_views': {
    'one of several tables is changed': published(
      [views],
      changing(['rewrites', 'scans'], 'analytics_chart_views', 'projects'),
    ),
    'rows are changed, or a column gets another type': published(
      [views],
      changing(['locks', 'rewrites', 'scans'], 'analytics_chart_views'),
    ),
    'its artifact does not say whether rows are changed': published(
      [views],
      changing('unknown', 'analytics_chart_views'),
    ),
  },
  'warn rows-maybe-not-identified 20260901000000_x': {
    'a migration does not say which tables it changes': published([views], changing('unknown')),
  },
});
