import { dependentObjects } from '../../../src/checks/database/dependent-objects.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import {
  itFinds,
  type MigrationCase,
  ranRelease,
  type Situation,
  upgradeTo,
} from '../../support/preflight.js';

type Dependents = FactOf<'dependents'>;

const view: Dependents['objects'][number] = {
  kind: 'view',
  name: 'bi.charts',
  owner: 'bi',
  table: 'saved_queries',
  columns: ['name'],
};
const trigger: Dependents['triggers'][number] = {
  name: 'audit',
  table: 'query_history',
  function: 'public.audit',
  onInsert: false,
  onUpdate: true,
  onDelete: false,
  forEachRow: true,
};
const locks = (...tables: string[]): MigrationCase[] => [
  { name: '20260901000000_x', tables, does: ['locks'] },
];
const backfill: MigrationCase = {
  name: '20250529000000_make_cache_key_non_nullable',
  tables: ['query_history'],
  does: ['locks', 'rewrites', 'scans'],
};
const cacheKey = { ...view, table: 'query_history', columns: ['cache_key', 'status'] };
/** The one release brings what is pending; what is on record is of the time between the two. */
const ofBackfills = (migrations: readonly MigrationCase[]) => [
  { ...ranRelease, version: '0.1000.0' },
  { version: '0.3000.0', migrations },
];
const attached = (told: Partial<Dependents>, migrations: readonly MigrationCase[]): Situation => ({
  ...upgradeTo(migrations, { dependents: { objects: [], triggers: [], unidentified: [], ...told } }),
  releases: ofBackfills(migrations),
});

itFinds(dependentObjects, (situation: Situation) => situation, {
  'ok no-table-in-use': {
    'nothing uses the tables': attached({}, locks('saved_queries')),
    'a view uses a table that nothing changes': attached({ objects: [view] }, locks('projects')),
    'a view uses a table that is read or changed without a lock': attached({ objects: [view] }, [
      { name: '20260901000000_x', tables: ['saved_queries'], does: ['rewrites', 'scans'] },
    ]),
    'a view uses columns that a backfill on record does not alter': attached(
      { objects: [{ ...cacheKey, columns: ['status'] }] },
      [backfill],
    ),
    'a trigger runs for what a migration of unknown work may change': attached({ triggers: [trigger] }, [
      { name: '20260901000000_x', tables: ['query_history'], does: 'unknown' },
    ]),
    'a trigger runs for what no backfill does': attached(
      { triggers: [{ ...trigger, onInsert: true, onUpdate: false, onDelete: true }] },
      [backfill],
    ),
  },
  'warn table-in-use bi.charts': {
    'a view uses a table that a migration may alter': attached({ objects: [view] }, locks('saved_queries')),
    'a view uses the rows of a table that a migration may alter': attached(
      { objects: [{ ...view, columns: [] }] },
      locks('saved_queries'),
    ),
    'a rule uses a table that a migration may alter': attached(
      { objects: [{ ...view, kind: 'rule' }] },
      locks('saved_queries'),
    ),
    'a materialized view uses a table of a migration of unknown work': attached(
      { objects: [{ ...view, kind: 'materialized view' }] },
      [{ name: '20260901000000_x', tables: ['saved_queries'], does: 'unknown' }],
    ),
  },
  'warn any-table-in-use 20260901000000_x': {
    'a view uses a table, and a migration names none': attached({ objects: [view, cacheKey] }, [
      { name: '20260901000000_x', does: 'unknown' },
    ]),
  },
  'stop column-in-use bi.charts': {
    'a view uses a column that a backfill on record alters': attached({ objects: [cacheKey] }, [backfill]),
    'a policy uses a column that a backfill on record alters': attached(
      { objects: [{ ...cacheKey, kind: 'policy' }] },
      [backfill],
    ),
  },
  'warn trigger-runs audit': {
    'a trigger runs for the rows of a backfill': attached({ triggers: [trigger] }, [backfill]),
    'a trigger runs for a statement of a backfill': attached(
      { triggers: [{ ...trigger, forEachRow: false }] },
      [backfill],
    ),
  },
});
