import { countOf } from '../../core/text/phrase.js';
import { underKeys } from '../../core/text/quoted-words.js';
import type { Version } from '../../core/version.js';
import type { ContainerFact } from '../../instance/facts/deployment-facts.js';
import {
  type LightdashContainer,
  servingContainers,
  versionOf,
} from '../../instance/facts/lightdash-containers.js';
import { firstWith, isOlder } from '../../instance/first-versions.js';
import {
  lackingWorkloads,
  pathOfBackendValues,
  type ValuesFacts,
  workloadName,
} from '../../instance/workloads.js';
import { defineCheck, type Given, ok, stop, warn } from '../check.js';

const probeNames = ['startup', 'liveness', 'readiness'] as const;
type Probe = NonNullable<ContainerFact['readinessProbe']>;

interface ProbeRequest {
  readonly workload: string;
  readonly probe: (typeof probeNames)[number];
  /** The keys of the values that set it; null if none do. */
  readonly path: readonly string[] | null;
}

const nameOfProbe = ({ workload, probe }: Omit<ProbeRequest, 'path'>) => `the ${probe} probe of ${workload}`;
const letRequest = (requested: string) => ({
  values: ({ probe, path }: ProbeRequest) =>
    path === null
      ? []
      : underKeys(
          [...path, 'lightdashBackend', `${probe}Probe`],
          [`path: ${requested === '' ? '""' : requested}`],
        ),
});
const health = '/api/v1/health';

export const readinessPath = defineCheck({
  id: 'readiness-path',
  needs: ['deployment', 'workloads'],
  mayNeed: ['helm', 'chartValues'],
  *judge({ from, to, facts: { deployment, workloads, helm, chartValues } }) {
    if (deployment.kind === 'compose') return ok({ kind: 'compose-does-not-probe' });
    const serving = servingContainers(workloads);
    yield* lackingWorkloads(deployment, workloads);
    for (const container of serving) yield* judgeContainer(container, { from, to, helm, chartValues });
    const probes = serving.flatMap(({ container }) => probesOf(container)).length;
    return ok({ kind: 'readiness-paths-served', probes });
  },
})({
  label: 'Probe paths',
  meaning:
    'Whether the probes request paths that the releases of this upgrade serve. What it looks at: The startup, ' +
    'liveness and readiness probe of every container that runs Lightdash, against the running release and the ' +
    `target. /api/v1/readyz exists from ${firstWith.readyz} on, never in workers; before ` +
    `${firstWith.readyzWarns}, it fails in every pod while a migration is parked. If the images are already ` +
    'those of the target, the probes are checked against it alone.',
  finds: {
    'readyz-not-served': {
      meaning:
        `A probe requests /api/v1/readyz from a release before ${firstWith.readyz}, which has no such path: ` +
        'the pod never gets ready, or is killed.',
      remedy: 'Point the probe at a path that this release serves.',
      describe: ({ version, ...request }) =>
        `${nameOfProbe(request)} requests /api/v1/readyz, which ${version} does not serve`,
      ...letRequest(health),
    },
    'worker-has-no-readyz': {
      meaning: 'A probe requests /api/v1/readyz from a worker, where no release serves it.',
      remedy: `Point the probe of the worker at ${health}, which workers serve.`,
      describe: (request) => `${nameOfProbe(request)} requests /api/v1/readyz, which no worker serves`,
    },
    'readyz-fails-on-parked': {
      meaning:
        `From ${firstWith.readyz} to before ${firstWith.readyzWarns}, readyz fails in every pod at once while ` +
        'a migration is parked: one failed upgrade also takes the old pods out of service.',
      remedy:
        `Point the readiness probe at ${health} until both ends of the upgrade are ${firstWith.readyzWarns} or ` +
        'later.',
      describe: ({ version, ...request }) =>
        `${nameOfProbe(request)} requests /api/v1/readyz, which in ${version} fails everywhere while a ` +
        'migration is parked',
      ...letRequest(health),
    },
    'liveness-asks-database': {
      meaning:
        'A liveness probe depends on the database, so pods are killed for something that no restart fixes.',
      remedy: 'Point the liveness probe at /api/v1/livez.',
      describe: ({ asks, ...request }) =>
        `${nameOfProbe(request)} requests ${asks}, which depends on the database`,
      ...letRequest('/api/v1/livez'),
    },
    'health-kept': {
      meaning:
        `From ${firstWith.readyzWarns} on, readyz shows whether the schema is there; health answers 200 even ` +
        'without it. A path that you once set overrides the default of the chart.',
      remedy: 'Leave the path to the chart, which picks it by release, or set /api/v1/readyz.',
      describe: ({ version, ...request }) =>
        `${nameOfProbe(request)} requests ${health}, which in ${version} answers 200 even without the schema`,
      ...letRequest(''),
    },
    'readiness-tells-little': {
      meaning: 'The readiness probe does not show that Lightdash can serve: a pod counts as ready too early.',
      remedy: `Point it at /api/v1/readyz from ${firstWith.readyzWarns} on, at ${health} before.`,
      describe({ asks, ...request }) {
        if (asks === 'nothing') return `${request.workload} has no readiness probe`;
        const isPath = asks.startsWith('/');
        return `${nameOfProbe(request)} requests ${isPath ? asks : `no path (kind ${asks})`}`;
      },
    },
    'readiness-paths-served': ({ probes }) =>
      `${countOf(probes, 'probe requests', 'probes request')} a path that is served`,
    'compose-does-not-probe': 'Compose has no such probes.',
  },
});

interface Applied extends ValuesFacts, Pick<Given<never, never>, 'from' | 'to'> {}

function* judgeContainer({ workload: of, container }: LightdashContainer, { from, to, ...values }: Applied) {
  const workload = workloadName(of);
  const path = pathOfBackendValues(of, values);
  const release = versionOf(container);
  // A workload that names the target already is applied together with it.
  const versions = release === to ? [to] : [from, to];
  for (const [name, probe] of probesOf(container)) {
    const request: ProbeRequest = { workload, probe: name, path };
    const served = servedBy(probe);
    if (served === 'readyz') yield* judgeReadyz(of.role === 'worker', versions, request);
    if (served === 'health' && name === 'liveness')
      yield warn(workload, { kind: 'liveness-asks-database', asks: String(probe.path), ...request });
  }
  if (of.role !== 'backend') return;
  // Whether the readiness probe of a backend shows that it can serve.
  const { readinessProbe: probe } = container;
  const request: ProbeRequest = { workload, probe: 'readiness', path };
  const served = probe === null ? undefined : servedBy(probe);
  if (served === 'health') {
    if (release !== undefined && !isOlder(release, firstWith.readyzWarns))
      yield warn(workload, { kind: 'health-kept', version: release, ...request });
  } else if (served !== 'readyz') {
    const asks = probe === null ? 'nothing' : (probe.path ?? probe.kind);
    yield warn(workload, { kind: 'readiness-tells-little', asks, ...request });
  }
}

function* judgeReadyz(isWorker: boolean, versions: readonly Version[], request: ProbeRequest) {
  const { workload, probe } = request;
  const without = versions.find((version) => isOlder(version, firstWith.readyz));
  const parked = versions.find((version) => isOlder(version, firstWith.readyzWarns));
  if (isWorker) yield stop(workload, { kind: 'worker-has-no-readyz', ...request });
  else if (without !== undefined)
    yield stop(workload, { kind: 'readyz-not-served', version: without, ...request });
  else if (probe === 'liveness')
    yield warn(workload, { kind: 'liveness-asks-database', asks: '/api/v1/readyz', ...request });
  else if (parked !== undefined)
    yield warn(workload, { kind: 'readyz-fails-on-parked', version: parked, ...request });
}

function probesOf({ startupProbe, livenessProbe, readinessProbe }: ContainerFact) {
  const probes = { startup: startupProbe, liveness: livenessProbe, readiness: readinessProbe };
  return probeNames.flatMap((name) => (probes[name] === null ? [] : [[name, probes[name]] as const]));
}

/** The path of Lightdash that a probe requests, below any base path. */
function servedBy({ kind, path }: Probe): string | undefined {
  if (kind !== 'http') return undefined;
  return /\/api\/v1\/(readyz|health|livez)\/?(?:[?].*)?$/.exec(path ?? '')?.[1];
}
