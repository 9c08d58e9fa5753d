import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Benches, type BenchOf } from './bench.js';

/** A hop, followed to the letter: it ends with all of the target, or says how to have all of `from` back. */
const benches = new Benches();

const open = (of: BenchOf) => benches.open(of);

const kinds: BenchOf[] = [
  { kind: 'compose' },
  { kind: 'helm' },
  { kind: 'helm', helm: 4 },
  { kind: 'helm', migrationJob: false },
  { kind: 'compose', strategy: 'RollingUpdate' },
  { kind: 'helm', strategy: 'RollingUpdate' },
];
const named = (of: BenchOf) => Object.values(of).join(' ');

describe.each(kinds.map((of) => [named(of), of] as const))('%s', (_, of) => {
  it('goes to the target, and back to what it was', async () => {
    const bench = await open(of);
    const before = bench.fingerprint();
    // The block has the same commands in fewer lines.
    const isPasted = of.helm === 4 || of.migrationJob === false;
    const there = await (isPasted ? bench.run('zsh block.sh') : bench.hop('--yes'));
    expect(there.status, there.out).toBe(0);
    expect(there.out).toContain('Done.');
    expect({ running: bench.running(), migrated: bench.isMigrated() }).toEqual({
      running: bench.to,
      migrated: true,
    });
    bench.setTag(bench.from);
    const back = await (isPasted ? bench.run('dash back-block.sh') : bench.back('--yes --restore'));
    expect(back.status, back.out).toBe(0);
    expect({ running: bench.running(), now: bench.fingerprint() }).toEqual({
      running: bench.from,
      now: before,
    });
    expect(readdirSync(bench.home)).toEqual([]);
  });
});

it('what is said to undo the way back does: the migrated database is whole', async () => {
  const bench = await open({ kind: 'compose' });
  expect(await bench.hop('--yes')).toMatchObject({ status: 0 });
  const migrated = bench.fingerprint();
  bench.setTag(bench.from);
  const { status, out } = await bench.back('--yes');
  expect(status, out).toBe(0);
  const after = `${bench.database}_after_${bench.to}`;
  expect(out).toContain(`The migrated database is kept as ${after}.`);
  bench.shell('docker compose stop lightdash worker');
  bench.sql(`ALTER DATABASE "${bench.database}" RENAME TO "${bench.database}_of_before"`, 'postgres');
  bench.sql(`ALTER DATABASE "${after}" RENAME TO "${bench.database}"`, 'postgres');
  bench.setTag(bench.to);
  bench.shell('docker compose up --detach --no-deps lightdash; docker compose up --detach --no-deps worker');
  expect({ running: bench.running(), now: bench.fingerprint() }).toEqual({
    running: bench.to,
    now: migrated,
  });
});

it('runs from a folder with blanks, with a folder for backups that is named from there', async () => {
  const bench = await open({ kind: 'compose' });
  bench.shell("mkdir 'my hops' && cp hops/* 'my hops'");
  bench.change((world) => {
    world.fault = { call: 'up --detach', how: 'fail' };
  });
  const failed = await bench.run(`sh 'my hops/hop.sh' --yes`, { LIGHTSPAN_BACKUPS: 'my backups' });
  expect(failed.status, failed.out).toBe(1);
  const [, again = ''] = /^Once that is fixed, run: (.*)$/m.exec(failed.out) ?? [];
  expect(again).toBe("sh 'my hops/hop.sh' 4");
  const [, wayBack = ''] = /^To go back to .*: (.*)$/m.exec(failed.out) ?? [];
  expect(wayBack).toBe("sh 'my hops/hop-1-back.sh'");
  const { status, out } = await bench.run(again, { LIGHTSPAN_BACKUPS: 'my backups' });
  expect(status, out).toBe(0);
  const [, dump = ''] = /^Backup: (.*\.dump) \(/m.exec(failed.out) ?? [];
  expect(dump).toMatch(/^\/.*\/my backups\//);
  bench.setTag(bench.from);
  const back = await bench.run(`${wayBack} --yes`, {
    LIGHTSPAN_BACKUPS: `${bench.folder}/my backups`,
  });
  expect(back.status, back.out).toBe(0);
  expect(bench.running()).toBe(bench.from);
});

it('a second hop that is killed is continued, and its way back ends at the target of the first', async () => {
  const bench = await open({ kind: 'compose' });
  const first = await bench.hop('--yes');
  expect(first.status, first.out).toBe(0);
  const between = bench.fingerprint();
  bench.next('1.121.0');
  bench.change((world) => {
    world.migrations[bench.to] = `ALTER TABLE projects ADD COLUMN third text; ${bench.untilToldToGoOn}
      INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('20260301000000_third.js', 3, now())`;
  });
  const run = bench.hop('--yes');
  await expect.poll(() => bench.calls().some((call) => /up --detach/.test(call))).toBe(true);
  process.kill(-run.pid, 'SIGKILL');
  expect((await run).status).not.toBe(0);
  bench.goOn();
  const again = await bench.hop('4 --yes');
  expect(again.status, again.out).toBe(0);
  expect(bench.running()).toBe(bench.to);
  expect(bench.fingerprint()).toContain('third');
  bench.setTag(bench.from);
  const back = await bench.back('--yes --restore');
  expect(back.status, back.out).toBe(0);
  expect({ running: bench.running(), now: bench.fingerprint() }).toEqual({
    running: bench.from,
    now: between,
  });
});

it('a disk that is full while the backup is written leaves no part of it, and all as it was', async () => {
  const bench = await open({ kind: 'compose' });
  bench.sql(
    "INSERT INTO projects (name) SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 20000) AS i GROUP BY i % 20",
  );
  const before = bench.fingerprint();
  // A limit on the size of a file is what comes nearest to a full disk without a disk of one's own.
  const full = await bench.run(`bash -c "ulimit -f 256; trap '' XFSZ; exec sh hops/hop.sh --yes"`);
  expect(full.status, full.out).toBe(1);
  expect(full.out).not.toContain('Done.');
  expect(bench.shell('find backups -name "*.part" -o -name "*.dump"').out).toBe('');
  const again = await bench.run(/^Once that is fixed, run: (.*)$/m.exec(full.out)?.[1] ?? 'false');
  expect(again.status, again.out).toBe(0);
  expect(bench.running()).toBe(bench.to);
  bench.setTag(bench.from);
  expect(await bench.back('--yes --restore')).toMatchObject({ status: 0 });
  expect(bench.fingerprint()).toBe(before);
});
