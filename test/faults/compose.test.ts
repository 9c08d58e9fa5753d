import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LightspanError } from '../../src/errors.js';
import { askDockerCompose } from '../../src/sources/deployment/compose-docker.js';
import { workloadsOf } from '../../src/sources/deployment/compose-facts.js';
import { readComposeFiles } from '../../src/sources/deployment/compose-files.js';
import type { ComposeProject } from '../../src/sources/deployment/compose-project.js';
import { canary, composeCases } from '../support/compose-cases.js';
import { findDockerCompose } from '../support/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { byteFault } from './mutations.js';

/**
 * Compose files and files of variables, damaged: what is still read without docker compose is what docker compose makes
 * of the same text, whatever the damage. What compose refuses nobody runs.
 */

const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);
const numRuns = 1000;

const cases = composeCases.filter(({ compose: [file = ''] }) => !file.includes('/'));
const faults = fc.record({
  which: fc.nat({ max: cases.length - 1 }),
  file: fc.nat({ max: 9 }),
  fault: byteFault,
});

const root = temporaryFolder();

/** What differs from place to place is left out: where a project has its name from its folder. */
const told = (project: ComposeProject) => ({ name: project.name, workloads: workloadsOf(project) });

async function oneRun(i: number, { which, file, fault }: Run) {
  const { files, compose, envFiles = [], env = {} } = cases[which] ?? never();
  const names = Object.keys(files);
  const damagedName = names[file % names.length] ?? never();
  const folder = join(root, String(i));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), name === damagedName ? fault.apply(Buffer.from(text)) : text);
  }
  const { PATH, HOME } = process.env;
  const inFolder = (name: string) => join(folder, name);
  const { COMPOSE_ENV_FILES: named } = env;
  const request = {
    files: compose.map(inFolder),
    envFiles: envFiles.map(inFolder),
    folder,
    env: { PATH, HOME, ...env, ...(named === undefined ? {} : { COMPOSE_ENV_FILES: inFolder(named) }) },
  };
  const own = await readComposeFiles(request).catch((error: unknown) => error);
  if (own instanceof Error) {
    expect(own, own.stack).toBeInstanceOf(LightspanError);
    expect(String(own)).not.toContain(canary);
    return 'refused';
  }
  expect(JSON.stringify(own)).not.toContain(canary);
  const ofDocker = await askDockerCompose(findDockerCompose() ?? never(), request).catch(
    (error: unknown) => error,
  );
  if (ofDocker instanceof Error) return 'read, and refused by compose';
  const story = `seed ${seed}, run ${i}, ${fault.kind} of ${damagedName} in ${folder}`;
  expect(told(own as ComposeProject), story).toEqual(told(ofDocker as ComposeProject));
  return 'read as compose does';
}

interface Run {
  readonly which: number;
  readonly file: number;
  readonly fault: { readonly kind: string; readonly apply: (bytes: Buffer) => Buffer };
}

function never(): never {
  throw new Error('there is no such case');
}

it('whatever damages compose files, what is read of them is what docker compose reads', async () => {
  const runs = fc.sample(faults, { seed, numRuns }).entries();
  const counts = new Map<string, number>();
  const worker = async () => {
    for (const [i, run] of runs) {
      const outcome = await oneRun(i, run);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  process.stdout.write(`compose: ${numRuns} cases (${[...counts].map((one) => one.join(' ')).join(', ')})\n`);
});
