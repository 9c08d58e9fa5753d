import type { ImageFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';
import { isOtherChart } from '../../instance/facts/lightdash-containers.js';
import { mayNotSee } from '../../instance/facts/needs.js';
import { chartOf, chartWith, isChartBefore } from '../../instance/first-versions.js';
import { majorOfImage } from '../../instance/image-reference.js';
import { placeOfData, usesOutside, workloadName } from '../../instance/workloads.js';
import { listNames } from '../../words/phrase.js';
import { type CheckInput, defineCheck, lacks, ok, stop } from '../check.js';
import { needsVector } from '../database/extensions.js';
import { majorVersionOf, minimumMajor } from '../database/postgres-version.js';
import { judgeKeptData } from './kept-data.js';

type Image = Readonly<Record<'workload' | 'image', string>>;

const runs = ({ workload, image }: Image) => `${workload} runs ${image}`;

export const bundledDatabase = defineCheck({
  id: 'bundled-database',
  needs: ['deployment', 'workloads'],
  needsOrAbsent: ['helm'],
  mayNeed: ['chartValues', 'server', 'extensions'],
  *judge(input) {
    const { deployment, workloads, helm } = input.facts;
    const databases = workloads.filter(({ role }) => role === 'database');
    const { unreadDatabase: unread } = deployment;
    if (unread !== undefined && !usesOutside(workloads, 'databaseHost'))
      yield lacks('workloads', { why: 'failed', detail: `${unread}, which runs a PostgreSQL` });
    if (databases.length === 0) return judgeUnseen(input.facts);
    for (const workload of databases) {
      const called = workloadName(workload);
      if (workload.hook?.events.includes('pre-upgrade') === true)
        yield recreated(workload.name, called, helm);
      for (const image of imagesOf(workload)) yield* judgeImage(called, image, input);
      // Another one than that of Lightdash may stand beside it.
      if (!usesOutside(workloads, 'databaseHost'))
        yield* judgeKeptData('database-not-kept', workload, called);
    }
    const images = databases.flatMap(imagesOf).map(({ reference }) => reference);
    return ok({ kind: 'database-kept', workloads: databases.map(workloadName), images });
  },
})({
  label: 'Bundled database',
  meaning:
    'Whether a PostgreSQL deployed with Lightdash survives the upgrade. What it looks at: Workloads and ' +
    'services with a PostgreSQL image. Are they upgrade hooks, as in charts before ' +
    `${chartWith.lastingDatabase} (helm PR#154)? Does the image name a major version (#7101), and is it that of ` +
    'the server? Does it have the extension vector? Is its data in a named volume, a claim or a folder of the ' +
    'host? The volume of a PostgreSQL that Lightdash does not use is not judged. helm get manifest leaves hooks out.',
  finds: {
    'database-recreated': {
      meaning:
        'The database is a hook, so the upgrade recreates it. Meanwhile no pod has a database (helm PR#154, ' +
        `charts before ${chartWith.lastingDatabase}).`,
      remedy:
        `Upgrade the chart to ${chartWith.lastingDatabase} or newer first, with image.tag held at the running ` +
        'release, with downtime and after a backup; or move to an external database.',
      describe: ({ workload, chart }) =>
        `${workload} is recreated by each upgrade${chart === null ? '' : ` with chart ${chart}`}`,
    },
    'database-not-kept': {
      meaning:
        'The data is in no named volume, no claim and no folder of the host. Whatever replaces the container, ' +
        'such as docker compose down and up, a new image, or a pod that moves, starts an empty database.',
      remedy:
        'Dump the database first. Then give it a volume at the folder of its data, start it, restore the dump, ' +
        'and only then upgrade. Until then, do not stop or recreate it.',
      describe: ({ workload, folder, keptIn }) =>
        `${placeOfData(workload, { folder, keptIn })}: replacing the container starts an empty one`,
    },
    'database-image-floats': {
      meaning: 'The image names no major version: the next pull might not start on this data (#7101).',
      remedy:
        'Name the major version of the data, such as pgvector/pgvector:pg16. SHOW server_version shows it; so ' +
        'does PG_VERSION in the data folder.',
      describe: (about) => `${runs(about)}, which names no major version`,
    },
    'database-major-changes': {
      meaning: 'The image has a different major version from the server and does not start on its data.',
      remedy:
        'Name the running major version. Upgrade PostgreSQL itself by pg_upgrade, or by dump and restore.',
      describe: ({ imageMajor, serverMajor, ...about }) =>
        `${runs(about)}, which is PostgreSQL ${imageMajor}, but the data is from ${serverMajor}`,
    },
    'database-too-old': {
      meaning: 'The image is older than the target supports: its start check aborts before it migrates.',
      remedy: 'Upgrade PostgreSQL first: pg_upgrade, or dump and restore.',
      describe: ({ imageMajor, minimum, ...about }) =>
        `${runs(about)}, which is PostgreSQL ${imageMajor}; ${minimum} or later is needed`,
    },
    'database-without-vector': {
      meaning: 'The database image lacks the extension vector, which the target needs.',
      remedy: 'Use pgvector/pgvector of the same major version: it starts on the same data.',
      describe: (about) => `${runs(about)}, which lacks vector`,
    },
    'database-kept': ({ workloads, images }) => `kept: ${listNames(workloads)} (${listNames(images)})`,
    'database-outside': 'The database of Lightdash is outside of this deployment.',
    'no-bundled-database': 'No PostgreSQL is deployed with Lightdash.',
  },
});

type BundledGiven = CheckInput<'deployment' | 'workloads', 'helm', 'chartValues' | 'server' | 'extensions'>;
type Facts = BundledGiven['facts'];

/** `helm get manifest` omits a database that is a hook; kubectl lists one only if it was requested. */
function judgeUnseen({ deployment, workloads, helm, chartValues }: Facts) {
  const none = ok({ kind: 'no-bundled-database' });
  const isOfCluster = deployment.origin === 'cluster';
  const ofChart = deployment.kind !== 'compose' && helm !== null;
  if (mayNotSee(deployment, 'StatefulSet') || (!ofChart && mayNotSee(deployment, 'Deployment')))
    return lacks('workloads', { why: 'not-permitted' });
  if (!ofChart) return none;
  // What the chart may bring along is then used by nobody.
  if (usesOutside(workloads, 'databaseHost')) return ok({ kind: 'database-outside' });
  const printed = isOfCluster && deployment.context === undefined;
  const wereRequested = workloads.some(({ kind }) => kind === 'StatefulSet');
  if (printed ? wereRequested : isOfCluster || deployment.hooksSeen === true) return none;
  // What the values and versions of another chart mean is not known.
  if (isOtherChart(helm.chart))
    return lacks('workloads', { detail: `hooks of the chart ${helm.chart} may be left out` });
  if (chartValues?.postgresqlEnabled === false) return none;
  if (chartValues == null) return lacks('chartValues');
  if (chartValues.postgresqlPersistent === false)
    return stop('postgresql.primary.persistence.enabled', {
      ...{ kind: 'database-not-kept', workload: 'the bundled PostgreSQL' },
      ...{ folder: '/bitnami/postgresql/data', keptIn: 'pod-volume' },
    });
  const chart = chartOf(helm.chartVersion);
  if (chart === undefined || isChartBefore(chart, chartWith.lastingDatabase))
    return recreated('postgresql.enabled', 'the bundled PostgreSQL', helm);
  const isHook = 'the bundled PostgreSQL is a hook, and hooks are left out';
  return lacks('workloads', { detail: printed ? 'the manifests have no StatefulSet' : isHook });
}

function recreated(subject: string, workload: string, helm: Facts['helm']) {
  return stop(subject, { kind: 'database-recreated', workload, chart: helm?.chartVersion ?? null });
}

function* judgeImage(workload: string, image: ImageFact, { to, line, edition, facts }: BundledGiven) {
  const { deployment, server } = facts;
  const { reference, digest } = image;
  if (reference === '') {
    yield lacks('workloads', { why: 'failed', detail: `the image of ${workload}, which is built` });
    return;
  }
  const about = { workload, image: reference };
  const imageMajor = majorOfImage(image);
  if (imageMajor === undefined) {
    if (digest === null) yield stop(reference, { kind: 'database-image-floats', ...about });
  } else if (imageMajor < minimumMajor && !usesOutside(facts.workloads, 'databaseHost')) {
    yield stop(reference, { kind: 'database-too-old', ...about, imageMajor, minimum: minimumMajor });
  } else if (deployment.origin !== 'cluster') {
    // A database that runs in a cluster already runs on its data.
    const serverMajor = server && majorVersionOf(server);
    if (serverMajor == null) yield lacks('server');
    else if (serverMajor !== imageMajor)
      yield stop(reference, { kind: 'database-major-changes', ...about, imageMajor, serverMajor });
  }
  const released = [...line.before, ...line.span].findLast(({ version }) => version === to)?.releaseDate;
  if (edition !== 'community' && needsVector(released)) yield* judgeVector(about, image, facts);
}

/** Whether an image has the extension: the official one of PostgreSQL does not; of others, the server says it. */
function* judgeVector(about: Image, { repository, registry }: ImageFact, { extensions }: Facts) {
  if (repository?.includes('pgvector') === true) return;
  const isOfDocker = registry === null || registry === 'docker.io';
  const isOfficial = isOfDocker && /^(?:library\/)?postgres$/.test(repository ?? '');
  if (!isOfficial && extensions == null) yield lacks('extensions');
  else if (isOfficial || !extensions?.some(({ name }) => name === 'vector'))
    yield stop(about.image, { kind: 'database-without-vector', ...about });
}

function imagesOf({ containers }: WorkloadFact): readonly ImageFact[] {
  const lasting = containers.filter(({ init }) => !init).map(({ image }) => image);
  const ofDatabase = /postgres|pgvector|postgis|timescale|spilo/i;
  const named = lasting.filter(
    ({ repository }) => ofDatabase.test(repository ?? '') && !/exporter/i.test(repository ?? ''),
  );
  return named.length > 0 ? named : lasting;
}
