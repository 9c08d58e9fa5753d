import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import { indexOf, type LooseIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { documentFault, safeInTruth as provenInTruth } from './documents.js';

/** A pin that moves by itself: never over a required stop, and onto one only where nothing else speaks against it. */

const folder = temporaryFolder();
const values = join(folder, 'values.yaml');
const indexFile = join(folder, 'index.json');

const minors = [1, 2, 3, 4] as const;
const indexes = fc
  .tuple(
    ...minors.map((minor) =>
      fc.record({
        version: fc.constant(`1.${minor}.0`),
        rollingUpdateSafe: fc.constantFrom<(boolean | 'unknown')[]>(true, true, true, true, false, 'unknown'),
        requiredStops: fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.constantFrom(['1.2.0'], ['1.3.0'], ['1.4.0'], [`1.${minor}.0`]) },
        ),
        minPreviousVersion: fc.constantFrom('1.1.0', '1.1.0', '1.1.0', '1.2.0'),
      }),
    ),
  )
  .map((rows) => indexOf(...rows));

const bump = async (bytes: Buffer) => {
  writeFileSync(values, 'image:\n  tag: "1.1.0"\n');
  writeFileSync(indexFile, bytes);
  const outcome = await runCli([
    ...['upgrade-bump', '--file', `${values}#image.tag`, '--to', 'latest', '--index', indexFile, '--json'],
  ]);
  return { outcome, moved: /\d+\.\d+\.\d+/.exec(readFileSync(values, 'utf8'))?.[0] ?? '' };
};

/** Whether each release from 1.1.0 on is proven up to there, with no stop between, whatever the last one is. */
function isHopInTruth(bytes: Buffer, to: string): boolean {
  if (to === '1.1.0' || provenInTruth(bytes, to)) return true;
  try {
    // By the same strict reading, without the stop that the target is.
    const index: LooseIndex = JSON.parse(bytes.toString());
    const others = index.entries.map((entry) => ({
      ...entry,
      syntheticRequiredStop: entry.version === to ? false : entry.syntheticRequiredStop,
      requiredStops: (entry.requiredStops as string[]).filter((stop) => stop !== to),
    }));
    const without = { ...index, entries: others } as LooseIndex;
    return (
      provenInTruth(Buffer.from(JSON.stringify(without)), to) && evaluateNaively(without, '1.1.0', to).safe
    );
  } catch {
    return false;
  }
}

const toldIn = (stdout: string) => JSON.parse(stdout);

it('before any fault, a bump moves to what the plan calls its first rolling hop', async () => {
  const moves = new Set<string>();
  for (const index of fc.sample(indexes, { seed: 59, numRuns: 150 })) {
    const bytes = Buffer.from(JSON.stringify(index));
    const { outcome, moved } = await bump(bytes);
    const plan = await runCli([
      ...['upgrade-plan', '--from', '1.1.0', '--to', '1.4.0', '--index', indexFile, '--json'],
    ]);
    const { certified, hops } = toldIn(plan.stdout);
    const [hop] = certified ? hops : [];
    const expected = hop?.strategy === 'RollingUpdate' ? hop.toVersion : '1.1.0';
    expect(moved, `${bytes}\n${plan.stdout}\n${outcome.stdout}`).toBe(expected);
    moves.add(moved);
  }
  expect(moves.size).toBeGreaterThan(3);
});

it('a bump by a damaged index with stops moves nothing over one', async () => {
  const cases = fc.record({ index: indexes, fault: documentFault });
  const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);
  let onto = 0;
  for (const { index, fault } of fc.sample(cases, { seed, numRuns: 2000 })) {
    const damaged = fault.apply(Buffer.from(JSON.stringify(index)));
    const { outcome, moved } = await bump(damaged);
    const story = `seed ${seed}, ${fault.kind}:\n${damaged.toString('latin1')}\n${JSON.stringify(outcome)}`;
    expect(outcome.code === 0 || moved === '1.1.0', story).toBe(true);
    expect(isHopInTruth(damaged, moved), story).toBe(true);
    // Of the span alone, the check stays strict.
    const isOnto = outcome.code === 0 && !toldIn(outcome.stdout).safe;
    if (isOnto) expect(toldIn(outcome.stdout).requiredStops, story).toEqual([moved]);
    if (isOnto) onto += 1;
  }
  expect(onto).toBeGreaterThan(30);
});
