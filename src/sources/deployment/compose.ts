import type { ContainerFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { isLightdashImage } from '../../facts/lightdash-containers.js';
import { imageFact, isDatabaseImage } from '../image-reference.js';
import type { ComposeProject, ComposeService } from './compose-config.js';
import { containerStart, startsByYarn, variablesOfCommand } from './container-start.js';

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
  const words = wordsOf(service);
  const own = role === 'other' || role === 'database' ? [] : words;
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
    ...(startsByYarn(own) ? { byYarn: true } : {}),
    variables: variables.map(([variable, value]) => ({
      ...{ name: variable, origin: 'literal', object: null, empty: value === '' },
    })),
    variablesFrom: variablesOfCommand(own, `service ${name}`),
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

function roleOf(name: string, service: ComposeService): Exclude<WorkloadFact['role'], 'database'> {
  // A built image without a name is named after its service; the publisher's file calls the service lightdash.
  const image = service.image == null ? { repository: name } : imageOf(service);
  if (name !== 'lightdash' && !isLightdashImage(image)) return 'other';
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
function databasesOf(services: readonly (readonly [string, ComposeService])[]): ReadonlySet<string> {
  const own = services.filter(([name, service]) => roleOf(name, service) !== 'other');
  // PGCONNECTIONURI takes precedence over PGHOST.
  const hosts = own.map(([, { environment }]) => {
    const uri = environment?.PGCONNECTIONURI;
    return uri && URL.canParse(uri) ? new URL(uri).hostname : environment?.PGHOST;
  });
  const named = services.filter(([name, service]) => {
    const { container_name, networks, image } = service;
    const aliases = Object.values(networks ?? {}).flatMap((network) => network?.aliases ?? []);
    const isNamed = [name, container_name, ...aliases].some((one) => one && hosts.includes(one));
    return isNamed && !isPool.test(`${name} ${image ?? ''}`);
  });
  const chosen = named.length > 0 ? named : services.filter(([name, service]) => mayServe(name, service));
  return new Set(chosen.map(([name]) => name));
}

/** A pool or a proxy, which does not tell what is behind it. */
const isPool = /bouncer|pgpool|pgcat|pgdog|odyssey|supavisor|proxy|socat|tunnel/i;

/** The publisher's file calls the service db. */
function mayServe(name: string, service: ComposeService): boolean {
  return service.image != null && (name === 'db' || isDatabaseImage(imageOf(service)));
}
