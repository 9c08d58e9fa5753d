import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkloadFact } from '../../src/facts/deployment-facts.js';
import { type ComposeFacts, collectComposeFacts } from '../../src/sources/deployment/compose.js';
import type { ComposeCase } from './compose-cases.js';
import { temporaryFolder } from './temporary-folder.js';

export const now = () => new Date('2026-10-01T00:00:00Z');

export function write({ files }: Pick<ComposeCase, 'files'>): string {
  const folder = join(temporaryFolder(), 'deploy');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export async function read(one: Omit<ComposeCase, 'name'>, askDocker: boolean, folder = write(one)) {
  const { PATH, HOME } = process.env;
  return collectComposeFacts({
    files: one.compose.map((file) => join(folder, file)),
    envFiles: (one.envFiles ?? []).map((file) => join(folder, file)),
    env: {
      PATH,
      HOME,
      ...one.env,
      ...(one.env?.COMPOSE_ENV_FILES === undefined
        ? {}
        : { COMPOSE_ENV_FILES: join(folder, one.env.COMPOSE_ENV_FILES) }),
    },
    now,
    askDocker,
  });
}

/** What a test compares: how a workload reads, in short. */
export function seen(facts: ComposeFacts): {
  readonly project: string | null;
  readonly workloads: readonly WorkloadFact[];
} {
  const { compose, workloads } = facts;
  return { project: compose.value.project, workloads: workloads.value };
}
