import { describe, expect, it } from 'vitest';
import { Benches } from './bench.js';

/** Wherever a run is ended, and by whatever: what comes after is all of `from`, or all of the target. */
const benches = new Benches();

const there = ['pg_dump --schema-only', ' stop |replicas=0', 'pg_dump --format', 'up --detach|upgrade bi'];
const shells = ['dash', 'bash', 'zsh', 'busybox sh'];

const signals = ['SIGINT', 'SIGHUP', 'SIGKILL'] as const;

describe.each(['compose', 'helm'] as const)('%s', (kind) => {
  // Each step by another signal, and each signal in another step of the other tool.
  it.each(
    there.map(
      (at, i) => [signals[(i + (kind === 'helm' ? 1 : 0)) % 3] ?? 'SIGKILL', i + 1, new RegExp(at)] as const,
    ),
  )('%s in step %i, then continued; and on the way back', async (signal, step, at) => {
    const bench = await benches.open({ kind, lasts: true });
    const shell = shells[(benches.count + step) % shells.length];
    const before = bench.fingerprint();
    const run = bench.hop('--yes', {}, shell);
    await expect
      .poll(() => bench.calls().some((call) => at.test(call) && !call.includes('dry-run')))
      .toBe(true);
    process.kill(-run.pid, signal);
    const { status, out } = await run;
    bench.goOn();
    expect(status).not.toBe(0);
    expect(out).not.toContain('Done.');
    if (step === 1)
      expect({ running: bench.running(), now: bench.fingerprint() }).toEqual({
        running: bench.from,
        now: before,
      });
    const again = await bench.hop(`${step} --yes`, {}, shell);
    expect(again.status, again.out).toBe(0);
    expect({ running: bench.running(), migrated: bench.isMigrated() }).toEqual({
      running: bench.to,
      migrated: true,
    });
    bench.setTag(bench.from);
    const back = bench.back('--yes', {}, shell);
    await expect.poll(() => bench.calls().some((call) => /pg_restore --create/.test(call))).toBe(true);
    process.kill(-back.pid, signal);
    await back;
    const backAgain = await bench.back('3 --yes', {}, shell);
    expect(backAgain.status, backAgain.out).toBe(0);
    expect({ running: bench.running(), now: bench.fingerprint() }).toEqual({
      running: bench.from,
      now: before,
    });
  });
});

it('a terminal that is closed while the new version starts: continued, it ends with the target', async () => {
  const bench = await benches.open({ kind: 'compose', lasts: true });
  const run = bench.run(`script -qfec 'sh hops/hop.sh --yes' /dev/null`);
  await expect.poll(() => bench.calls().some((call) => /up --detach/.test(call))).toBe(true);
  // The one who holds the terminal, and nobody in it.
  process.kill(run.pid, 'SIGKILL');
  expect((await run).status).not.toBe(0);
  bench.goOn();
  await expect.poll(() => bench.shell('ls backups/*/*.lock').status === 0).toBe(false);
  const again = await bench.hop('4 --yes');
  expect(again.status, again.out).toBe(0);
  expect({ running: bench.running(), migrated: bench.isMigrated() }).toEqual({
    running: bench.to,
    migrated: true,
  });
});
