import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../../test/support/postgres.js';
import {
  dumpOf,
  instance,
  programsOfCopies,
  rehearse,
  writeMigrator,
  writeReleases,
} from '../../test/support/rehearsal.js';
import { folderOfAll } from '../../test/support/temporary-folder.js';
import {
  backfillShapes,
  createTable,
  rowCount,
  rowsOfTable,
  type Statement,
  tables,
} from '../forecast/shapes.js';

/** Migrations of Lightdash that took long at operators: six shapes of the record, by the names of one that is like it. */
const rehearsed = [
  '20210825125410_order_saved_fields',
  '20260610120000_default_saved_chart_timezone_to_project',
  '20260721112833_add_project_uuid_to_saved_queries',
  '20260721170000_enforce_saved_query_project_slug_uniqueness',
  '20260428153355_add_primary_keys_to_analytics_and_scheduler_log',
  '20260624120002_add_download_audit_foreign_keys',
];
const shapes = rehearsed.map((like) => {
  const shape = backfillShapes.find((one) => one.like === like);
  if (shape === undefined) throw new Error(`no shape is like ${like}`);
  return shape;
});

/** As a server runs that keeps what it is told; the copy of a full rehearsal is set so, too. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' };

interface Pair {
  readonly shape: string;
  readonly table: string;
  /** Seconds of the migration on the original, and on the copy. */
  readonly original: number;
  readonly copy: number;
}

const migration = '20260901000000_one';

/** What knex runs: each statement in a transaction of its own; it prints how long that took. */
function codeOf(statements: readonly Statement[]): string {
  const steps = statements.map((one) =>
    typeof one === 'string'
      ? `await knex.raw(${JSON.stringify(one)});`
      : `while ((await knex.raw(${JSON.stringify(one.untilNone)})).rowCount > 0);`,
  );
  return `js:const begun = performance.now(); ${steps.join(' ')} console.log('seconds', (performance.now() - begun) / 1000);`;
}

it('full rehearsals against the same migrations on the original', async () => {
  const cluster = await startPostgres(durable);
  const index = await writeReleases({ '2.1.0': [migration] });
  const pairs: Pair[] = [];
  for (const table of Object.keys(tables)) {
    cluster.database(
      table,
      ...instance,
      'CREATE TABLE parents AS SELECT id::int FROM generate_series(1, 500) AS id; ALTER TABLE parents ADD PRIMARY KEY (id)',
      ...createTable(table),
    );
    for (const { name: shape, run, prepare } of shapes) {
      cluster.sql('postgres', `CREATE DATABASE original TEMPLATE ${table} OWNER lightdash`);
      for (const sql of [...(prepare?.(table) ?? []), `VACUUM ANALYZE ${table}`]) {
        cluster.sql('original', sql, 'lightdash');
      }
      const migrate = writeMigrator({
        '2.1.0': { [migration]: { up: codeOf(run(table)), transaction: false } },
      });
      const out = join(folderOfAll(), 'rehearsal.json');
      const { answer, stderr } = await rehearse([
        ...['--dump', dumpOf(cluster, 'original'), '--full', '--to', '2.1.0', '--index', index],
        ...['--postgres', programsOfCopies, '--migrate', migrate, '--out', out],
      ]);
      if (!answer.startsWith('yes')) throw new Error(`${shape} of ${table}: ${answer}${stderr}`);
      const copy = Number(JSON.parse(readFileSync(out, 'utf8')).hops[0].migrations[0].seconds);
      const env = {
        ...{ PATH: process.env.PATH, PGHOST: cluster.socketDir, PGPORT: String(cluster.port) },
        ...{ PGUSER: 'lightdash', PGDATABASE: 'original' },
      };
      const said = execFileSync('sh', ['-c', migrate.replace('{version}', '2.1.0')], {
        env,
        encoding: 'utf8',
      });
      const original = Number(/seconds ([\d.]+)/.exec(said)?.[1]);
      cluster.sql('postgres', 'DROP DATABASE original');
      pairs.push({ shape, table, original, copy });
      process.stderr.write(
        `${table}, ${shape}: ${original.toFixed(2)} s, on the copy ${copy.toFixed(2)} s\n`,
      );
    }
  }
  const text = report(cluster.major, pairs);
  writeFileSync(join(import.meta.dirname, `RESULTS-${cluster.major}.md`), text);
  process.stdout.write(text);
  expect(pairs).toHaveLength(shapes.length * Object.keys(tables).length);
  expect(within2(pairs).length / pairs.length).toBeGreaterThanOrEqual(0.95);
});

/** As it is told: what is under a second counts as one. */
const told = (seconds: number) => Math.max(seconds, 1);
const ratioOf = ({ original, copy }: Pair) => told(copy) / told(original);
const within2 = (pairs: readonly Pair[]) =>
  pairs.filter((pair) => ratioOf(pair) >= 0.5 && ratioOf(pair) <= 2);

function report(major: number, pairs: readonly Pair[]): string {
  const rows = pairs.map(
    ({ shape, table, original, copy }) =>
      `| ${shape} | ${table} | ${rowsOfTable(table)} | ${original.toFixed(2)} | ${copy.toFixed(2)} | ${(copy / original).toFixed(2)} |`,
  );
  const ratios = pairs.map(({ original, copy }) => copy / original).sort((a, b) => a - b);
  const bare = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length;
  return `# Full rehearsals against the same migrations on the original, on PostgreSQL ${major}

Up to ${rowCount} rows a table, single runs, durable settings, ${new Date().toISOString().slice(0, 10)}. \`npm run bench -- rehearsal\` writes it.

| | |
| --- | --- |
| within a factor of 2, where what is under a second counts as one | ${within2(pairs).length} of ${pairs.length} |
| within a factor of 2, as measured | ${bare} of ${pairs.length} |
| copy by original: lowest, median, highest | ${ratios[0]?.toFixed(2)}, ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)}, ${ratios.at(-1)?.toFixed(2)} |

| migration | table | rows | seconds on the original | on the copy | copy by original |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
