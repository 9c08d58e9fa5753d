import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LightspanError } from '../../src/core/lightspan-error.js';
import { composeWorkloads, projectOf } from '../../src/gather/deployment/compose/compose.js';
import { canary, composeCases } from '../support/compose-cases.js';
import { write } from '../support/compose-facts.js';
import { findDockerCompose } from '../support/programs.js';
import { byteFault } from './mutations.js';

/**
 * What docker compose prints of compose files, damaged: it is refused, or read as any reader of JSON reads it. No fact
 * and no refusal has the value of a variable.
 */

const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);
const numRuns = 5000;

const printed = composeCases.map((one) => {
  const folder = write(one);
  const inFolder = (name: string) => join(folder, name);
  const [program = '', ...words] = findDockerCompose() ?? [];
  const { COMPOSE_ENV_FILES: named } = one.env ?? {};
  return execFileSync(
    program,
    [
      ...words,
      ...one.compose.flatMap((file) => ['--file', inFolder(file)]),
      ...(one.envFiles ?? []).flatMap((file) => ['--env-file', inFolder(file)]),
      ...['config', '--format', 'json'],
    ],
    {
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, ...one.env },
        ...(named === undefined ? {} : { COMPOSE_ENV_FILES: inFolder(named) }),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
});

it('whatever damages what docker compose prints, it is refused or read as JSON is, and no value is told', () => {
  const counts = new Map<string, number>();
  const faults = fc.record({ which: fc.nat({ max: printed.length - 1 }), fault: byteFault });
  for (const [i, { which, fault }] of fc.sample(faults, { seed, numRuns }).entries()) {
    const text = fault.apply(printed[which] ?? Buffer.of()).toString();
    const outcome = readAll(text);
    expect(JSON.stringify(outcome), `seed ${seed}, run ${i}, ${fault.kind}`).not.toContain(canary);
    const kind = outcome instanceof LightspanError ? 'refused' : 'read';
    if (kind === 'read') expect(() => JSON.parse(text)).not.toThrow();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  process.stdout.write(`compose: ${numRuns} cases (${[...counts].map((one) => one.join(' ')).join(', ')})\n`);
});

function readAll(text: string): unknown {
  try {
    return composeWorkloads(projectOf(text, 'it'));
  } catch (error) {
    expect(error).toBeInstanceOf(LightspanError);
    return error;
  }
}
