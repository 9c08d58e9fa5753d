import type { ContainerFact } from '../facts/deployment-facts.js';
import { type LightdashContainer, servingContainers, versionOf } from '../facts/lightdash-containers.js';
import { firstWith, isOlder } from '../instance/eras.js';
import { lackingWorkloads, nameOf, pathOfBackendValues, type ValuesFacts } from '../instance/workloads.js';
import type { Version } from '../release-safety/version.js';
import { countOf } from '../render/phrase.js';
import { underKeys } from '../render/yaml-map.js';
import { defineCheck, type EvidenceOf, foundOrOk, type Given, type Judgement, ok } from './check.js';

/** A probe, by its purpose. */
type ProbeName = 'startup' | 'liveness' | 'readiness';
type Probe = NonNullable<ContainerFact['readinessProbe']>;

interface Asked {
  readonly workload: string;
  readonly probe: ProbeName;
  /** The keys of the values that set it; null if none do. */
  readonly path: readonly string[] | null;
}

interface Kinds {
  'readyz-not-served': Asked & { version: string };
  'worker-has-no-readyz': Asked;
  'readyz-fails-on-parked': Asked & { version: string };
  'liveness-asks-database': Asked & { asks: string };
  'health-kept': Asked & { version: string };
  'readiness-tells-little': Asked & { asks: string };
  'readiness-paths-served': { probes: number };
  'compose-does-not-probe': null;
}

const asker = ({ workload, probe }: Omit<Asked, 'path'>) => `the ${probe} probe of ${workload}`;
const letAsk = (asked: string) => ({
  values: ({ probe, path }: Asked) =>
    path === null
      ? []
      : underKeys([...path, 'lightdashBackend', `${probe}Probe`], [`path: ${asked === '' ? '""' : asked}`]),
});
const health = '/api/v1/health';

export const readinessPath = defineCheck<Kinds>()({
  id: 'readiness-path',
  group: 'deployment',
  needs: ['deployment', 'workloads'],
  mayNeed: ['helm', 'chartValues'],
  judge({ from, to, facts: { deployment, workloads, helm, chartValues } }) {
    if (deployment.kind === 'compose') {
      return [ok({ kind: 'compose-does-not-probe' })];
    }
    const serving = servingContainers(workloads);
    const findings = serving.flatMap((one) =>
      judgeOne(one, { from, to, helm, chartValues }).map((judged) => ({
        ...judged,
        subject: nameOf(one.workload),
      })),
    );
    const probes = serving.flatMap(({ container }) => probesOf(container)).length;
    return foundOrOk([...lackingWorkloads(deployment, workloads), ...findings], {
      kind: 'readiness-paths-served',
      probes,
    });
  },
  words: {
    label: 'Probe paths',
    meaning: 'Whether the probes request paths that the releases of this upgrade serve.',
    looksAt: `The startup, liveness and readiness probe of every container that runs Lightdash, against the running release and the target: /api/v1/readyz is there from ${firstWith.readyz} on, never in workers, and before ${firstWith.readyzWarns} it fails in every pod while a migration is parked. If the images are already those of the target, the probes are checked against it alone.`,
    finds: {
      'readyz-not-served': {
        meaning: `A probe requests /api/v1/readyz from a release before ${firstWith.readyz}, which has no such path: the pod never gets ready, or is killed.`,
        remedy: 'Let the probe request a path that this release serves.',
        describe: ({ version, ...asked }) =>
          `${asker(asked)} requests /api/v1/readyz, which ${version} does not serve`,
        ...letAsk(health),
      },
      'worker-has-no-readyz': {
        meaning:
          'A probe requests /api/v1/readyz from a worker. No release serves it there: the pod never gets ready, or is killed.',
        remedy: `Let the probe of the worker request ${health}, which workers serve.`,
        describe: (asked) => `${asker(asked)} requests /api/v1/readyz, which no worker serves`,
      },
      'readyz-fails-on-parked': {
        meaning: `From ${firstWith.readyz} to before ${firstWith.readyzWarns} readyz fails in every pod at once while a migration is parked: one failed upgrade takes the old pods out of service, too.`,
        remedy: `Let the readiness probe request ${health} until both ends of the upgrade are ${firstWith.readyzWarns} or later.`,
        describe: ({ version, ...asked }) =>
          `${asker(asked)} requests /api/v1/readyz, which in ${version} fails everywhere while a migration is parked`,
        ...letAsk(health),
      },
      'liveness-asks-database': {
        meaning:
          'A liveness probe requests a path that depends on the database. Pods are killed for problems that no restart fixes, even in the middle of a migration.',
        remedy: 'Let the liveness probe request /api/v1/livez.',
        describe: ({ asks, ...asked }) => `${asker(asked)} requests ${asks}, which depends on the database`,
        ...letAsk('/api/v1/livez'),
      },
      'health-kept': {
        meaning: `From ${firstWith.readyzWarns} on, readyz shows whether the schema is there; health answers 200 without it. A path that you once set overrides the default of the chart.`,
        remedy: 'Leave the path to the chart, which chooses it by the release, or set /api/v1/readyz.',
        describe: ({ version, ...asked }) =>
          `${asker(asked)} requests ${health}, which in ${version} is 200 without the schema`,
        ...letAsk(''),
      },
      'readiness-tells-little': {
        meaning:
          'What the readiness probe requests does not show whether Lightdash can serve. A pod counts as ready too early.',
        remedy: `Let it request /api/v1/readyz from ${firstWith.readyzWarns} on, ${health} before.`,
        describe: ({ asks, ...asked }) =>
          asks === 'nothing'
            ? `${asked.workload} has no readiness probe`
            : asks.startsWith('/')
              ? `${asker(asked)} requests ${asks}`
              : `${asker(asked)} requests no path: it is of the kind ${asks}`,
      },
      'readiness-paths-served': ({ probes }) =>
        `${countOf(probes, 'probe requests', 'probes request')} what is served`,
      'compose-does-not-probe': 'Compose has no such probes.',
    },
  },
});

interface Applied extends ValuesFacts, Pick<Given<never, never>, 'from' | 'to'> {}
type OfProbe = readonly Omit<Judgement<EvidenceOf<Kinds>>, 'subject'>[];

function judgeOne(one: LightdashContainer, { from, to, ...values }: Applied): OfProbe {
  const { workload, container } = one;
  const own = versionOf(container);
  const path = pathOfBackendValues(workload, values);
  // A workload that names the target already is applied together with it.
  const versions = own === to ? [to] : [from, to];
  const found = probesOf(container).flatMap(({ name, probe }): OfProbe => {
    const asked = { workload: nameOf(workload), probe: name, path };
    const served = servedBy(probe);
    if (served === 'readyz') return judgeReadyz(one, versions, asked);
    return served === 'health' && name === 'liveness'
      ? [{ status: 'warn', evidence: { kind: 'liveness-asks-database', asks: String(probe.path), ...asked } }]
      : [];
  });
  return [...found, ...(workload.role === 'backend' ? judgeReadiness(one, own, path) : [])];
}

function judgeReadyz({ workload }: LightdashContainer, versions: readonly Version[], asked: Asked): OfProbe {
  if (workload.role === 'worker') {
    return [{ status: 'stop', evidence: { kind: 'worker-has-no-readyz', ...asked } }];
  }
  const without = versions.find((version) => isOlder(version, firstWith.readyz));
  if (without !== undefined) {
    return [{ status: 'stop', evidence: { kind: 'readyz-not-served', version: without, ...asked } }];
  }
  if (asked.probe === 'liveness') {
    return [{ status: 'warn', evidence: { kind: 'liveness-asks-database', asks: readyz, ...asked } }];
  }
  const failing = versions.find((version) => isOlder(version, firstWith.readyzWarns));
  return failing === undefined
    ? []
    : [{ status: 'warn', evidence: { kind: 'readyz-fails-on-parked', version: failing, ...asked } }];
}

/** Whether the readiness probe of a backend shows that it can serve. */
function judgeReadiness(
  { workload, container }: LightdashContainer,
  own: Version | undefined,
  path: Asked['path'],
): OfProbe {
  const { readinessProbe: probe } = container;
  const asked = { workload: nameOf(workload), probe: 'readiness', path } as const;
  const served = probe === null ? undefined : servedBy(probe);
  if (served === 'readyz') return [];
  if (served !== 'health') {
    const asks = probe === null ? 'nothing' : (probe.path ?? probe.kind);
    return [{ status: 'warn', evidence: { kind: 'readiness-tells-little', asks, ...asked } }];
  }
  return own === undefined || isOlder(own, firstWith.readyzWarns)
    ? []
    : [{ status: 'warn', evidence: { kind: 'health-kept', version: own, ...asked } }];
}

function probesOf({ startupProbe, livenessProbe, readinessProbe }: ContainerFact) {
  const named: readonly { readonly name: ProbeName; readonly probe: Probe | null }[] = [
    { name: 'startup', probe: startupProbe },
    { name: 'liveness', probe: livenessProbe },
    { name: 'readiness', probe: readinessProbe },
  ];
  return named.flatMap(({ name, probe }) => (probe === null ? [] : [{ name, probe }]));
}

const readyz = '/api/v1/readyz';

/** The path of Lightdash that a probe requests, below any base path. */
function servedBy({ kind, path }: Probe): string | undefined {
  if (kind !== 'http') return undefined;
  return /\/api\/v1\/(readyz|health|livez)\/?(?:[?].*)?$/.exec(path ?? '')?.[1];
}
