import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LightspanError } from '../../errors.js';
import type { ComposeFact, DeploymentFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { askDockerCompose, type ComposeRequest, findDockerCompose } from './compose-docker.js';
import { workloadsOf } from './compose-facts.js';
import { readComposeFiles, readText } from './compose-files.js';

export interface ComposeSource {
  /** The files of `docker compose --file`, in order. */
  readonly files: readonly string[];
  /** The files of `docker compose --env-file`, in place of `.env`. */
  readonly envFiles?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Whether to use docker compose if it is available; tests may turn it off. */
  readonly askDocker?: boolean;
}

interface Seen<Value> {
  readonly status: 'seen';
  readonly value: Value;
  readonly seenAt: string;
  readonly source: 'deployment';
}

export interface ComposeFacts {
  readonly deployment: Seen<DeploymentFact>;
  readonly workloads: Seen<WorkloadFact[]>;
  readonly compose: Seen<ComposeFact>;
}

/**
 * The facts of compose files, as docker compose reads them if it is available, else as this program does, which refuses
 * what it does not know.
 *
 * @throws {LightspanError} `unreadable-source`; `usage` if a file that compose would merge is not named
 */
export async function collectComposeFacts({
  files,
  envFiles = [],
  env,
  now,
  askDocker = true,
}: ComposeSource): Promise<ComposeFacts> {
  const seenAt = now().toISOString();
  const [first] = files;
  if (first === undefined || files.includes('-')) {
    throw new LightspanError('usage', '--compose takes the names of compose files');
  }
  const request: ComposeRequest = { files, envFiles, folder: dirname(first), env };
  refuseUnnamedOverride(request);
  // A missing file gives the same error with either reader.
  for (const file of files) await readText(file);
  const command = askDocker ? await findDockerCompose(request) : undefined;
  const project = await (command === undefined
    ? readComposeFiles(request)
    : askDockerCompose(command, request));
  const seen = <Value>(value: Value): Seen<Value> => ({
    status: 'seen',
    value,
    seenAt,
    source: 'deployment',
  });
  return {
    deployment: seen({
      kind: 'compose',
      origin: 'compose',
      sources: [...files],
      namespace: null,
      hooksSeen: null,
      unseenKinds: [],
    }),
    workloads: seen(workloadsOf(project)),
    compose: seen({
      files: [...files],
      project: project.name,
      readBy: command === undefined ? 'lightspan' : 'docker-compose',
    }),
  };
}

const overrides = ['compose.override', 'docker-compose.override'].flatMap((name) => [
  `${name}.yml`,
  `${name}.yaml`,
]);

/**
 * If no file is named, compose merges an override file with its own file; if COMPOSE_FILE names all files, it does not.
 */
function refuseUnnamedOverride({ files, folder, env }: ComposeRequest): void {
  const [only, second] = files.map((file) => basename(file));
  if (second !== undefined || !/^(?:docker-)?compose\.ya?ml$/.test(only ?? '') || env.COMPOSE_FILE) return;
  const beside = overrides.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (beside === undefined) return;
  throw new LightspanError('usage', `${beside} is next to ${files[0]}, and compose joins both`, {
    hint: `Name it too: --compose ${files[0]} --compose ${beside}. If you leave it out, set COMPOSE_FILE to the files to use.`,
  });
}
