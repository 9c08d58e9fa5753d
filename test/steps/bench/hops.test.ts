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
