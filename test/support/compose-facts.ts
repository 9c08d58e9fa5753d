import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectDeployment } from '../../src/gather/deployment/collect.js';
import type { DeploymentFacts } from '../../src/gather/deployment/manifest-facts.js';
import type { WorkloadFact } from '../../src/instance/facts/deployment-facts.js';
import { seenValue } from '../../src/instance/facts/needs.js';
import type { ComposeCase } from './compose-cases.js';
import { quoted, standIn } from './stand-in.js';
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

/** The facts of compose files, as the docker compose on the path prints them. */
export async function read(one: Omit<ComposeCase, 'name'>, folder = write(one)): Promise<DeploymentFacts> {
  const { PATH, HOME } = process.env;
  const named = one.env?.COMPOSE_ENV_FILES;
  const { facts } = await collectDeployment(
    {
      compose: one.compose.map((file) => join(folder, file)),
      composeEnvFile: one.envFiles?.map((file) => join(folder, file)),
    },
    {
      env: {
        ...{ PATH, HOME, ...one.env },
        ...(named === undefined ? {} : { COMPOSE_ENV_FILES: join(folder, named) }),
      },
      stdin: noInput(),
      now,
    },
  );
  return facts;
}

export async function* noInput(): AsyncGenerator<Uint8Array> {}

/** The workloads among facts. */
export function workloadsIn({ workloads }: DeploymentFacts): readonly WorkloadFact[] {
  return seenValue(workloads) ?? [];
}

/** A PATH with a docker compose that prints a project, whatever it is asked to read. */
export function dockerPrinting(project: object): ReturnType<typeof standIn> {
  const json = quoted(JSON.stringify(project).replaceAll('$', '$$$$'));
  return standIn('docker', `case $2 in version) echo 2.30.0;; *) printf %s ${json};; esac`);
}
