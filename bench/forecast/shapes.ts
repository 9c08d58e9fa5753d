import type { Backfill } from '../../src/instance/backfills/records.js';
import type { TableWork } from '../../src/instance/forecast/work-time.js';
import type { ReleaseMigration } from '../../src/instance/release-line.js';

/** One statement; or one that is run again until it changes no row. */
export type Statement = string | { readonly untilNone: string };

/** A migration as it is often written, and what the publisher's scan of its `up` makes of it. */
export interface Shape {
  readonly name: string;
  /** What it is, which its artifact does not tell. */
  readonly work: TableWork;
  readonly heaviness: ReleaseMigration['heaviness'];
  /** Statements, each a transaction of its own. */
  readonly run: (table: string) => readonly Statement[];
  /** Makes good what was run. */
  readonly undo: (table: string) => readonly string[];
}

const builder = { locksTable: true, rewritesTable: false, scansTable: false } as const;
const scans = { ...builder, scansTable: true } as const;
const changes = { locksTable: false, rewritesTable: true, scansTable: true } as const;

const none = () => [];
const dropAdded = (table: string) => [`ALTER TABLE ${table} DROP COLUMN added`];
const dropIndex = () => ['DROP INDEX added_index'];
const dropConstraint = (table: string) => [`ALTER TABLE ${table} DROP CONSTRAINT added_constraint`];

/** In this order on each table: what leaves dead rows behind comes last. */
export const shapes: readonly Shape[] = [
  {
    name: 'add a column with a constant default',
    work: 'catalogue',
    heaviness: builder,
    run: (table) => [`ALTER TABLE ${table} ADD COLUMN added text DEFAULT 'x'`],
    undo: dropAdded,
  },
  {
    name: 'foreign key, not valid',
    work: 'catalogue',
    heaviness: builder,
    run: (table) => [
      `ALTER TABLE ${table} ADD CONSTRAINT added_constraint FOREIGN KEY (parent) REFERENCES parents NOT VALID`,
    ],
    undo: dropConstraint,
  },
  {
    name: 'foreign key, validated',
    work: 'validate',
    heaviness: scans,
    run: (table) => [
      `ALTER TABLE ${table} ADD CONSTRAINT added_constraint FOREIGN KEY (parent) REFERENCES parents`,
    ],
    undo: dropConstraint,
  },
  {
    name: 'set not null',
    work: 'scan',
    heaviness: { ...builder, rewritesTable: 'unknown' },
    run: (table) => [`ALTER TABLE ${table} ALTER COLUMN number SET NOT NULL`],
    undo: (table) => [`ALTER TABLE ${table} ALTER COLUMN number DROP NOT NULL`],
  },
  {
    name: 'add a check',
    work: 'scan',
    heaviness: scans,
    run: (table) => [`ALTER TABLE ${table} ADD CONSTRAINT added_constraint CHECK (number >= 0)`],
    undo: dropConstraint,
  },
  {
    name: 'index, in SQL',
    work: 'index',
    heaviness: scans,
    run: (table) => [`CREATE INDEX added_index ON ${table} (number)`],
    undo: dropIndex,
  },
  {
    name: 'index, by the builder',
    work: 'index',
    heaviness: builder,
    run: (table) => [`CREATE INDEX added_index ON ${table} (uuid, word)`],
    undo: dropIndex,
  },
  {
    name: 'concurrent index',
    work: 'index',
    heaviness: { ...scans, locksTable: false },
    run: (table) => [`CREATE INDEX CONCURRENTLY added_index ON ${table} (number)`],
    undo: dropIndex,
  },
  {
    name: 'add a column with a default of each row',
    work: 'rewrite',
    heaviness: builder,
    run: (table) => [`ALTER TABLE ${table} ADD COLUMN added uuid DEFAULT gen_random_uuid()`],
    undo: dropAdded,
  },
  {
    name: 'int to bigint',
    work: 'rewrite',
    heaviness: { ...builder, rewritesTable: true },
    run: (table) => [`ALTER TABLE ${table} ALTER COLUMN number TYPE bigint`],
    undo: none,
  },
  {
    name: 'delete of a tenth',
    work: 'delete',
    heaviness: changes,
    run: (table) => [`DELETE FROM ${table} WHERE id % 10 = 3`],
    undo: none,
  },
  {
    name: 'batched backfill, batches found by the primary key',
    work: 'update',
    heaviness: changes,
    run: (table) =>
      batches(table, (from, to) => `UPDATE ${table} SET note = word WHERE id > ${from} AND id <= ${to}`),
    undo: none,
  },
  {
    name: 'batched backfill, batches found by a scan',
    work: 'update',
    heaviness: changes,
    run: (table) =>
      batches(
        table,
        () =>
          `UPDATE ${table} SET note = word || '.' WHERE ctid IN (SELECT ctid FROM ${table} WHERE note = word LIMIT ${rowsOfTable(table) / 20})`,
      ),
    undo: none,
  },
  {
    name: 'update of all rows',
    work: 'update',
    heaviness: changes,
    run: (table) => [`UPDATE ${table} SET number = number + 1`],
    undo: none,
  },
];

/** Of the largest table. */
export const rowCount = Number(process.env.ROWS ?? 200_000);

function batches(table: string, update: (from: number, to: number) => string): string[] {
  const size = rowsOfTable(table) / 20;
  return Array.from({ length: 20 }, (_, i) => update(i * size, (i + 1) * size));
}

export function rowsOfTable(table: string): number {
  return rowCount * (tables[table]?.share ?? 0);
}

interface Table {
  readonly padding: number;
  readonly indexes: number;
  readonly share: number;
}

/** Three sizes, with rows of some 100, of some 300 and of some 650 bytes, as tables of views, of logs and of versions have. */
export const tables: Readonly<Record<string, Table>> = {
  narrow: { padding: 1, indexes: 1, share: 0.05 },
  middle: { padding: 7, indexes: 2, share: 0.25 },
  wide: { padding: 18, indexes: 3, share: 1 },
};

export function createTable(name: string): readonly string[] {
  const { padding = 0, indexes = 0 } = tables[name] ?? {};
  return [
    `CREATE TABLE ${name} AS SELECT id, (id % 1000)::int AS number, (id % 500 + 1)::int AS parent,
      gen_random_uuid() AS uuid, 'word ' || id % 10000 AS word, NULL::text AS note,
      CASE WHEN id % 5 > 0 THEN 'set' END AS part, repeat(md5(id::text), ${padding}) AS padding
    FROM generate_series(1, ${rowsOfTable(name)}) AS id`,
    `ALTER TABLE ${name} ADD PRIMARY KEY (id)`,
    ...['uuid', 'word'].slice(0, indexes - 1).map((column) => `CREATE INDEX ON ${name} (${column})`),
    `VACUUM ANALYZE ${name}`,
  ];
}

/** A backfill as the record has one. */
export interface BackfillShape extends Pick<Shape, 'name' | 'run' | 'undo'> {
  /** Its name in the record, or that of one like it. */
  readonly like: string;
  readonly steps: (table: string) => Backfill['steps'];
}

const whole = (...sql: readonly string[]) => [`BEGIN; ${sql.join('; ')}; COMMIT`];
const part = { column: 'part', holds: 'IS NULL' } as const;
const inBatches = (size: number, foundBy: 'key' | 'scan' | 'sort') => ({ batch: { size, foundBy } }) as const;
const update = (table: string, rows: 'all' | 'some' | typeof part, more = {}) =>
  ({ work: 'update', table, rows, ...more }) as const;
const notNull = (table: string, column: string) => [
  `ALTER TABLE ${table} ADD CONSTRAINT added_constraint CHECK (${column} IS NOT NULL) NOT VALID`,
  `ALTER TABLE ${table} VALIDATE CONSTRAINT added_constraint`,
  `ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL`,
  `ALTER TABLE ${table} DROP CONSTRAINT added_constraint`,
];
const partAgain = (table: string) => [
  `ALTER TABLE ${table} ALTER COLUMN part DROP NOT NULL`,
  `UPDATE ${table} SET part = NULL WHERE id % 5 = 0`,
];
const byScan = (table: string, column: string, value: string) => ({
  untilNone: `UPDATE ${table} SET ${column} = ${value} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} IS NULL LIMIT 10000)`,
});
/** Every thousandth row has the slug of another. */
const slugs = (table: string): readonly string[] => [
  `ALTER TABLE ${table} ADD COLUMN added text`,
  `UPDATE ${table} SET added = CASE WHEN id % 1000 = 0 THEN 'slug' ELSE uuid::text END`,
  `VACUUM ANALYZE ${table}`,
];
const renamed = (table: string, size: number) => ({
  untilNone: `WITH ranked AS (
      SELECT id, row_number() OVER (PARTITION BY parent, added ORDER BY id) AS place FROM ${table}
    ), twice AS (SELECT id FROM ranked WHERE place > 1 ORDER BY id LIMIT ${size})
    UPDATE ${table} SET added = added || '-' || ${table}.id FROM twice WHERE ${table}.id = twice.id`,
});
const uniqueSlugs = (table: string) =>
  `CREATE UNIQUE INDEX CONCURRENTLY added_index ON ${table} (parent, added)`;

/** Every shape of the record. */
export const backfillShapes: readonly (BackfillShape & {
  readonly prepare?: (table: string) => readonly string[];
})[] = [
  {
    name: 'all rows at once, and NOT NULL',
    like: '20250501102249_add_status_column_to_results_cache',
    steps: (table) => [update(table, 'all'), { work: 'scan', table }],
    run: (table) =>
      whole(
        `ALTER TABLE ${table} ADD COLUMN added text`,
        `UPDATE ${table} SET added = word`,
        `ALTER TABLE ${table} ALTER COLUMN added SET NOT NULL`,
      ),
    undo: dropAdded,
  },
  {
    name: 'all rows, each looked up in a log',
    like: '20240604094543_add_views_columns_to_chart_and_dashboards_tables',
    steps: (table) => [update(table, 'all'), { work: 'index', table: 'wide' }],
    run: (table) =>
      whole(
        `UPDATE ${table} SET number = views.n FROM (SELECT parent, count(*)::int AS n FROM wide GROUP BY parent) AS views WHERE views.parent = ${table}.parent`,
      ),
    undo: none,
  },
  {
    name: 'rows that meet a condition',
    like: '20260129134608_add_inherit_parent_permissions_to_spaces',
    steps: (table) => [update(table, part)],
    run: (table) => whole(`UPDATE ${table} SET part = 'late' WHERE part IS NULL`),
    undo: partAgain,
  },
  {
    name: 'rows that meet a condition, and NOT NULL',
    like: '20250529000000_make_cache_key_non_nullable',
    steps: (table) => [update(table, part), { work: 'scan', table }],
    run: (table) =>
      whole(
        `UPDATE ${table} SET part = 'late' WHERE part IS NULL`,
        `ALTER TABLE ${table} ALTER COLUMN part SET NOT NULL`,
      ),
    undo: partAgain,
  },
  {
    name: 'rows of an unknown number',
    like: '20240515102618_remove_table_calculation_filter_prefix',
    steps: (table) => [update(table, 'some')],
    run: (table) => whole(`UPDATE ${table} SET note = 'found' WHERE word LIKE '%77'`),
    undo: none,
  },
  {
    name: 'a new row for each that meets a condition',
    like: '20260417111420_grant_custom_fields_to_custom_sql_roles',
    steps: (table) => [{ work: 'insert', table, rows: part }],
    run: (table) =>
      whole(
        `INSERT INTO ${table} (id, number, parent, uuid, word, part, padding) SELECT id + 10000000, number, parent, gen_random_uuid(), word, 'new', padding FROM ${table} WHERE part IS NULL`,
      ),
    undo: (table) => [`DELETE FROM ${table} WHERE id > 10000000`],
  },
  {
    name: 'batches found by a scan, all rows, and NOT NULL',
    like: '20260610120000_default_saved_chart_timezone_to_project',
    steps: (table) => [update(table, 'all', inBatches(10_000, 'scan')), { work: 'scan', table }],
    run: (table) => [
      `ALTER TABLE ${table} ADD COLUMN added text`,
      byScan(table, 'added', "'project'"),
      ...notNull(table, 'added'),
    ],
    undo: dropAdded,
  },
  {
    name: 'batches found by a scan, a fifth of the rows, and NOT NULL',
    like: '20260610120000_default_saved_chart_timezone_to_project',
    steps: (table) => [update(table, part, inBatches(10_000, 'scan')), { work: 'scan', table }],
    run: (table) => [byScan(table, 'part', "'late'"), ...notNull(table, 'part')],
    undo: partAgain,
  },
  {
    name: 'batches found by a key',
    like: '20260721112833_add_project_uuid_to_saved_queries',
    steps: (table) => [update(table, 'all', inBatches(1000, 'key'))],
    run: (table) => [
      `ALTER TABLE ${table} ADD COLUMN added uuid`,
      ...Array.from(
        { length: rowsOfTable(table) / 1000 },
        (_, i) =>
          `UPDATE ${table} SET added = uuid WHERE id > ${i * 1000} AND id <= ${(i + 1) * 1000} AND added IS NULL`,
      ),
    ],
    undo: dropAdded,
  },
  {
    name: 'slugs used twice, ranked for each batch, and a unique index',
    like: '20260721170000_enforce_saved_query_project_slug_uniqueness',
    steps: (table) => [update(table, 'some', inBatches(10_000, 'sort')), { work: 'index', table }],
    prepare: slugs,
    run: (table) => [renamed(table, 10_000), uniqueSlugs(table)],
    undo: (table) => [...dropIndex(), ...dropAdded(table)],
  },
  {
    name: 'a new slug for all rows, then those used twice',
    like: '20260727140000_enforce_app_project_slug_contract',
    steps: (table) => [
      update(table, 'all', inBatches(10_000, 'scan')),
      update(table, 'some', inBatches(1000, 'sort')),
      { work: 'index', table },
      { work: 'scan', table },
    ],
    run: (table) => [
      `ALTER TABLE ${table} ADD COLUMN added text`,
      byScan(table, 'added', "CASE WHEN id % 1000 = 0 THEN 'slug' ELSE uuid::text END"),
      renamed(table, 1000),
      uniqueSlugs(table),
      ...notNull(table, 'added'),
    ],
    undo: (table) => [...dropIndex(), ...dropAdded(table)],
  },
  {
    name: 'a primary key in batches',
    like: '20260428153355_add_primary_keys_to_analytics_and_scheduler_log',
    steps: (table) => [
      update(table, 'all', inBatches(10_000, 'scan')),
      { work: 'scan', table },
      { work: 'index', table },
    ],
    run: (table) => [
      `ALTER TABLE ${table} ADD COLUMN added uuid`,
      `ALTER TABLE ${table} ALTER COLUMN added SET DEFAULT gen_random_uuid()`,
      byScan(table, 'added', 'gen_random_uuid()'),
      ...notNull(table, 'added'),
      `CREATE UNIQUE INDEX CONCURRENTLY added_index ON ${table} (added)`,
    ],
    undo: (table) => [...dropIndex(), ...dropAdded(table)],
  },
  {
    name: 'rows that are given twice deleted, and a unique index',
    like: '20260720223000_unique_onboarding_organization',
    steps: (table) => [
      update(table, 'some'),
      { work: 'delete', table, rows: 'some' },
      { work: 'index', table },
    ],
    prepare: (table) => [
      `INSERT INTO ${table} (id, number, parent, uuid, word, part, padding) SELECT id + 10000000, number, parent, uuid, word, 'new', padding FROM ${table} WHERE id % 100 = 0`,
      `ANALYZE ${table}`,
    ],
    run: (table) => [
      `UPDATE ${table} SET note = 'kept' WHERE id IN (SELECT min(id) FROM ${table} GROUP BY uuid HAVING count(*) > 1)`,
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY uuid ORDER BY id) AS place FROM ${table}) AS ranked WHERE place > 1)`,
      `CREATE UNIQUE INDEX CONCURRENTLY added_index ON ${table} (uuid)`,
    ],
    undo: dropIndex,
  },
  {
    name: 'orphans deleted and emptied, an index, two foreign keys',
    like: '20260624120002_add_download_audit_foreign_keys',
    steps: (table) => [
      { work: 'delete', table, rows: 'some' },
      update(table, 'some'),
      { work: 'index', table },
      { work: 'validate', table },
      { work: 'validate', table },
    ],
    prepare: (table) => [
      `UPDATE ${table} SET parent = 1000 WHERE id % 200 = 7`,
      `UPDATE ${table} SET parent = 2000 WHERE id % 200 = 9`,
      `ANALYZE ${table}`,
    ],
    run: (table) =>
      whole(
        `DELETE FROM ${table} WHERE parent < 1500 AND NOT EXISTS (SELECT FROM parents WHERE parents.id = parent)`,
        `UPDATE ${table} SET parent = NULL WHERE parent IS NOT NULL AND NOT EXISTS (SELECT FROM parents WHERE parents.id = parent)`,
        `CREATE INDEX added_index ON ${table} (parent)`,
        `ALTER TABLE ${table} ADD CONSTRAINT added_constraint FOREIGN KEY (parent) REFERENCES parents`,
        `ALTER TABLE ${table} ADD CONSTRAINT added_again FOREIGN KEY (parent) REFERENCES parents`,
      ),
    undo: (table) => [
      ...dropConstraint(table),
      `ALTER TABLE ${table} DROP CONSTRAINT added_again`,
      ...dropIndex(),
      `UPDATE ${table} SET parent = 1 WHERE parent IS NULL`,
    ],
  },
  {
    name: 'one statement a row',
    like: '20210825125410_order_saved_fields',
    steps: (table) => [update(table, part, inBatches(1, 'key'))],
    prepare: (table) => [
      `UPDATE ${table} SET part = 'set' WHERE id % 100 > 0 AND part IS NULL`,
      `ANALYZE ${table}`,
    ],
    run: (table) =>
      whole(
        ...Array.from(
          { length: rowsOfTable(table) / 100 },
          (_, i) => `UPDATE ${table} SET part = 'late' WHERE id = ${(i + 1) * 100}`,
        ),
      ),
    undo: partAgain,
  },
];
