import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { parseVersion } from '../../src/core/version.js';
import { collectFacts } from '../../src/gather/database/collect-facts.js';
import { seenValue } from '../../src/instance/facts/needs.js';
import { timeOfBackfill } from '../../src/instance/forecast/backfill-time.js';
import { type ForecastFacts, forecast, sizeOf } from '../../src/instance/forecast/forecast.js';
import { ratesOf, type TimeRange, timeOf } from '../../src/instance/forecast/work-time.js';
import { describeTime } from '../../src/words/route/downtime.js';
import { startPostgres } from '../../test/support/postgres.js';
import {
  type BackfillShape,
  backfillShapes,
  createTable,
  rowCount,
  type Shape,
  type Statement,
  shapes,
  tables,
} from './shapes.js';

/** As a server runs that keeps what it is told. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', wal_level: 'replica' };

interface Run {
  readonly shape: Pick<Shape, 'name'>;
  readonly table: string;
  readonly seconds: number;
  /** By the artifact, which is all that a preflight has where nothing is on record. */
  readonly told?: TimeRange;
  /** By what the migration is, which nobody tells: how well the model itself holds. */
  readonly known?: TimeRange;
  /** By its steps on record. */
  readonly recorded?: TimeRange;
  /** Whether it is on record how many rows it changes. */
  readonly rowsTold?: boolean;
}

const cluster = await startPostgres(durable);
cluster.database('instance', 'CREATE TABLE knex_migrations (id int, name text)');
const client = new pg.Client({ connectionString: cluster.url('lightdash', 'instance') });
await client.connect();

async function execute(statements: readonly Statement[]) {
  for (const statement of statements) {
    if (typeof statement === 'string') await client.query(statement);
    else while ((await client.query(statement.untilNone)).rowCount !== 0);
  }
}

const collect = (measure: boolean) =>
  collectFacts({ database: cluster.url('lightdash', 'instance'), env: {}, measure });

/** How fast the server is, measured once a table. */
async function measure(): Promise<Measured> {
  const { facts } = await collect(true);
  return { readRate: seenValue(facts.readRate) ?? null, sortRate: seenValue(facts.sortRate) ?? null };
}

type Measured = Pick<ForecastFacts, 'readRate' | 'sortRate'>;

async function look(measured: Measured): Promise<ForecastFacts> {
  const { facts } = await collect(false);
  return {
    tables: seenValue(facts.tables) ?? null,
    indexes: seenValue(facts.indexes) ?? null,
    ...measured,
  };
}

async function timed({ run, undo }: Pick<Shape, 'run' | 'undo'>, table: string): Promise<number> {
  const began = performance.now();
  await execute(run(table));
  const seconds = (performance.now() - began) / 1000;
  await execute(undo(table));
  return seconds;
}

async function runShape(shape: Shape, table: string, measured: Measured): Promise<Run> {
  await execute([`ANALYZE ${table}`]);
  const seen = await look(measured);
  const [told] = forecast([migrationOf(shape, table)], seen);
  if (told === undefined) throw new Error('nothing is forecast');
  const known = timeOf(shape.work, sizeOf(table, seen, false), ratesOf(seen.readRate, seen.sortRate));
  return { shape, table, told, known, seconds: await timed(shape, table) };
}

/** What earlier runs have left behind does not count, as where autovacuum keeps up. */
async function vacuum(table: string): Promise<string[]> {
  const { rows } = await client.query(`SELECT pg_relation_size('${table}')::int AS bytes`);
  const fresh = freshBytes.get(table) ?? rows[0].bytes;
  freshBytes.set(table, fresh);
  return [`VACUUM ${rows[0].bytes > fresh * 1.4 ? '(FULL, ANALYZE)' : '(ANALYZE)'} ${table}`];
}

const freshBytes = new Map<string, number>();

async function runBackfill(
  shape: (typeof backfillShapes)[number],
  table: string,
  measured: Measured,
): Promise<Run> {
  await execute([...(shape.prepare?.(table) ?? []), ...(await vacuum(table))]);
  const seen = await look(measured);
  const steps = shape.steps(table);
  const sizes = new Map(Object.keys(tables).map((name) => [name, sizeOf(name, seen, false)]));
  const rates = ratesOf(seen.readRate, seen.sortRate);
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) SELECT FROM ${table} WHERE part IS NULL`);
  const expected = rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
  const backfill = { ...recordOf(shape), steps };
  const backfillRows = [{ migration: backfill.name, table, rows: expected, modifiedRows: 0 }];
  const recorded = timeOfBackfill(backfill, sizes, backfillRows, rates, new Map());
  const seconds = await timed(shape, table);
  if (process.env.BENCH_LOG !== undefined) {
    const about = { server: cluster.major, shape: shape.name, table, seconds, recorded, rates, expected };
    appendFileSync(process.env.BENCH_LOG, `${JSON.stringify({ ...about, size: sizes.get(table), steps })}\n`);
  }
  const rowsTold = steps.every((step) => !('rows' in step) || step.rows !== 'some');
  return { shape, table, recorded, seconds, rowsTold };
}

it('the forecast against migrations that are run', async () => {
  await execute([
    'CREATE TABLE parents AS SELECT id::int FROM generate_series(1, 500) AS id',
    'ALTER TABLE parents ADD PRIMARY KEY (id)',
  ]);
  for (const table of Object.keys(tables)) {
    await execute(createTable(table));
    await vacuum(table);
  }
  const runs: Run[] = [];
  const done = (run: Run) => {
    runs.push(run);
    const time = run.recorded ?? run.told;
    process.stderr.write(
      `${run.table}, ${run.shape.name}: ${run.seconds.toFixed(2)} s; ${describeTime(time)}\n`,
    );
  };
  for (const table of Object.keys(tables)) {
    const measured = await measure();
    for (const shape of shapes) done(await runShape(shape, table, measured));
    await execute(await vacuum(table));
    const again = await measure();
    for (const shape of backfillShapes) done(await runBackfill(shape, table, again));
  }
  await client.end();
  const text = report(runs);
  writeFileSync(join(import.meta.dirname, `RESULTS-${cluster.major}.md`), text);
  process.stdout.write(text);
  expect(runs).toHaveLength((shapes.length + backfillShapes.length) * Object.keys(tables).length);
  const missed = runs.filter(
    ({ seconds, told, recorded }) => seconds > ((recorded ?? told)?.highSeconds ?? Infinity),
  );
  expect(missed.map(({ shape, table }) => `${shape.name} of ${table}`)).toEqual([]);
});

function migrationOf({ heaviness }: Shape, table: string) {
  return {
    name: 'measured',
    edition: 'core' as const,
    tables: [table],
    heaviness,
    version: parseVersion('1.0.0'),
  };
}

function recordOf({ like }: BackfillShape) {
  return {
    name: like,
    introduced: parseVersion('1.0.0'),
    transaction: true,
    resumable: false,
    changes: 'what is measured',
    locks: {},
  };
}

function report(runs: readonly Run[]): string {
  const byArtifact = runs.filter(({ recorded }) => recorded === undefined);
  const onRecord = runs.filter(({ recorded }) => recorded !== undefined);
  const rows = byArtifact.map(
    ({ shape, table, seconds, told, known }) =>
      `| ${shape.name} | ${table} | ${seconds.toFixed(2)} | ${limits(told)} | ${limits(known)} |`,
  );
  const rowsOnRecord = onRecord.map(
    ({ shape, table, seconds, recorded }) =>
      `| ${shape.name} | ${table} | ${seconds.toFixed(2)} | ${limits(recorded)} | ${widthOf(recorded)} |`,
  );
  const columns = [
    scoreOf(byArtifact, ({ told }) => told),
    scoreOf(byArtifact, ({ known }) => known),
    scoreOf(onRecord, ({ recorded }) => recorded),
    scoreOf(
      onRecord.filter(({ rowsTold }) => rowsTold),
      ({ recorded }) => recorded,
    ),
  ];
  const row = (label: string, key: keyof ReturnType<typeof scoreOf>) =>
    `| ${label} | ${columns.map((column) => column[key]).join(' | ')} |`;
  return `# Forecasts against migrations that were run on PostgreSQL ${cluster.major}

Up to ${rowCount} rows a table, single runs, durable settings, ${new Date().toISOString().slice(0, 10)}. \`npm run bench -- forecast\` writes it.

| | by the artifact | by what the migration is | on record | on record with its rows |
| --- | --- | --- | --- | --- |
${row('upper limits that held', 'upper')}
${row('whole ranges that held', 'whole')}
${row('without an upper limit', 'unbounded')}
${row('median width of those with one, high by low, under 1 s taken for 1 s', 'width')}

| backfill | table | seconds | on record | width |
| --- | --- | --- | --- | --- |
${rowsOnRecord.join('\n')}

| shape | table | seconds | by the artifact | by what it is |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function limits(time: TimeRange | undefined): string {
  if (time === undefined) return '';
  const { lowSeconds, highSeconds } = time;
  return `${lowSeconds.toFixed(2)} to ${highSeconds === null ? 'no limit' : highSeconds.toFixed(2)}`;
}

/** As it is told: what is under a second counts as one. */
function widthOf(time: TimeRange | undefined): string {
  const width =
    time?.highSeconds == null ? Number.NaN : Math.max(time.highSeconds, 1) / Math.max(time.lowSeconds, 1);
  return width.toFixed(1);
}

function scoreOf(runs: readonly Run[], timeOfRun: (run: Run) => TimeRange | undefined) {
  const all = runs.flatMap((run) => {
    const time = timeOfRun(run);
    return time === undefined ? [] : [{ seconds: run.seconds, ...time }];
  });
  const bounded = all.flatMap(({ highSeconds, ...one }) =>
    highSeconds === null ? [] : [{ ...one, highSeconds }],
  );
  const isWhole = (one: (typeof all)[number]) =>
    one.seconds >= one.lowSeconds && one.seconds <= (one.highSeconds ?? Infinity);
  return {
    upper: `${bounded.filter(({ seconds, highSeconds }) => seconds <= highSeconds).length} of ${bounded.length}`,
    whole: `${all.filter(isWhole).length} of ${all.length}`,
    width: median(bounded.map((one) => Number(widthOf(one)))),
    unbounded: `${all.length - bounded.length} of ${all.length}`,
  };
}

function median(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1);
}
