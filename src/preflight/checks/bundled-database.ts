import type { ImageFact, WorkloadFact } from '../../facts/deployment-facts.js';
import { mayNotSee } from '../../facts/may-not-see.js';
import { isOtherChart } from '../../facts/publisher-names.js';
import { chartOf, chartWith, isChartBefore } from '../chart-eras.js';
import { type Answers, defineCheck, type FactOf, foundOrOk, type Given, ok, stop } from '../check.js';
import { nameOf } from '../workloads.js';
import { needsVector } from './extensions.js';

export type BundledDatabaseEvidence =
  | { readonly kind: 'database-recreated'; readonly workload: string; readonly chart: string | null }
  | { readonly kind: 'database-image-floats'; readonly workload: string; readonly image: string }
  | {
      readonly kind: 'database-major-changes';
      readonly workload: string;
      readonly image: string;
      readonly imageMajor: number;
      readonly serverMajor: number;
    }
  | { readonly kind: 'database-without-vector'; readonly workload: string; readonly image: string }
  | {
      readonly kind: 'database-kept';
      readonly workloads: readonly string[];
      readonly images: readonly string[];
    }
  | { readonly kind: 'no-bundled-database' };

/** Whether the PostgreSQL that is deployed with Lightdash outlives the upgrade. */
export const bundledDatabase = defineCheck({
  id: 'bundled-database',
  group: 'deployment',
  canStop: true,
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'server', 'extensions'],
  needsArtifacts: false,
  judge(given): Answers<BundledDatabaseEvidence> {
    const databases = given.facts.workloads.filter(({ role }) => role === 'database');
    if (databases.length === 0) return judgeUnseen(given.facts);
    const images = databases.flatMap(imagesOf);
    return foundOrOk(
      databases.flatMap((workload) => [
        ...judgeHook(workload, given.facts),
        ...imagesOf(workload).flatMap((image) => judgeImage(nameOf(workload), image, given)),
      ]),
      {
        kind: 'database-kept',
        workloads: databases.map(nameOf),
        images: images.map(({ reference }) => reference),
      },
    );
  },
});

type Told = Given<'deployment' | 'workloads', 'helm', 'chartValues' | 'server' | 'extensions'>;
type Facts = Told['facts'];

/** `helm get manifest` omits a database that is a hook; kubectl lists one only if it was requested. */
function judgeUnseen({ deployment, workloads, helm, chartValues }: Facts): Answers<BundledDatabaseEvidence> {
  const none = ok({ kind: 'no-bundled-database' });
  if (deployment.kind === 'compose' || helm === null) {
    return mayNotSee(deployment, 'StatefulSet', 'Deployment')
      ? [{ lacks: 'workloads', why: 'not-permitted' }]
      : [none];
  }
  if (mayNotSee(deployment, 'StatefulSet')) return [{ lacks: 'workloads', why: 'not-permitted' }];
  const printed = deployment.origin === 'cluster' && deployment.context === undefined;
  const wereAskedFor = workloads.some(({ kind }) => kind === 'StatefulSet');
  if (printed ? wereAskedFor : deployment.origin === 'cluster' || deployment.hooksSeen === true)
    return [none];
  // What the values and versions of another chart mean is not known.
  if (isOtherChart(helm.chart)) {
    return [{ lacks: 'workloads', detail: `hooks of the chart ${helm.chart} may be left out` }];
  }
  if (chartValues?.postgresqlEnabled === false) return [none];
  const chart = chartOf(helm.chartVersion);
  const isHook = chart === undefined || isChartBefore(chart, chartWith.lastingDatabase);
  if (chartValues == null) return [{ lacks: 'chartValues' }];
  return isHook
    ? [
        stop('postgresql.enabled', {
          kind: 'database-recreated',
          workload: 'the bundled PostgreSQL',
          chart: helm.chartVersion,
        }),
      ]
    : [
        {
          lacks: 'workloads',
          detail: printed
            ? 'the manifests have no StatefulSet'
            : 'the bundled PostgreSQL is a hook, and hooks are left out',
        },
      ];
}

function judgeHook(workload: WorkloadFact, { helm }: Facts): Answers<BundledDatabaseEvidence> {
  if (workload.hook?.events.includes('pre-upgrade') !== true) return [];
  return [
    stop(workload.name, {
      kind: 'database-recreated',
      workload: nameOf(workload),
      chart: helm?.chartVersion ?? null,
    }),
  ];
}

function judgeImage(
  workload: string,
  image: ImageFact,
  { to, line, edition, facts }: Told,
): Answers<BundledDatabaseEvidence> {
  const { reference } = image;
  if (reference === '') {
    return [{ lacks: 'workloads', why: 'failed', detail: `the image of ${workload}, which is built` }];
  }
  const about = { workload, image: reference };
  const imageMajor = majorOf(image);
  const released = [...line.before, ...line.span].findLast(({ version }) => version === to)?.releaseDate;
  const vector =
    edition !== 'community' && needsVector(released) ? judgeVector(image, facts.extensions) : 'there';
  return [
    ...(imageMajor === undefined && image.digest === null
      ? [stop(reference, { kind: 'database-image-floats', ...about })]
      : []),
    ...(imageMajor === undefined ? [] : judgeMajor(about, imageMajor, facts)),
    ...(vector === 'missing' ? [stop(reference, { kind: 'database-without-vector', ...about })] : []),
    ...(vector === 'not-told' ? [{ lacks: 'extensions' as const }] : []),
  ];
}

/** A database that runs in a cluster already runs on its data. */
function judgeMajor(
  about: { readonly workload: string; readonly image: string },
  imageMajor: number,
  { deployment, server }: Facts,
): Answers<BundledDatabaseEvidence> {
  if (deployment.origin === 'cluster') return [];
  if (server == null) return [{ lacks: 'server' }];
  const serverMajor = Math.floor(server.versionNum / 10_000);
  if (serverMajor === imageMajor) return [];
  return [stop(about.image, { kind: 'database-major-changes', ...about, imageMajor, serverMajor })];
}

/** The major version of PostgreSQL that a tag names, such as `15.4`, `16-alpine` or `0.8.0-pg17`. */
function majorOf({ tag, repository }: ImageFact): number | undefined {
  const [, behind] = /(?:^|[-._])pg(\d{1,2})(?!\d)/.exec(tag ?? '') ?? [];
  const [, before] =
    repository?.includes('pgvector') === true ? [] : (/^v?(\d{1,2})(?!\d)/.exec(tag ?? '') ?? []);
  const major = Number(behind ?? before);
  // Before 10, two numbers made a major version; no release of Lightdash starts on such a version.
  return major >= 10 ? major : undefined;
}

function judgeVector(
  { repository, registry }: ImageFact,
  extensions: FactOf<'extensions'> | null | undefined,
): 'there' | 'missing' | 'not-told' {
  if (repository?.includes('pgvector') === true) return 'there';
  const isOfficial =
    (registry === null || registry === 'docker.io') && /^(?:library\/)?postgres$/.test(repository ?? '');
  if (isOfficial) return 'missing';
  if (extensions == null) return 'not-told';
  return extensions.some(({ name }) => name === 'vector') ? 'there' : 'missing';
}

/** The image of the server, without containers next to it, such as a metrics exporter. */
function imagesOf({ containers }: WorkloadFact): readonly ImageFact[] {
  const lasting = containers.filter(({ init }) => !init).map(({ image }) => image);
  const named = lasting.filter(
    ({ repository }) =>
      /postgres|pgvector|postgis|timescale|spilo/i.test(repository ?? '') &&
      !/exporter/i.test(repository ?? ''),
  );
  return named.length > 0 ? named : lasting;
}
