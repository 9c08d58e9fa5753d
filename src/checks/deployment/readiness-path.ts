import { underKeys } from '../../core/text/quoted-words.js';
import { isOlder, type Version } from '../../core/version.js';
import type { ContainerFact } from '../../instance/facts/deployment-facts.js';
import {
  type LightdashContainer,
  servingContainers,
  versionOf,
} from '../../instance/facts/lightdash-containers.js';
import { firstWith } from '../../instance/first-versions.js';
import {
  pathOfBackendValues,
  type ValuesFacts,
  workloadName,
  workloadsNotSeen,
} from '../../instance/workloads.js';
import { countOf } from '../../words/phrase.js';
import { type CheckInput, defineCheck, ok, stop, warn } from '../check.js';

const probeNames = ['startup', 'liveness', 'readiness'] as const;
type Probe = NonNullable<ContainerFact['readinessProbe']>;

interface ProbeRequest {
  readonly workload: string;
  readonly probe: (typeof probeNames)[number];
  /** The keys of the values that set it; null if none do. */
  readonly path: readonly string[] | null;
}

const nameOfProbe = ({ workload, probe }: Omit<ProbeRequest, 'path'>) => `the ${probe} probe of ${workload}`;
const remedyToRequestPath = (requested: string) => ({
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
    yield* workloadsNotSeen(deployment, workloads);
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
    `${firstWith.readyzWarns}, it fails in every pod while a migration is parked. Whether Lightdash listens on ` +
    'the port of the probe, where PORT was seen. If the images are already ' +
    'those of the target, the probes are checked against it alone.',
  finds: {
    'readyz-not-served': {
      meaning:
        `A probe requests /api/v1/readyz from a release before ${firstWith.readyz}, which has no such path: ` +
        'the pod never gets ready, or is killed.',
      remedy: 'Point the probe at a path that this release serves.',
      describe: ({ version, ...request }) =>
        `${nameOfProbe(request)} requests /api/v1/readyz, which ${version} does not serve`,
      ...remedyToRequestPath(health),
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
      ...remedyToRequestPath(health),
    },
    'probe-finds-nothing': {
      meaning:
        'A probe requests something that no release serves there: the pod never gets ready, or is killed again ' +
        'and again. Lightdash listens on PORT (8080 without it), answers HTTP, and has no other paths for probes ' +
        `than /api/v1/livez, ${health} and, in the backend from ${firstWith.readyz} on, /api/v1/readyz.`,
      remedy: 'Point the probe at the port of Lightdash, and at a path that it serves.',
      describe: ({ asks, ...request }) => `${nameOfProbe(request)} requests ${asks}: nothing answers it`,
    },
    'worker-livez-always-well': {
      meaning:
        'The path /api/v1/livez of a worker always answers, even while its scheduler is dead, so no restart ever fixes it ' +
        `(#25356). ${health} of a worker does not query the database: it fails if the worker runs no jobs.`,
      remedy: `Point the liveness probe of the worker at ${health}, the default of the chart.`,
      describe: (request) =>
        `${nameOfProbe(request)} requests /api/v1/livez, which answers even if its scheduler is dead`,
    },
    'probe-path-not-known': {
      meaning:
        'No release has this path for probes. What answers is an error, for which pods are killed, or the page, ' +
        'which shows no more than that Lightdash listens.',
      remedy: 'Point the probe at /api/v1/livez.',
      describe: ({ asks, ...request }) =>
        `${nameOfProbe(request)} requests ${asks}, which is no path for probes`,
      ...remedyToRequestPath('/api/v1/livez'),
    },
    'liveness-asks-database': {
      meaning:
        'A liveness probe depends on the database, so pods are killed for something that no restart fixes.',
      remedy: 'Point the liveness probe at /api/v1/livez.',
      describe: ({ asks, ...request }) =>
        `${nameOfProbe(request)} requests ${asks}, which depends on the database`,
      ...remedyToRequestPath('/api/v1/livez'),
    },
    'health-kept': {
      meaning:
        `From ${firstWith.readyzWarns} on, readyz shows whether the schema is there; health answers 200 even ` +
        'without it. A path that you once set overrides the default of the chart.',
      remedy: 'Leave the path to the chart, which picks it by release, or set /api/v1/readyz.',
      describe: ({ version, ...request }) =>
        `${nameOfProbe(request)} requests ${health}, which in ${version} answers 200 even without the schema`,
      ...remedyToRequestPath(''),
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

interface AppliedValues extends ValuesFacts, Pick<CheckInput<never, never>, 'from' | 'to'> {}

function* judgeContainer(
  { workload: of, container }: LightdashContainer,
  { from, to, ...values }: AppliedValues,
) {
  const workload = workloadName(of);
  const path = pathOfBackendValues(of, values);
  const release = versionOf(container);
  // A workload that names the target already is applied together with it.
  const versions = release === to ? [to] : [from, to];
  const isWorker = of.role === 'worker';
  for (const [name, probe] of probesOf(container)) {
    const request: ProbeRequest = { workload, probe: name, path };
    const served = servedBy(probe);
    const unmet = unmetBy(probe, isWorker);
    if (unmet !== undefined) {
      yield stop(workload, { kind: 'probe-finds-nothing', asks: unmet, ...request });
      continue;
    }
    if (served === 'readyz') yield* judgeReadyz(isWorker, versions, request);
    const asks = String(probe.path);
    // A worker's health asks no database, and its livez nothing at all.
    if (name === 'liveness' && isWorker && served === 'livez')
      yield warn(workload, { kind: 'worker-livez-always-well', ...request });
    if (name === 'liveness' && !isWorker && served === 'health')
      yield warn(workload, { kind: 'liveness-asks-database', asks, ...request });
    if (name !== 'readiness' && !isWorker && isOtherPath(probe))
      yield warn(workload, { kind: 'probe-path-not-known', asks, ...request });
  }
  if (of.role !== 'backend') return;
  // Whether the readiness probe of a backend shows that it can serve.
  const { readinessProbe: probe } = container;
  const request: ProbeRequest = { workload, probe: 'readiness', path };
  const served = probe === null ? undefined : servedBy(probe);
  if (probe !== null && unmetBy(probe, false) !== undefined) return;
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

/** Why no release of Lightdash answers a probe, in words; undefined if one may. */
function unmetBy(probe: Probe, isWorker: boolean): string | undefined {
  const { kind, path, atPort } = probe;
  if (kind === 'grpc') return 'gRPC';
  // Metrics are at a port of their own.
  if (kind === 'exec' || path === '/metrics') return undefined;
  if (atPort === 'nothing') return 'a port on which Lightdash does not listen';
  if (atPort === 'no-tls') return 'HTTPS, but Lightdash answers HTTP';
  if (kind !== 'http' || servedBy(probe) !== undefined) return undefined;
  // A worker has its two paths for probes and no page.
  return isWorker && path !== null ? path : undefined;
}

/** Whether a probe requests neither a known path nor the page. */
function isOtherPath(probe: Probe): boolean {
  const { kind, path } = probe;
  return kind === 'http' && servedBy(probe) === undefined && path !== null && !/^\/?$|^\/metrics$/.test(path);
}

/** The path of Lightdash that a probe requests, below any base path. */
function servedBy({ kind, path }: Probe): string | undefined {
  if (kind !== 'http') return undefined;
  return /\/api\/v1\/(readyz|health|livez)\/?(?:[?].*)?$/.exec(path ?? '')?.[1];
}
