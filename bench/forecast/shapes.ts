import type { Work } from '../../src/instance/forecast/work-time.js';
import type { ReleaseMigration } from '../../src/instance/release-line.js';

/** A migration as it is often written, and what the publisher's scan of its `up` makes of it. */
export interface Shape {
  readonly name: string;
  /** What it is, which its artifact does not tell. */
  readonly work: Work;
  readonly heaviness: ReleaseMigration['heaviness'];
  /** Statements, each a transaction of its own. */
  readonly run: (table: string) => readonly string[];
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
      batches((from, to) => `UPDATE ${table} SET note = word WHERE id > ${from} AND id <= ${to}`),
    undo: none,
  },
  {
    name: 'batched backfill, batches found by a scan',
    work: 'update',
    heaviness: changes,
    run: (table) =>
      batches(
        () =>
          `UPDATE ${table} SET note = word || '.' WHERE ctid IN (SELECT ctid FROM ${table} WHERE note = word LIMIT ${rowCount / 20})`,
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

export const rowCount = Number(process.env.ROWS ?? 1_000_000);

function batches(update: (from: number, to: number) => string): string[] {
  const size = rowCount / 20;
  return Array.from({ length: 20 }, (_, i) => update(i * size, (i + 1) * size));
}

/** Rows of some 100, of some 300 and of some 650 bytes, as tables of views, of logs and of versions have. */
export const tables: Readonly<Record<string, { readonly padding: number; readonly indexes: number }>> = {
  narrow: { padding: 1, indexes: 1 },
  middle: { padding: 7, indexes: 2 },
  wide: { padding: 18, indexes: 3 },
};

export function createTable(name: string): readonly string[] {
  const { padding = 0, indexes = 0 } = tables[name] ?? {};
  return [
    `CREATE TABLE ${name} AS SELECT id, (id % 1000)::int AS number, (id % 500 + 1)::int AS parent,
      gen_random_uuid() AS uuid, 'word ' || id % 10000 AS word, NULL::text AS note, repeat(md5(id::text), ${padding}) AS padding
    FROM generate_series(1, ${rowCount}) AS id`,
    `ALTER TABLE ${name} ADD PRIMARY KEY (id)`,
    ...['uuid', 'word'].slice(0, indexes - 1).map((column) => `CREATE INDEX ON ${name} (${column})`),
    `VACUUM ANALYZE ${name}`,
  ];
}
