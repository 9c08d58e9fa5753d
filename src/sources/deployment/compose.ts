import type { ContainerFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { isLightdashImage } from '../../facts/lightdash-containers.js';
import { imageFact, isDatabaseImage } from '../image-reference.js';
import type { ComposeProject, ComposeService } from './compose-config.js';
import { containerStart, startsByYarn, variablesOfCommand } from './container-facts.js';

/** The services of a project as workloads. */
export function composeWorkloads({ services }: Pick<ComposeProject, 'services'>): WorkloadFact[] {
  const named = Object.entries(services);
  const databases = databasesOf(named);
  return named.map(([name, service]) =>
    workloadOf(name, service, databases.has(name) ? 'database' : roleOf(name, service)),
  );
}

function workloadOf(name: string, service: ComposeService, role: WorkloadFact['role']): WorkloadFact {
  const { deploy, entrypoint, environment, mem_limit } = service;
  const { tag, ...image } = imageOf(service);
  const words = role === 'other' || role === 'database' ? [] : wordsOf(service);
  const memory = deploy?.resources?.limits?.memory ?? mem_limit ?? null;
  // A variable that is named without a value and set nowhere is not passed on.
  const variables = Object.entries(environment ?? {}).filter(([, value]) => value !== null);
  const container: ContainerFact = {
    name,
    init: false,
    // The tag is empty if a variable for it is not set.
    image: { ...image, tag: tag || null },
    entrypointReplaced: entrypoint != null,
    starts: startsOf(service),
    ...(startsByYarn(words) ? { byYarn: true } : {}),
    variables: variables.map(([variable, value]) => ({
      ...{ name: variable, origin: 'literal', object: null, empty: value === '' },
    })),
    variablesFrom: variablesOfCommand(words, `service ${name}`),
    ...{ startupProbe: null, livenessProbe: null, readinessProbe: null },
    memoryLimitBytes: memory === null ? null : Number(memory),
  };
  return {
    ...{ kind: 'service', name, namespace: null, role, component: null, hook: null },
    replicas: deploy?.replicas ?? service.scale ?? null,
    strategy: replacementBySwarm(deploy),
    containers: [container],
    ...{ backoffLimit: null, activeDeadlineSeconds: null, schedule: null, lastSuccessAt: null },
    ...{ suspended: null, ready: null, succeeded: null, failed: null },
  };
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

/** `command` alone is passed to the entrypoint of the image, which migrates first in any case. */
function startsOf(service: ComposeService): ContainerFact['starts'] {
  if (service.entrypoint == null) return 'entrypoint';
  // An empty one removes the entrypoint of the image.
  const words = wordsOf(service);
  return words.length === 0 ? 'other' : containerStart(words, undefined);
}

function roleOf(name: string, service: ComposeService): Exclude<WorkloadFact['role'], 'database'> {
  // A built image without a name is named after its service; the publisher's file calls the service lightdash.
  const image = service.image == null ? { repository: name } : imageOf(service);
  if (name !== 'lightdash' && !isLightdashImage(image)) return 'other';
  const words = wordsOf(service);
  const starts = containerStart(words, undefined);
  if (starts === 'worker') return 'worker';
  const serves = words.some((word) => word.includes('dist/index'));
  return starts === 'migration' && !serves ? 'migration' : 'backend';
}

type Named = readonly (readonly [name: string, service: ComposeService])[];

/**
 * The services with the database of Lightdash: what PGHOST of Lightdash names, unless it passes connections on; else
 * everything that may be a PostgreSQL server.
 */
function databasesOf(services: Named): ReadonlySet<string> {
  const own = services.filter(([name, service]) => roleOf(name, service) !== 'other');
  const hosts = new Set(own.flatMap(([, { environment }]) => databaseHost(environment ?? {}) ?? []));
  const named = services.filter(
    ([name, service]) => namesOf(name, service).some((host) => hosts.has(host)) && !isPool(name, service),
  );
  const chosen = named.length > 0 ? named : services.filter(([name, service]) => mayServe(name, service));
  return new Set(chosen.map(([name]) => name));
}

/** PGCONNECTIONURI takes precedence over PGHOST. */
function databaseHost({
  PGCONNECTIONURI: uri,
  PGHOST: host,
}: NonNullable<ComposeService['environment']>): string | undefined {
  return (uri && URL.canParse(uri) ? new URL(uri).hostname : host) || undefined;
}

/** The names by which other containers reach a service. */
function namesOf(name: string, { container_name, networks }: ComposeService): readonly string[] {
  const aliases = Object.values(networks ?? {}).flatMap((network) => network?.aliases ?? []);
  return [name, ...(container_name == null ? [] : [container_name]), ...aliases];
}

/** A pool or a proxy: what is behind it is not told. */
function isPool(name: string, { image }: ComposeService): boolean {
  return /bouncer|pgpool|pgcat|pgdog|odyssey|supavisor|proxy|socat|tunnel/i.test(`${name} ${image ?? ''}`);
}

/** The publisher's file calls the service db. A client of a database has its image too. */
function mayServe(name: string, service: ComposeService): boolean {
  if (service.image == null || !(name === 'db' || isDatabaseImage(imageOf(service)))) return false;
  const words = wordsOf(service).join(' ');
  return startsServer.test(words) || !runsOther.test(words);
}

/** Options are passed to the server, too. */
const startsServer = /^-|\bdocker-entrypoint\b|\bpg_ctl\b|(?:^|[;&|]\s*|\bexec\s+)(?:\S*\/)?postgres\b/;
const runsOther =
  /\bpg_(?:basebackup|isready|receivewal|restore)\b|\bpsql\b|backup|dump|\bcrond?\b|\bsleep\b/i;
