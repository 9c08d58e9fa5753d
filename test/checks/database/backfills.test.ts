import { describe, expect, it } from 'vitest';
import { backfillsCheck } from '../../../src/checks/database/backfills.js';
import { runChecks } from '../../../src/checks/run-checks.js';
import { backfills } from '../../../src/instance/backfills/built-in.js';
import type { FactOf } from '../../../src/instance/facts/needs.js';
import { indexFact, tableFact } from '../../support/facts.js';
import {
  healthyFacts,
  inputOf,
  itFinds,
  ledgerOf,
  pastedFor,
  type ReleaseCase,
  type Situation,
} from '../../support/preflight.js';

const timezone = '20260610120000_default_saved_chart_timezone_to_project';
const orphans = '20260624120002_add_download_audit_foreign_keys';

const slugs = '20260713120324_add_slug_to_scheduler';

const untold = (version: string): ReleaseCase => ({ version, artifact: 'missing' });

const versions = (told: Partial<FactOf<'tables'>[number]>) =>
  tableFact({ name: 'saved_queries_versions', ...told });
const large = { estimatedRows: 4_000_000, heapBytes: 3e9, indexBytes: 4e8 };

const upgrade = (facts: Situation['facts'] = {}, from = '0.3137.0', to = '0.3138.0'): Situation => ({
  releases: [untold(from), untold(to)],
  facts: { ...healthyFacts('20260101000000_any'), ...facts },
});

const expected = (rows: number, modifiedRows = 0) => ({
  backfillRows: [{ migration: timezone, table: 'saved_queries_versions', rows, modifiedRows }],
});

describe('backfills on record', () => {
  itFinds(backfillsCheck, (situation: Situation) => situation, {
    'ok no-backfill-pending': {
      'are none where the way has none': upgrade({}, '0.3136.0', '0.3137.0'),
      'are none once it has run': upgrade({ ledger: ledgerOf(timezone) }),
      'are none of releases after the record ends': upgrade({}, '2.0.0', '2.1.0'),
    },
    [`ok backfill-pending ${timezone}`]: {
      'is named where its table is small': upgrade(),
      'is named where its table is not there': upgrade({ tables: [] }),
      'is named where few of many rows are to be changed': upgrade({
        tables: [versions({ estimatedRows: 300_000, heapBytes: 2e8 })],
        ...expected(10),
      }),
    },
    [`warn backfill-may-not-end ${slugs}`]: {
      'may not end, however small its table is': upgrade({}, '0.3367.0', '0.3368.0'),
    },
    [`ok backfill-pending ${slugs}`]: {
      'ends where the target has its mend': {
        ...upgrade(),
        releases: ['0.3367.0', '0.3368.0', '1.120.1'].map(untold),
      },
    },
    [`warn backfill-takes-long ${timezone}`]: {
      'takes long where its table is large': upgrade({ tables: [versions(large)] }),
      'takes long where many rows have changed since they were counted': upgrade({
        tables: [versions(large)],
        ...expected(10, 4_000_000),
      }),
      'has no limit where the size of a table was not seen': upgrade({
        tables: [versions({ ...large, sizedBy: 'statistics' })],
      }),
      'has no limit where nothing was measured': upgrade({ readRate: 'absent', tables: [versions(large)] }),
    },
    [`ok backfill-pending ${orphans}`]: {
      'is named with the locks of its transaction': upgrade({}, '0.3233.0', '0.3234.0'),
    },
    'not-checked facts-not-seen': {
      'are not known without a ledger': upgrade({ ledger: 'not-permitted' }),
      'are not known without the sizes of tables': upgrade({ tables: 'not-permitted' }),
    },
  });

  it('are all named, from the floor on', () => {
    const way = [...new Set(['0.2269.4', ...backfills.slice(14).map(({ introduced }) => introduced)])];
    const { findings } = runChecks([backfillsCheck], inputOf({ ...upgrade(), releases: way.map(untold) }));
    expect(findings).toHaveLength(22);
    const warned = findings.filter(({ status }) => status !== 'ok');
    expect(warned.map(({ evidence }) => evidence.kind)).toEqual(['backfill-may-not-end']);
  });
});

describe('the index that helps', () => {
  const few = { tables: [versions(large)], ...expected(40_000) };

  it('is made beforehand, and not in a transaction', () => {
    expect(pastedFor(backfillsCheck, upgrade(few))).toEqual([
      'SET search_path = pg_catalog, pg_temp;',
      expect.stringMatching(/^-- before the upgrade, and not in a transaction/),
      'CREATE INDEX CONCURRENTLY "lightspan_20260610120000" ON "public"."saved_queries_versions" (saved_queries_version_id) WHERE timezone IS NULL;',
      '-- after the upgrade: DROP INDEX CONCURRENTLY "public"."lightspan_20260610120000";',
    ]);
  });

  it.each<[string, Situation['facts']]>([
    ['where most rows are to be changed', { ...few, ...expected(3_900_000) }],
    ['where how many was not seen', { tables: few.tables }],
    [
      'where it is there',
      {
        ...few,
        indexes: [indexFact({ name: 'lightspan_20260610120000', table: 'saved_queries_versions' })],
      },
    ],
  ])('is not advised %s', (_, facts) => expect(pastedFor(backfillsCheck, upgrade(facts))).toEqual([]));
});
