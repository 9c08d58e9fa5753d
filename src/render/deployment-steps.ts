import type { DeploymentStep, Strategy, WhyScaleDown } from '../release-safety/deployment.js';
import { firstChartThatStopsWorkloads, lastChartThatNeedsScaleDown } from '../release-safety/deployment.js';
import { backUpCommands, type DumpFrom, rehearseBackUpCommands } from './deployment/backup.js';
import { confirmInTimeCommands, confirmNowCommands } from './deployment/confirm.js';
import { type DeploymentFacts, deploysOtherChart, type HelmFacts } from './deployment/known.js';
import {
  autoscalerNote,
  namespaceOf,
  rolloutCommands,
  scaleDownCommands,
  scaleUpCommands,
  startAgainNotes,
} from './deployment/kubectl.js';
import type { RenderedStep } from './json/upgrade-plan-schema.js';
import { sentence } from './phrase.js';
import { orFail, shellPlaceholder, shellWord } from './shell-word.js';
import type { HopDetails } from './shown-route.js';
import { describeMigrationTime } from './words/forecast.js';
import { wayBackWords } from './words/way-back.js';
import { underKeys } from './yaml-map.js';

export type { RenderedStep };

/** The text before the YAML of a step. */
export function beforeYouBegin({ file }: NonNullable<RenderedStep['values']>): string {
  return `Set this in ${file} before you begin:`;
}

/** What the commands of a hop depend on. */
export interface StepFacts extends Omit<DeploymentFacts, 'tagOf'>, HopDetails {
  readonly fromVersion: string;
  readonly toVersion: string;
  /** The tag of `toVersion` in the file's form: with a leading `v` or a suffix. */
  readonly tag: string;
  readonly strategy: Strategy;
}

/** Values that the user must fill in if they are not known. */
export const placeholders: Readonly<Record<string, string>> = {
  LIGHTDASH_URL: 'set the address of Lightdash, such as https://lightdash.example.com',
  NAMESPACE: 'set the namespace that Lightdash runs in',
  RELEASE: 'set the name of the Helm release, see helm list',
  VALUES_FILE: 'set the name of your values file',
  CHART: 'set the chart that you deploy, such as ./my-chart',
  CHART_VERSION: 'set the version of your chart, see helm list',
  LIGHTDASH_SERVICE:
    'set the name of the Lightdash service in the compose file; if there are several, plan with --facts of upgrade-preflight --compose',
  PGHOST:
    'set PGHOST, PGUSER and PGDATABASE to reach the database of Lightdash directly, not through a pool such as PgBouncer',
  PGUSER: 'set PGUSER, too',
  PGDATABASE: 'set PGDATABASE, too',
};

/** The line above the block with the commands of a hop. */
export const pasteAsOneBlock = 'Paste this as one block (bash, zsh or dash):';

/** What to do for a step of a hop: text to read and commands to paste. Nothing is executed. */
export function renderStep(step: DeploymentStep, facts: StepFacts): RenderedStep {
  const { fromVersion, toVersion, tag } = facts;
  switch (step.kind) {
    case 'confirm-start':
      return {
        title: `Confirm that ${fromVersion} is running: this hop starts from it`,
        commands: confirmNowCommands(fromVersion, facts.instance),
        notes: [],
      };
    case 'check-values':
      return checkValues(facts);
    case 'rehearse-upgrade':
      return {
        title: 'Fetch the chart and rehearse the upgrade',
        commands: rehearseCommands(facts),
        notes: [
          'Nothing changes yet. If the chart refuses anything, such as a missing value, it does so here.',
          'This does not show whether the cluster can pull the image: check the registry that it pulls from.',
        ],
      };
    case 'rehearse-backup':
      return {
        title: 'Check that the database can be backed up',
        commands: rehearseBackUpCommands(dumpFrom(step.where, facts)),
        notes: ['Nothing is stopped until it is known that the database can be reached and dumped.'],
      };
    case 'scale-down-workloads':
      return {
        title: 'Stop what writes: scale the workloads down',
        commands: scaleDownCommands(facts.helm),
        notes: [
          'The downtime begins here, so that the backup misses nothing.',
          ...howLongDown(facts),
          ...facts.helm.autoscalers.map(autoscalerNote),
          whyScaleDownNotes[step.why],
          'To abort before the upgrade itself, scale them up again to their former number of replicas.',
        ],
      };
    case 'pull-image':
      return pullImage(facts);
    case 'stop-services':
      return {
        title: 'Stop what writes',
        commands: [`docker compose stop ${services(facts)}`],
        notes: [
          'The downtime begins here, so that the backup misses nothing.',
          ...howLongDown(facts),
          `To abort before the upgrade itself: docker compose start ${services(facts)}`,
        ],
      };
    case 'back-up-database':
      return {
        title: 'Back up the database, and check the backup',
        commands: backUpCommands(fromVersion, dumpFrom(step.where, facts)),
        notes: [
          whyBackUp(facts),
          ...(step.writersStopped
            ? []
            : ['Lightdash keeps writing meanwhile: anything it writes after this is not in the dump.']),
        ],
      };
    case 'helm-upgrade':
      return {
        title: `Upgrade the release to ${tag} (${facts.strategy})`,
        commands: [`${helmUpgrade(facts)} \\\n  --timeout 24h`],
        notes: [
          step.overlap
            ? 'Old and new pods overlap; no downtime.'
            : 'Recreate means a downtime: the workloads are already down.',
          step.migrationJob ? migrationJobNote(facts) : bootMigrationNote(facts.helm),
          'Never add --atomic (Helm 4: --rollback-on-failure): it would start the old version on a database that may already be migrated.',
        ],
      };
    case 'wait-for-rollout':
      return {
        title: 'Wait until the new pods are ready',
        commands: [
          ...(step.mayBeScaledToZero ? scaleUpCommands(facts.helm) : []),
          ...rolloutCommands(facts.helm),
        ],
        notes: [
          ...(step.mayBeScaledToZero ? startAgainNotes(facts.helm) : []),
          'If it says that the deadline is exceeded, check the pods before anything else: they may still be migrating.',
        ],
      };
    case 'compose-down':
      return {
        title: 'Bring the services down',
        commands: ['docker compose down'],
        notes: ['Never add --volumes: it would delete the database.'],
      };
    case 'compose-up':
      return {
        title: `Bring the services up with ${tag}`,
        commands: ['docker compose up --detach'],
        notes: [
          step.isDown
            ? 'The new container migrates the database before it answers.'
            : 'Compose replaces the container, which is a downtime even here; the new one migrates the database before it answers.',
          `Follow it in another terminal: docker compose logs --follow ${services(facts)}`,
        ],
      };
    case 'confirm-version':
      return {
        title: `Confirm that ${toVersion} is running before you go on`,
        commands: confirmInTimeCommands(toVersion, facts.instance),
        notes: [howLongToWait(facts)],
      };
  }
}

/** The cost of going back, shown right before the point of no return, where it is easily forgotten. */
function whyBackUp({ wayBack }: StepFacts): string {
  return wayBack === undefined || wayBack.needs === 'backup'
    ? 'An upgrade migrates the database; this dump is the only way back.'
    : `Going back needs ${wayBackWords[wayBack.needs].label}, as far as is known; this dump is for the unforeseen.`;
}

function howLongDown({ time }: StepFacts): string[] {
  return time === undefined
    ? []
    : [`${sentence(describeMigrationTime(time))}: the downtime is at least that long.`];
}

function howLongToWait({ time }: StepFacts): string {
  const known =
    time === undefined
      ? 'How long the migrations take is not known, so this waits up to a day.'
      : `${sentence(describeMigrationTime(time))}. This waits up to a day.`;
  return `${known} Ctrl-C only ends the wait.`;
}

function checkValues(facts: StepFacts): RenderedStep {
  const { tag, strategy } = facts;
  const { valuesFile, valuesFiles, valuesPath } = facts.helm;
  const file = valuesFile === undefined ? shellPlaceholder('VALUES_FILE') : shellWord(valuesFile);
  const name = valuesFile ?? 'your values file';
  const files = valuesFiles.length > 1 ? 'these files: add to one of them' : 'that file: add to it';
  return {
    title: `Check that ${name} has the tag and the mode`,
    values: {
      file: name,
      yaml: nested(valuesPath, [
        'image:',
        `  tag: ${JSON.stringify(tag)}`,
        'upgrade:',
        `  mode: ${strategy}`,
      ]),
    },
    commands: [
      orFail(
        `grep -F -e ${shellWord(tag)} -- ${file} > /dev/null`,
        `${name} does not contain ${tag}: set it there first, or the next upgrade from that file goes back`,
      ),
    ],
    notes: [
      ...digestNotes(facts),
      `Helm takes values only from ${files} anything once set with --set ("helm get values" lists it). --reuse-values would drop the defaults of a newer chart.`,
    ],
  };
}

function pullImage(facts: StepFacts): RenderedStep {
  const { tag } = facts;
  const { file, joined, image, services: known } = facts.compose;
  const name = file ?? joined?.files.join(' or ') ?? 'your compose file';
  const escapeDots = (text: string) => text.replaceAll(/[.+]/g, '\\$&');
  const digest = '(@sha256:[0-9a-f]+)?';
  const count = Math.max(1, known.length);
  const has =
    image === undefined && known.length < 2
      ? `docker compose config --images ${services(facts)} | grep -E ${shellWord(`:${escapeDots(tag)}${digest}$`)} > /dev/null`
      : image === undefined
        ? `[ "$(docker compose config --images ${services(facts)} | grep -Ec ${shellWord(`:${escapeDots(tag)}${digest}$`)})" -ge ${count} ]`
        : `[ "$(docker compose config --images | grep -Exc ${shellWord(`${escapeDots(image)}:${escapeDots(tag)}${digest}`)})" -ge ${count} ]`;
  const reference = `${image ?? '<your image>'}:${tag}`;
  return {
    title: `Check that ${name} has ${tag}, and pull the image`,
    values: {
      file: name,
      yaml: nested(
        ['services'],
        (known.length === 0 ? ['<your service>'] : known).flatMap((service) => [
          `${service}:`,
          `  image: ${JSON.stringify(reference)}`,
        ]),
      ),
    },
    commands: [
      orFail(has, `${name} does not have ${tag} at every service of Lightdash: set it there first`),
      // In another project nothing would be stopped, and a second Lightdash would start on the same database.
      orFail(
        '[ -n "$(docker compose ps --quiet)" ]',
        'docker compose runs nothing of this project here: check the folder, the project (docker compose ls) and the Docker host; Swarm runs it without compose',
      ),
      `docker compose pull ${services(facts)}`,
    ],
    notes: [
      'Nothing is stopped until the image is here.',
      // Neither down nor up affects a service whose profile is not active.
      'If you start services with --profile, set COMPOSE_PROFILES to that profile before you begin: otherwise they are not upgraded, and those that are stopped are not started again.',
      ...digestNotes(facts),
    ],
  };
}

function digestNotes({ pinsDigest }: StepFacts): string[] {
  return pinsDigest
    ? ['The digest in the file is that of the old tag: replace it with that of the new one, or remove it.']
    : [];
}

function nested(path: readonly string[], lines: readonly string[]): string {
  return `${underKeys(path, lines).join('\n')}\n`;
}

function dumpFrom(where: 'cluster' | 'compose', { compose }: StepFacts): DumpFrom {
  if (where === 'cluster') return { kind: 'here' };
  return compose.database === undefined
    ? { kind: 'unknown' }
    : { kind: 'service', service: compose.database };
}

function services({ compose }: StepFacts): string {
  const { services } = compose;
  return services.length === 0
    ? shellPlaceholder('LIGHTDASH_SERVICE')
    : services.map((name) => shellWord(name)).join(' ');
}

function helmUpgrade({ helm, tag, strategy }: StepFacts): string {
  const { release, valuesFile, valuesFiles, valuesPath, chartVersion } = helm;
  const word = (known: string | undefined, variable: string) =>
    known === undefined ? shellPlaceholder(variable) : shellWord(known);
  const keys = valuesPath.map((key) => key.replaceAll('.', '\\.'));
  const key = (name: string) => [...keys, name].join('.');
  const chart = deploysOtherChart(helm) ? shellPlaceholder('CHART') : publicChart;
  return [
    `helm upgrade ${word(release, 'RELEASE')} ${chart} ${namespaceOf(helm)}`,
    ...(deploysOtherChart(helm) && chartVersion === undefined
      ? []
      : [`--version ${word(chartVersion, 'CHART_VERSION')}`]),
    ...(valuesFiles.length === 0 ? [valuesFile] : valuesFiles).map(
      (file) => `--values ${word(file, 'VALUES_FILE')}`,
    ),
    `--set-string ${shellWord(key('image.tag'))}=${shellWord(tag)} --set-string ${shellWord(key('upgrade.mode'))}=${strategy}`,
  ].join(' \\\n  ');
}

const publicChart = 'lightdash/lightdash';

function rehearseCommands(facts: StepFacts): string[] {
  return [
    ...(deploysOtherChart(facts.helm)
      ? []
      : [
          "helm repo list 2> /dev/null | grep '^lightdash[[:space:]]' > /dev/null ||\n  helm repo add lightdash https://lightdash.github.io/helm-charts",
          'helm repo update lightdash',
        ]),
    `${helmUpgrade(facts)} \\\n  --dry-run > /dev/null`,
  ];
}

function migrationJobNote({ helm: { release, migrationJobName } }: StepFacts): string {
  return `Helm waits for the migration job, however long it takes, and stops if it fails. Follow it in another terminal with kubectl logs --follow (${jobOf(release, migrationJobName)}); 100 seconds after it ends, the cluster deletes it and its logs.`;
}

function jobOf(release: string | undefined, name: string | undefined): string {
  if (name !== undefined) return `job/${name}`;
  if (release === undefined) return 'the job whose name ends in -migrate';
  // The chart's objects have names with this prefix, unless `fullnameOverride` is set.
  return `job/${(release.includes('lightdash') ? release : `${release}-lightdash`).slice(0, 63)}-migrate`;
}

function bootMigrationNote({ migratesAtBoot, backend, startup }: HelmFacts): string {
  const when = migratesAtBoot
    ? 'No job migrates here, so the new pods migrate as they start'
    : 'Unless migrationJob.enabled is set, the new pods migrate as they start';
  if (startup === 'none') {
    return `${when}; deployment/${backend} has no startup probe to keep its liveness probe from killing a container that migrates.`;
  }
  const allowed =
    startup === undefined
      ? 'the startup probe allows (lightdashBackend.startupProbe, about 185 seconds by default)'
      : `the startup probe of deployment/${backend} allows (${startup} seconds)`;
  return `${when}: if that takes longer than ${allowed}, it is killed and begins again.`;
}

const whyScaleDownNotes: Record<WhyScaleDown, string> = {
  'chart-never-stops-them': `Chart ${lastChartThatNeedsScaleDown} and earlier does not stop them itself: without this, old pods would run while the database is migrated.`,
  'chart-may-never-stop-them': `Chart ${lastChartThatNeedsScaleDown} and earlier does not stop them itself; ${firstChartThatStopsWorkloads} and later does, but after the backup.`,
  'chart-stops-them-before-migrating':
    'The chart would stop them only before the migration job, after the backup.',
  'chart-stops-them-while-applying':
    'Without a migration job the chart would stop them only while the release is applied, after the backup.',
};
