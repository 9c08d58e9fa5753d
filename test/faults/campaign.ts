import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Outcome } from '../support/cli.js';
import type { Fault, FaultKind } from './mutations.js';

/** The same cases every time, unless another seed is asked for. */
const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);

/** One faulty run: the fault that was made, what came of it, and whether a yes would have been the truth. */
export interface FaultCase {
  readonly kind: FaultKind;
  /** What the fault left of the data. */
  readonly damaged: Buffer;
  readonly outcome: Outcome;
  readonly safeInTruth: boolean;
}

/**
 * Makes `numRuns` cases, runs each, and holds every one of them to fail closed; prints how many of which kind, and
 * the time. Runs are made `parallel` at a time where each waits for a socket.
 */
export async function campaign<T>(
  input: string,
  cases: fc.Arbitrary<T>,
  run: (input: T) => Promise<FaultCase>,
  {
    numRuns,
    parallel = 1,
    exitCodes = [0, 1, 3, 4],
  }: { readonly numRuns: number; readonly parallel?: number; readonly exitCodes?: readonly number[] },
): Promise<void> {
  const started = performance.now();
  const counts = new Map<FaultKind, number>();
  const remaining = fc.sample(cases, { seed, numRuns }).values();
  let yes = 0;
  const worker = async () => {
    for (const one of remaining) {
      const faulty = await run(one);
      expectFailClosed(faulty, exitCodes);
      counts.set(faulty.kind, (counts.get(faulty.kind) ?? 0) + 1);
      if (faulty.outcome.code === 0) yes += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));

  const kinds = [...counts].sort().map(([kind, number]) => `${kind} ${number}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${input}: ${numRuns} cases (${kinds.join(', ')}), ${yes} rightly yes, ${seconds} s\n`,
  );
}

type Limits = Parameters<typeof campaign>[3];

/** A campaign as a test of its own, whose cases each have a fault. */
export function itFailsClosed<T extends { readonly fault: Pick<Fault<never>, 'kind'> }>(
  input: string,
  { cases, ...limits }: Limits & { readonly cases: fc.Arbitrary<T> },
  run: (one: T) => Promise<Omit<FaultCase, 'kind'>>,
): void {
  it(input, async () => {
    await campaign(input, cases, async (one) => ({ kind: one.fault.kind, ...(await run(one)) }), limits);
  });
}

/**
 * What holds of every run that writes JSON, whatever it was fed: one line, a boolean `safe` that is the exit
 * code, a documented exit code, no stack trace; and never a yes where the truth is no.
 */
function expectFailClosed(
  { kind, damaged, outcome, safeInTruth }: FaultCase,
  exitCodes: readonly number[],
): void {
  const { code, stdout, stderr } = outcome;
  const story = `seed ${seed}, ${kind}:\n${damaged.toString('latin1')}\n${stdout}${stderr}`;
  expect(exitCodes, story).toContain(code);
  expect(stdout, story).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(stdout).safe, story).toBe(code === 0);
  expect(stderr, story).not.toMatch(/\n\s+at |internal error/);
  if (code === 0) expect(safeInTruth, story).toBe(true);
}
