import * as z from 'zod/mini';
import type { Env } from '../../../core/common/env.js';
import { publishersName } from '../../../core/lightdash-name.js';
import { LightspanError } from '../../../core/lightspan-error.js';
import { nameOfInput } from '../../../core/text/name-of-input.js';
import type { ContainerFact, WorkloadFact } from '../../../instance/facts/deployment-facts.js';
import { isLightdashImage } from '../../../instance/facts/lightdash-containers.js';
import { isSwitch, readSwitch } from '../../../instance/facts/switches.js';
import { imageFact, isDatabaseImage } from '../../../instance/image-reference.js';
import { readInputText } from '../../files/read-file.js';
import { usualTimeoutMs } from '../../limits.js';
import { ownSettings } from '../container-facts.js';
import { containerStart, startsByYarn, variablesOfCommand } from '../container-start.js';
import { keptDatabase, keptObjects } from '../kept-data.js';
import { manifestFault } from '../kubernetes/kubernetes-object.js';
import { mountsOfService } from '../mounts.js';
import { storeEndpointOf, storeOfService } from '../object-stores.js';
import { runProgram } from '../run-program.js';
import { refuseOtherFiles } from './compose-files.js';

/** Where a compose project is read from. */
interface ComposeSource {
  /**
   * Compose files, in the order in which docker compose merges them; or, alone, what `docker compose config --format
   * json` printed: a file, or `-` for standard input.
   */
  readonly sources: readonly string[];
  /** The files of `docker compose --env-file`, in place of `.env`. */
  readonly envFiles?: readonly string[] | undefined;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Env;
}

const text = z.nullish(z.string());
const words = z.nullish(z.array(z.string()));
const count = z.nullish(z.int().check(z.nonnegative()));
/** `extends` is resolved by docker compose, so its output never has it. */
const resolved = z.optional(z.never());
const bytes = z.nullish(z.string().check(z.regex(/^\d{1,15}$/)));

/**
 * The part of a service that is used, as docker compose prints it. Values of variables do not become facts, except for
 * switches.
 */
const serviceSchema = z.object({
  image: text,
  pull_policy: text,
  container_name: text,
  entrypoint: words,
  command: words,
  environment: z.nullish(z.record(z.string(), z.nullable(z.string()))),
  extends: resolved,
  volumes: z.optional(z.unknown()),
  tmpfs: z.optional(z.unknown()),
  volumes_from: words,
  ...{
    extra_hosts: z.optional(z.unknown()),
    links: z.optional(z.unknown()),
    external_links: z.optional(z.unknown()),
    network_mode: z.optional(z.unknown()),
  },
  networks: z.nullish(z.record(z.string(), z.nullish(z.object({ aliases: words })))),
  scale: count,
  mem_limit: bytes,
  deploy: z.nullish(
    z.object({
      mode: text,
      replicas: count,
      update_config: z.nullish(z.object({ order: text })),
      rollback_config: z.nullish(z.object({})),
      resources: z.nullish(z.object({ limits: z.nullish(z.object({ memory: bytes })) })),
    }),
  ),
});

const projectSchema = z.object({
  name: z.string(),
  include: resolved,
  services: z.record(z.string(), serviceSchema),
  networks: z.optional(z.unknown()),
  volumes: z.optional(z.unknown()),
});

export type ComposeService = z.infer<typeof serviceSchema>;

/** A project as docker compose reads it: files joined, variables filled in, services of inactive profiles left out. */
type ComposeProject = z.infer<typeof projectSchema>;

/**
 * The project, and the files that docker compose read here: none if its output was handed over.
 *
 * @throws {LightspanError} `unreadable-source`; `invalid-manifest` for another output than that of docker compose;
 * `usage` if other files are named than docker compose reads where none is, or an output is not given alone
 */
export async function readComposeProject(
  source: ComposeSource,
): Promise<{ readonly project: ComposeProject; readonly files: readonly string[] }> {
  const { sources: files, envFiles = [], stdin, env } = source;
  for (const file of files) {
    const content = await readInputText({ source: file, stdin, what: 'compose file' });
    if (file !== '-' && !/^\s*\{/.test(content)) continue;
    if (files.length > 1 || envFiles.length > 0) {
      throw new LightspanError('usage', 'the output of docker compose config is a whole project', {
        hint: 'Give it as the only --compose, without --compose-env-file.',
      });
    }
    return { project: requireTags(projectOf(content, nameOfInput(file))), files: [] };
  }
  refuseOtherFiles({ files, envFiles: source.envFiles, env });
  return { project: requireTags(await askDockerCompose(source)), files };
}

/** Docker runs no image whose tag is empty: other variables were in force than those with which it is deployed. */
function requireTags(project: ComposeProject): ComposeProject {
  const isUnset = ({ image }: ComposeService) =>
    /[:@]$/.test(image ?? '') && isLightdashImage(imageOf({ image }));
  const unset = Object.entries(project.services).flatMap(([name, service]) =>
    isUnset(service) ? [name] : [],
  );
  if (unset.length === 0) return project;
  throw new LightspanError(
    'usage',
    `the image of service ${unset.join(', ')} has no tag: its variable is not set`,
    {
      hint:
        'docker compose takes variables from the environment, and from .env beside the first file. If you deploy with ' +
        '--env-file, name the same file: --compose-env-file <file> (compose.envFiles in lightspan.yaml).',
    },
  );
}

/**
 * The project in what `docker compose config --format json` printed. It has the values of all variables: no message
 * quotes it.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function projectOf(printed: string, name: string): ComposeProject {
  const refuse = (why: string) =>
    manifestFault(
      `no compose project can be read from ${name}: ${why}`,
      'It must be what docker compose config --format json prints, complete, with docker compose v2 and ' +
        'without --no-interpolate.',
    );
  // Docker compose doubles every dollar, because its output may be read again.
  if (/(?<!\$)\$(?:\$\$)*(?!\$)/.test(printed)) throw refuse('it has variables without values');
  let json: unknown;
  try {
    json = JSON.parse(printed.replaceAll('$$', '$'));
  } catch {
    throw refuse('it is not JSON');
  }
  const read = z.safeParse(projectSchema, json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refuse(`${issue?.path.join('.') || 'the whole'} has another form`);
}

/**
 * The project as docker compose on this machine reads it, the plugin or the program of its own; the first version of
 * that prints no JSON. It contacts no server: remote files that a file includes are not fetched. Its messages may quote
 * values of variables: they are not shown.
 */
async function askDockerCompose({ sources, envFiles = [], env }: ComposeSource): Promise<ComposeProject> {
  const args = [
    ...sources.flatMap((file) => ['--file', file]),
    ...envFiles.flatMap((file) => ['--env-file', file]),
    ...['config', '--format', 'json'],
  ];
  const shown = [
    'docker compose',
    ...args.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)),
  ].join(' ');
  const local = { COMPOSE_EXPERIMENTAL_GIT_REMOTE: 'false', COMPOSE_EXPERIMENTAL_OCI_REMOTE: 'false' };
  const run = (program: string, ...before: string[]) =>
    runProgram(program, [...before, ...args], { env: { ...env, ...local }, timeoutMs: usualTimeoutMs }).then(
      ({ exitCode, stdout }) => (exitCode === 0 ? stdout : undefined),
      () => undefined,
    );
  const printed = (await run('docker', 'compose')) ?? (await run('docker-compose'));
  if (printed !== undefined) return projectOf(printed, shown);
  throw new LightspanError('unreadable-source', `docker compose (v2) cannot read the files: ${shown}`, {
    hint:
      'Run it yourself to see its message, which may contain values of your variables and is not shown ' +
      'here. Or run it where docker compose is, and pass its output with --compose <file>, or --compose - ' +
      'for standard input: lightspan keeps only the names of your variables, and whether NATS_ENABLED and ' +
      'PRE_AGGREGATES_ENABLED are true.',
  });
}

/** The services of a project as workloads. */
export function composeWorkloads(
  project: Pick<ComposeProject, 'services'> & Partial<ComposeProject>,
): WorkloadFact[] {
  const named = Object.entries(project.services);
  const databases = databasesOf(named);
  return named.map(([name, service]) =>
    workloadOf(name, service, databases.has(name) ? 'database' : roleOf(name, service), project),
  );
}

function workloadOf(
  name: string,
  service: ComposeService,
  role: WorkloadFact['role'],
  project: Pick<ComposeProject, 'services'> & Partial<ComposeProject>,
): WorkloadFact {
  const storeEndpoint =
    role === 'other' || role === 'database' ? undefined : storeEndpointOf(service, project);
  const store = storeOfService(name, service);
  const data = dataOf(service, role, store, project);
  const { deploy, entrypoint, environment, mem_limit } = service;
  const { tag, ...image } = imageOf(service);
  const words = wordsOf(service);
  const command = role === 'other' || role === 'database' ? [] : words;
  const memory = deploy?.resources?.limits?.memory ?? mem_limit ?? null;
  // A variable that is named without a value and set nowhere is not passed on.
  const variables = Object.entries(environment ?? {}).filter(([, value]) => value !== null);
  const container: ContainerFact = {
    name,
    init: false,
    // The tag is empty if a variable for it is not set.
    image: { ...image, tag: tag || null },
    entrypointReplaced: entrypoint != null,
    // `command` alone is passed to the entrypoint of the image, which migrates first in any case.
    starts: entrypoint == null ? 'entrypoint' : containerStart(words),
    ...(startsByYarn(command) ? { byYarn: true } : {}),
    variables: variables.map(([variable, value]) => {
      const on = isSwitch(variable) ? readSwitch(value) : undefined;
      const empty = value === '';
      return { name: variable, origin: 'literal', object: null, empty, ...(on === undefined ? {} : { on }) };
    }),
    variablesFrom: variablesOfCommand(command, `service ${name}`),
    ...{ startupProbe: null, livenessProbe: null, readinessProbe: null },
    memoryLimitBytes: memory === null ? null : Number(memory),
    ...(storeEndpoint === undefined ? {} : { storeEndpoint }),
    ...(role === 'other' || role === 'database' ? {} : settingsOfService(service, project)),
  };
  return {
    ...{ kind: 'service', name, namespace: null, role, component: null, hook: null },
    replicas: deploy?.replicas ?? service.scale ?? null,
    strategy: replacementBySwarm(deploy),
    containers: [container],
    ...(store === undefined ? {} : { store }),
    ...(data === undefined ? {} : { data }),
    ...{ backoffLimit: null, activeDeadlineSeconds: null, schedule: null, lastSuccessAt: null },
    ...{ suspended: null, ready: null, succeeded: null, failed: null },
  };
}

function dataOf(
  service: ComposeService,
  role: WorkloadFact['role'],
  store: WorkloadFact['store'],
  project: Pick<ComposeProject, 'services'> & Partial<ComposeProject>,
): WorkloadFact['data'] {
  const container = {
    image: imageOf(service),
    words: wordsOf(service),
    variable: (name: string) => service.environment?.[name] ?? undefined,
    mounts: mountsOfService(service, project),
  };
  if (store !== undefined) return keptObjects(store.kind, container);
  return role === 'database' ? keptDatabase(container) : undefined;
}

function settingsOfService({ environment }: ComposeService, { services }: Pick<ComposeProject, 'services'>) {
  const all = Object.entries(services);
  const names = new Set(all.flatMap(([name, service]) => hostNamesOf(name, service, all)));
  return ownSettings(
    (name) => environment?.[name],
    (host) => names.has(host),
  );
}

/** Without a name if it is built here. */
function imageOf({ image, pull_policy }: ComposeService): ContainerFact['image'] {
  return imageFact(image ?? '', pull_policy ?? null);
}

function wordsOf({ entrypoint, command }: ComposeService): readonly string[] {
  return [...(entrypoint ?? []), ...(command ?? [])];
}

/** `global` for one on every node; else the order in which the old and the new container stop and start. */
function replacementBySwarm(deploy: ComposeService['deploy']): string | null {
  if (deploy?.mode === 'global') return 'global';
  const isConfigured = deploy?.update_config != null || deploy?.rollback_config != null;
  return deploy?.update_config?.order ?? (isConfigured ? 'stop-first' : null);
}

function roleOf(name: string, service: ComposeService): Exclude<WorkloadFact['role'], 'database'> {
  // A built image without a name is named after its service; the publisher's file calls the service lightdash.
  const image = service.image == null ? { repository: name } : imageOf(service);
  if (name !== publishersName && !isLightdashImage(image)) return 'other';
  const words = wordsOf(service);
  const starts = containerStart(words);
  if (starts === 'worker') return 'worker';
  const serves = words.some((word) => word.includes('dist/index'));
  return starts === 'migration' && !serves ? 'migration' : 'backend';
}

/**
 * The services with the database of Lightdash: what PGHOST of Lightdash names, unless it passes connections on; else
 * everything that may be a PostgreSQL server.
 */
function databasesOf(services: readonly NamedService[]): ReadonlySet<string> {
  const hosts = databaseHostsOf(services);
  const named = services.filter(
    ([name, service]) =>
      hostNamesOf(name, service, services).some((host) => hosts.includes(host)) &&
      !isPool.test(`${name} ${service.image ?? ''}`),
  );
  const chosen = named.length > 0 ? named : services.filter(([name, service]) => mayServe(name, service));
  return new Set(chosen.map(([name]) => name));
}

type NamedService = readonly [name: string, service: ComposeService];

/** Whether Lightdash connects to a host outside the project: a database service inside it may then be another one. */
export function hasExternalDatabase({ services }: Pick<ComposeProject, 'services'>): boolean {
  const named = Object.entries(services);
  const hosts = databaseHostsOf(named);
  const names = named.flatMap(([name, service]) => hostNamesOf(name, service, named));
  return hosts.some((host) => !names.includes(host));
}

function databaseHostsOf(services: readonly NamedService[]): readonly string[] {
  const ofProject = services.filter(([name, service]) => roleOf(name, service) !== 'other');
  // PGCONNECTIONURI takes precedence over PGHOST.
  const hosts = ofProject.map(([, { environment }]) => {
    const uri = environment?.PGCONNECTIONURI;
    return uri && URL.canParse(uri) ? new URL(uri).hostname : environment?.PGHOST;
  });
  return hosts.flatMap((host) => host || []);
}

/** The names by which other services reach a service. */
function hostNamesOf(
  name: string,
  { container_name, networks }: ComposeService,
  services: readonly NamedService[],
): readonly string[] {
  const aliases = Object.values(networks ?? {}).flatMap((network) => network?.aliases ?? []);
  const links = services.flatMap(([, { links }]) => (Array.isArray(links) ? links.map(String) : []));
  const linked = links
    .filter((link) => link.startsWith(`${name}:`))
    .map((link) => link.slice(name.length + 1));
  return [name, ...aliases, ...linked, ...(container_name ? [container_name] : [])];
}

/** A pool or a proxy, which does not tell what is behind it. */
const isPool = /bouncer|pgpool|pgcat|pgdog|odyssey|supavisor|proxy|socat|tunnel/i;

/** The publisher's file calls the service db. */
function mayServe(name: string, service: ComposeService): boolean {
  return service.image != null && (name === 'db' || isDatabaseImage(imageOf(service)));
}
