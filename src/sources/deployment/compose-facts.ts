import type { ContainerFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { parseImageReference } from '../image-reference.js';
import type { ComposeProject, ComposeService } from './compose-project.js';

/** The services of a project as workloads. */
export function workloadsOf({ name, services }: ComposeProject): WorkloadFact[] {
  return services.map((service) => workloadOf(service, name));
}

function workloadOf(service: ComposeService, project: string): WorkloadFact {
  const { name, entrypoint, pullPolicy = null } = service;
  // How compose names what it builds.
  const reference = service.image ?? `${project}-${name}`;
  const { registry, repository, tag, digest } = parseImageReference(reference);
  return {
    kind: 'service',
    name,
    namespace: null,
    role: roleOf(service),
    component: null,
    replicas: service.replicas ?? null,
    strategy: null,
    hook: null,
    containers: [
      {
        name,
        init: false,
        image: {
          reference,
          registry: registry ?? null,
          repository: repository ?? null,
          // Where a variable was to tell it and is not set, nothing stands there.
          tag: tag || null,
          digest: digest ?? null,
          pullPolicy,
        },
        entrypointReplaced: entrypoint !== undefined,
        starts: startsOf(service),
        variables: service.variables.map(({ file: object, ...variable }) => ({ ...variable, object })),
        variablesFrom: [],
        startupProbe: null,
        livenessProbe: null,
        readinessProbe: null,
        memoryLimitBytes: service.memoryLimitBytes ?? null,
      },
    ],
    terminationGraceSeconds: service.graceSeconds ?? null,
    backoffLimit: null,
    activeDeadlineSeconds: null,
    schedule: null,
    restart: service.restart ?? null,
    lastSuccessAt: null,
    suspended: null,
    ready: null,
    succeeded: null,
    failed: null,
    publishedPorts: [...service.ports],
  };
}

const migrates = /\bmigrate(?:-production|:latest|\s+up)?\b/;
const works = /\b(?:scheduler|[\w-]*worker)\b/i;
const serves = /\bdist\/index\.js\b/;

function wordsOf({ entrypoint = [], command = [] }: ComposeService): string {
  return [...entrypoint, ...command].join(' ');
}

/** `command` alone is handed to the entrypoint of the image, which migrates first whatever it is. */
function startsOf(service: ComposeService): ContainerFact['starts'] {
  if (service.entrypoint === undefined) return 'entrypoint';
  const words = wordsOf(service);
  const kinds = [
    ...(migrates.test(words) ? (['migration'] as const) : []),
    ...(serves.test(words) ? (['server'] as const) : []),
    ...(works.test(words) ? (['worker'] as const) : []),
  ];
  const [only = 'other', second] = kinds;
  return second === undefined ? only : 'other';
}

function roleOf(service: ComposeService): WorkloadFact['role'] {
  // What is built and not named is called after its service.
  const image =
    parseImageReference(service.image ?? service.name)
      .repository?.split('/')
      .at(-1) ?? '';
  if (/^(?:postgres|postgresql|pgvector)$/.test(image)) return 'database';
  const isLightdash =
    service.name === 'lightdash' || (/lightdash/i.test(image) && !besideLightdash.test(image));
  if (!isLightdash) return 'other';
  const words = wordsOf(service);
  if (migrates.test(words)) return serves.test(words) ? 'backend' : 'migration';
  return works.test(words) ? 'worker' : 'backend';
}

/** What is deployed with it, and may be named after it. */
const besideLightdash = /browser|chrome|minio|nats|redis|proxy|nginx|postgres|database|db$/i;
