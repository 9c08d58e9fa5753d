import type { ContainerFact } from '../../facts/deployment-facts.js';
import { type LightdashContainer, servingContainers } from '../../facts/lightdash-containers.js';
import { versionOf } from '../../facts/release-tag.js';
import type { Version } from '../../release-safety/version.js';
import { pathOfBackendValues, type ValuesFacts } from '../backend-values.js';
import { type Answers, defineCheck, foundOrOk, type Given, type Judgement, ok } from '../check.js';
import { firstWith, isOlder } from '../runtime-eras.js';
import { lackingWorkloads, nameOf } from '../workloads.js';

/** A probe, by its purpose. */
type ProbeName = 'startup' | 'liveness' | 'readiness';
type Probe = NonNullable<ContainerFact['readinessProbe']>;

interface Asked {
  readonly workload: string;
  readonly probe: ProbeName;
  /** The keys of the values that set it; null if none do. */
  readonly path: readonly string[] | null;
}

export type ReadinessPathEvidence =
  | ({ readonly kind: 'readyz-not-served'; readonly version: string } & Asked)
  | ({ readonly kind: 'worker-has-no-readyz' } & Asked)
  | ({ readonly kind: 'readyz-fails-on-parked'; readonly version: string } & Asked)
  | ({ readonly kind: 'liveness-asks-database'; readonly asks: string } & Asked)
  | ({ readonly kind: 'health-kept'; readonly version: string } & Asked)
  | ({ readonly kind: 'readiness-tells-little'; readonly asks: string } & Asked)
  | { readonly kind: 'readiness-paths-served'; readonly probes: number }
  | { readonly kind: 'compose-does-not-probe' };

/** Whether the probes request paths that the releases of this upgrade serve, and that show readiness. */
export const readinessPath = defineCheck({
  id: 'readiness-path',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  mayNeed: ['helm', 'chartValues'],
  needsArtifacts: false,
  judge({ from, to, facts: { deployment, workloads, helm, chartValues } }): Answers<ReadinessPathEvidence> {
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
});

interface Applied extends ValuesFacts, Pick<Given<never, never>, 'from' | 'to'> {}
type Found = Omit<Judgement<ReadinessPathEvidence>, 'subject'>;

function judgeOne(one: LightdashContainer, { from, to, ...values }: Applied): readonly Found[] {
  const { workload, container } = one;
  const own = versionOf(container);
  const path = pathOfBackendValues(workload, values);
  // A workload that names the target already is applied together with it.
  const versions = own === to ? [to] : [from, to];
  const found = probesOf(container).flatMap(({ name, probe }): readonly Found[] => {
    const asked = { workload: nameOf(workload), probe: name, path };
    const served = servedBy(probe);
    if (served === 'readyz') return judgeReadyz(one, versions, asked);
    return served === 'health' && name === 'liveness'
      ? [{ status: 'warn', evidence: { kind: 'liveness-asks-database', asks: String(probe.path), ...asked } }]
      : [];
  });
  return [...found, ...(workload.role === 'backend' ? judgeReadiness(one, own, path) : [])];
}

function judgeReadyz(
  { workload }: LightdashContainer,
  versions: readonly Version[],
  asked: Asked,
): readonly Found[] {
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
): readonly Found[] {
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
