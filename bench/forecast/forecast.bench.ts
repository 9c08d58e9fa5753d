import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { collectFacts } from '../../src/collect/database/collect-facts.js';
import { parseVersion } from '../../src/core/version.js';
import { seenValue } from '../../src/instance/facts/needs.js';
import { forecast, type MigrationForecast } from '../../src/instance/forecast/forecast.js';
import { ratesOf, type TimeRange, timeOf } from '../../src/instance/forecast/work-time.js';
import { describeTime } from '../../src/instance/words/downtime.js';
import { startPostgres } from '../../test/support/postgres.js';
import { createTable, rowCount, type Shape, shapes, tables } from './shapes.js';

/** As a server runs that keeps what it is told. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', wal_level: 'replica' };

interface Run {
  readonly shape: Shape;
  readonly table: string;
  readonly seconds: number;
  /** By the artifact, which is all that a preflight has. */
  readonly told: MigrationForecast;
  /** By what the migration is, which nobody tells: how well the model itself holds. */
  readonly known: TimeRange;
}

it('the forecast against migrations that are run', async () => {
  const cluster = await startPostgres(durable);
  cluster.database('instance', 'CREATE TABLE knex_migrations (id int, name text)');
  const client = new pg.Client({ connectionString: cluster.url('lightdash', 'instance') });
  await client.connect();
  const execute = async (statements: readonly string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  await execute([
    'CREATE TABLE parents AS SELECT id::int FROM generate_series(1, 500) AS id',
    'ALTER TABLE parents ADD PRIMARY KEY (id)',
  ]);
  const runs: Run[] = [];
  for (const table of Object.keys(tables)) {
    await execute(createTable(table));
    for (const shape of shapes) {
      await execute([`ANALYZE ${table}`]);
      const { facts } = await collectFacts({
        database: cluster.url('lightdash', 'instance'),
        env: {},
        measure: true,
      });
      const seen = {
        tables: seenValue(facts.tables) ?? null,
        indexes: seenValue(facts.indexes) ?? null,
        readRate: seenValue(facts.readRate) ?? null,
        sortRate: seenValue(facts.sortRate) ?? null,
      };
      const [told] = forecast([migrationOf(shape, table)], seen);
      const size = seen.tables?.find(({ name }) => name === table);
      if (told === undefined || size === undefined) throw new Error('nothing is forecast');
      const known = timeOf(
        shape.work,
        { ...size, rows: size.estimatedRows, indexes: tables[table]?.indexes ?? null },
        ratesOf(seen.readRate, seen.sortRate),
      );
      const began = performance.now();
      await execute(shape.run(table));
      const seconds = (performance.now() - began) / 1000;
      await execute(shape.undo(table));
      runs.push({ shape, table, seconds, told, known });
      process.stderr.write(`${table}, ${shape.name}: ${seconds.toFixed(2)} s; ${describeTime(told)}\n`);
    }
    await execute([`DROP TABLE ${table}`]);
  }
  await client.end();
  const text = report(runs);
  const file = join(import.meta.dirname, rowCount === 1_000_000 ? 'RESULTS.md' : `RESULTS-${rowCount}.md`);
  rmSync(file, { force: true });
  writeFileSync(file, text);
  process.stdout.write(text);
  expect(runs).toHaveLength(shapes.length * Object.keys(tables).length);
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

function report(runs: readonly Run[]): string {
  const rows = runs.map(
    ({ shape, table, seconds, told, known }) =>
      `| ${shape.name} | ${table} | ${seconds.toFixed(2)} | ${limits(told)} | ${limits(known)} |`,
  );
  return `# Forecasts against migrations that were run

${rowCount} rows a table, single runs, durable settings, ${new Date().toISOString().slice(0, 10)}. \`npm run bench:forecast\` writes it.

| | by the artifact | by what the migration is |
| --- | --- | --- |
${score(runs).join('\n')}

| shape | table | seconds | by the artifact | by what it is |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function limits({ lowSeconds, highSeconds }: TimeRange): string {
  return `${lowSeconds.toFixed(2)} to ${highSeconds === null ? 'no limit' : highSeconds.toFixed(2)}`;
}

function score(runs: readonly Run[]): string[] {
  const columns = (['told', 'known'] as const).map((key) => {
    const all = runs.map((run) => ({ seconds: run.seconds, ...run[key] }));
    const bounded = all.flatMap(({ highSeconds, ...one }) =>
      highSeconds === null ? [] : [{ ...one, highSeconds }],
    );
    // As it is told: what is under a second counts as one.
    const widths = bounded.map(
      ({ lowSeconds, highSeconds }) => Math.max(highSeconds, 1) / Math.max(lowSeconds, 1),
    );
    return {
      upper: `${bounded.filter(({ seconds, highSeconds }) => seconds <= highSeconds).length} of ${bounded.length}`,
      whole: `${all.filter((one) => one.seconds >= one.lowSeconds && one.seconds <= (one.highSeconds ?? Infinity)).length} of ${all.length}`,
      width: median(widths),
      unbounded: `${all.length - bounded.length} of ${all.length}`,
    };
  });
  const row = (label: string, key: keyof (typeof columns)[number]) =>
    `| ${label} | ${columns.map((column) => column[key]).join(' | ')} |`;
  return [
    row('upper limits that held', 'upper'),
    row('whole ranges that held', 'whole'),
    row('without an upper limit', 'unbounded'),
    row('median width of those with one, high by low, under 1 s taken for 1 s', 'width'),
  ];
}

function median(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1);
}
