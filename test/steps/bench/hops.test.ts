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
