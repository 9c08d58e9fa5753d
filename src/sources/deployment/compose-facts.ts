import type { ContainerFact, ImageFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { isLightdashImage } from '../../facts/lightdash-containers.js';
import type { ComposeProject, ComposeService } from './compose-project.js';
import { containerStart, variablesOfCommand } from './container-start.js';
import { imageFact, isDatabaseImage } from './image-fact.js';

/** The services of a project as workloads. */
export function workloadsOf({ name, services }: ComposeProject): WorkloadFact[] {
  return services.map((service) => workloadOf(service, name));
}

function workloadOf(service: ComposeService, project: string): WorkloadFact {
  const { name, pullPolicy = null } = service;
  // The name that compose gives to an image that it builds.
  const reference = service.image ?? `${project}-${name}`;
  const { tag, ...image } = imageFact(reference, pullPolicy);
  const role = roleOf(service, { tag, ...image });
  const words = [...(service.entrypoint ?? []), ...(service.command ?? [])];
  return {
    kind: 'service',
    name,
    namespace: null,
    role,
    component: null,
    replicas: service.replicas ?? null,
    strategy: service.ofSwarm ?? null,
    hook: null,
    containers: [
      {
        name,
        init: false,
        // The tag is empty if a variable for it is not set.
        image: { ...image, tag: tag || null },
        entrypointReplaced: service.entrypoint !== undefined,
        starts: startsOf(service),
        variables: service.variables.map(({ file: object, ...variable }) => ({ ...variable, object })),
        variablesFrom:
          role === 'other' || role === 'database' ? [] : variablesOfCommand(words, `service ${name}`),
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
    suspended: service.heldBack ? true : null,
    ready: null,
    succeeded: null,
    failed: null,
    publishedPorts: [...service.ports],
  };
}

/** `command` alone is passed to the entrypoint of the image, which migrates first in any case. */
function startsOf({ entrypoint, command }: ComposeService): ContainerFact['starts'] {
  if (entrypoint === undefined) return 'entrypoint';
  // An empty one removes the entrypoint of the image.
  const words = [...entrypoint, ...(command ?? [])];
  return words.length === 0 ? 'other' : containerStart(words, undefined);
}

function roleOf(service: ComposeService, image: ImageFact): WorkloadFact['role'] {
  const { name, entrypoint = [], command = [] } = service;
  const isBuilt = service.image === undefined;
  // A built image without a name is named after its service; the publisher's file calls the services lightdash and db.
  if (!isBuilt && (name === 'db' || isDatabaseImage(image))) return 'database';
  const isLightdash = name === 'lightdash' || isLightdashImage(isBuilt ? { repository: name } : image);
  if (!isLightdash) return 'other';
  const words = [...entrypoint, ...command];
  switch (containerStart(words, undefined)) {
    case 'migration':
      return words.some((word) => word.includes('dist/index')) ? 'backend' : 'migration';
    case 'worker':
      return 'worker';
    default:
      return 'backend';
  }
}
