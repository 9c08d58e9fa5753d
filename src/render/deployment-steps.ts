import type { DeploymentStep, Strategy, WhyScaleDown } from '../release-safety/deployment.js';
import { firstChartThatStopsWorkloads, lastChartThatNeedsScaleDown } from '../release-safety/deployment.js';
import { backUpCommands, type DumpFrom, rehearseBackUpCommands } from './deployment/backup.js';
import { confirmInTimeCommands, confirmNowCommands, type KnownInstance } from './deployment/confirm.js';
import type { RenderedStep } from './json/upgrade-plan-schema.js';
import { sentence } from './phrase.js';
import { orFail, shellPlaceholder, shellWord } from './shell-word.js';
import type { ToldOfHop } from './shown-route.js';
import { describeMigrationTime } from './words/forecast.js';
import { wayBackWords } from './words/way-back.js';

export type { RenderedStep };

/** What stands before the YAML of a step. */
export function beforeYouBegin({ file }: NonNullable<RenderedStep['values']>): string {
  return `Set this in ${file} before you begin:`;
}

/** What is known of a deployment. What nobody told is undefined, and the commands ask for it as a variable. */
export interface DeploymentFacts {
  readonly instance: KnownInstance | undefined;
  /** How the tag of a release is written. */
  readonly tagOf: (version: string) => string;
  /** The file pins the digest of the tag that runs, too. */
  readonly pinsDigest: boolean;
  readonly helm: HelmFacts;
  readonly compose: ComposeFacts;
}

export interface HelmFacts {
  readonly release: string | undefined;
  readonly chartVersion: string | undefined;
  readonly valuesFile: string | undefined;
  /** Under which keys the values of Lightdash stand; some where it is a dependency of another chart. */
  readonly valuesPath: readonly string[];
}

export const nothingOfHelm: HelmFacts = {
  release: undefined,
  chartVersion: undefined,
  valuesFile: undefined,
  valuesPath: [],
};

export interface ComposeFacts {
  readonly file: string | undefined;
  /** Those that run the image; none where they are not known. */
  readonly services: readonly string[];
  /** Registry and repository. */
  readonly image: string | undefined;
  /** The service of the database, where that publishes no port. */
  readonly database: string | undefined;
}

export const nothingOfCompose: ComposeFacts = {
  file: undefined,
  services: [],
  image: undefined,
  database: undefined,
};

/** What the commands of a hop need to know. */
export interface StepFacts extends Omit<DeploymentFacts, 'tagOf'>, ToldOfHop {
  readonly fromVersion: string;
  readonly toVersion: string;
  /** The tag of `toVersion`, as the file writes tags: with a `v` before it or a suffix behind it. */
  readonly tag: string;
  readonly strategy: Strategy;
}

/** What the user has to tell where nothing else does. */
export const placeholders: Readonly<Record<string, string>> = {
  LIGHTDASH_URL: 'set the address of Lightdash, such as https://lightdash.example.com',
  NAMESPACE: 'set the namespace that Lightdash runs in',
  RELEASE: 'set the name of the Helm release, see helm list',
  VALUES_FILE: 'set the name of your values file',
  CHART: 'set the chart that you deploy, such as ./my-chart',
  CHART_VERSION: 'set the version of your chart, see helm list',
  LIGHTDASH_SERVICE: 'set the name of the Lightdash service in the compose file',
  PGHOST: 'set PGHOST, PGUSER and PGDATABASE to where the database of Lightdash is',
  PGUSER: 'set PGUSER, too',
  PGDATABASE: 'set PGDATABASE, too',
};

/** Stands above the block that holds the commands of a hop. */
export const pasteAsOneBlock = 'Paste this as one block (bash, zsh or dash):';

/** Step by step what to do for one hop. Nothing is executed: these are words to read and commands to paste. */
export function renderStep(step: DeploymentStep, facts: StepFacts): RenderedStep {
  const { fromVersion, toVersion, tag } = facts;
  switch (step.kind) {
    case 'confirm-start':
      return {
        title: `Confirm that ${fromVersion} runs, as this hop begins there`,
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
          'Nothing changes yet. What the chart refuses, such as a missing value, it refuses here.',
          'Whether the cluster can pull the image is not seen here: look at where it pulls from.',
        ],
      };
    case 'rehearse-backup':
      return {
        title: 'See that the database can be backed up',
        commands: rehearseBackUpCommands(dumpFrom(step.where, facts)),
        notes: ['Nothing stops before it is known that the database can be reached and dumped.'],
      };
    case 'scale-down-workloads':
      return {
        title: 'Stop what writes: scale the workloads down',
        commands: [
          kubectl('scale deployment', facts, '--replicas=0'),
          // Pods of jobs and tests that have ended stay, and nothing deletes them.
          kubectl(
            'wait --for=delete pod',
            facts,
            "--field-selector 'status.phase!=Succeeded,status.phase!=Failed' --timeout=10m",
          ),
        ],
        notes: [
          'The downtime begins here, so that the backup misses nothing.',
          ...howLongDown(facts),
          whyScaleDownNotes[step.why],
          'To give up before the upgrade itself, scale them up again to what they were.',
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
          `To give up before the upgrade itself: docker compose start ${services(facts)}`,
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
            : ['Lightdash goes on writing meanwhile: what it writes after this is not in the dump.']),
        ],
      };
    case 'helm-upgrade':
      return {
        title: `Upgrade the release to ${tag} (${facts.strategy})`,
        commands: [`${helmUpgrade(facts)} \\\n  --timeout 24h`],
        notes: [
          step.overlap
            ? 'Old and new pods overlap; no downtime.'
            : 'Recreate means a downtime: the workloads are down already.',
          step.migrationJob ? migrationJobNote(facts) : bootMigrationNote,
          'Never add --atomic (Helm 4: --rollback-on-failure): it would start the old version on a database that may be migrated already.',
        ],
      };
    case 'wait-for-rollout':
      return {
        title: 'Wait until the new pods are ready',
        commands: [
          ...(step.mayBeScaledToZero ? scaleUpCommands(facts) : []),
          kubectl('rollout status deployment', facts),
        ],
        notes: [
          ...(step.mayBeScaledToZero
            ? [
                'Where an autoscaler has left the backend at 0, it is started with one pod; the autoscaler adds more.',
              ]
            : []),
          'Where it says that the deadline is exceeded, look at the pods before anything else: they may still be migrating.',
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
        title: `Confirm that ${toVersion} runs, and only then go on`,
        commands: confirmInTimeCommands(toVersion, facts.instance),
        notes: [howLongToWait(facts)],
      };
  }
}

/** What going back costs, where it is least expected to be asked: right before the point of no return. */
function whyBackUp({ wayBack }: StepFacts): string {
  return wayBack === undefined || wayBack.needs === 'backup'
    ? 'An upgrade migrates the database; this dump is the only way back.'
    : `Going back ${wayBackWords[wayBack.needs].brief}; this dump is for what nobody has foreseen.`;
}

function howLongDown({ time }: StepFacts): string[] {
  return time === undefined ? [] : [`${sentence(describeMigrationTime(time))}: so long it lasts at least.`];
}

function howLongToWait({ time }: StepFacts): string {
  const known =
    time === undefined
      ? 'How long the migrations take is not known, so this waits up to a day.'
      : `${sentence(describeMigrationTime(time))}. This waits up to a day.`;
  return `${known} Ctrl-C ends the waiting and nothing else.`;
}

function checkValues(facts: StepFacts): RenderedStep {
  const { tag, strategy } = facts;
  const { valuesFile, valuesPath } = facts.helm;
  const file = valuesFile === undefined ? shellPlaceholder('VALUES_FILE') : shellWord(valuesFile);
  const name = valuesFile ?? 'your values file';
  return {
    title: `See that ${name} has the tag and the mode`,
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
        `${name} does not hold ${tag}: set it there first, else the next upgrade from that file goes back`,
      ),
    ],
    notes: [
      ...digestNotes(facts),
      `Helm takes the values from that file alone: put into it what was once given with --set ("helm get values" lists it). --reuse-values would drop the defaults of a newer chart.`,
    ],
  };
}

function pullImage(facts: StepFacts): RenderedStep {
  const { tag } = facts;
  const { file, image, services: known } = facts.compose;
  const name = file ?? 'your compose file';
  const escapeDots = (text: string) => text.replaceAll(/[.+]/g, '\\$&');
  const digest = '(@sha256:[0-9a-f]+)?';
  const has =
    image === undefined
      ? `docker compose config --images ${services(facts)} | grep -E ${shellWord(`:${escapeDots(tag)}${digest}$`)} > /dev/null`
      : `[ "$(docker compose config --images | grep -Exc ${shellWord(`${escapeDots(image)}:${escapeDots(tag)}${digest}`)})" -ge ${Math.max(1, known.length)} ]`;
  const reference = `${image ?? '<your image>'}:${tag}`;
  return {
    title: `See that ${name} has ${tag}, and pull it`,
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
      `docker compose pull ${services(facts)}`,
    ],
    notes: ['Nothing stops until the image is here.', ...digestNotes(facts)],
  };
}

function digestNotes({ pinsDigest }: StepFacts): string[] {
  return pinsDigest
    ? ['The digest in the file is of the old tag: put that of the new one there, or leave it out.']
    : [];
}

function nested(path: readonly string[], lines: readonly string[]): string {
  const all = path.reduceRight<readonly string[]>(
    (inner, key) => [`${key}:`, ...inner.map((line) => `  ${line}`)],
    lines,
  );
  return `${all.join('\n')}\n`;
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

const namespace = `--namespace ${shellPlaceholder('NAMESPACE')}`;

function kubectl(command: string, facts: StepFacts, more = '', labels = ''): string {
  const { release } = facts.helm;
  const of = 'app.kubernetes.io/name=lightdash,app.kubernetes.io/instance=';
  const selector =
    release === undefined ? `"${of}\${RELEASE:?}${labels}"` : shellWord(`${of}${release}${labels}`);
  return [`kubectl ${command} ${namespace}`, `--selector ${selector}`, more]
    .filter((part) => part !== '')
    .join(' \\\n  ');
}

function scaleUpCommands(facts: StepFacts): string[] {
  const backend = ',app.kubernetes.io/component=backend';
  return [
    `replicas=$(${kubectl('get deployment', facts, "--output 'jsonpath={.items[*].spec.replicas}'", backend)})`,
    `if [ "$replicas" = 0 ]; then\n${kubectl('scale deployment', facts, '--replicas=1', backend).replaceAll(/^/gm, '  ')}\nfi`,
  ];
}

function helmUpgrade({ helm, tag, strategy }: StepFacts): string {
  const { release, valuesFile, valuesPath, chartVersion } = helm;
  const word = (known: string | undefined, variable: string) =>
    known === undefined ? shellPlaceholder(variable) : shellWord(known);
  const key = (name: string) => [...valuesPath, name].join('.');
  const isDependency = valuesPath.length > 0;
  return [
    `helm upgrade ${word(release, 'RELEASE')} ${isDependency ? shellPlaceholder('CHART') : publicChart} ${namespace}`,
    ...(isDependency && chartVersion === undefined
      ? []
      : [`--version ${word(chartVersion, 'CHART_VERSION')}`]),
    `--values ${word(valuesFile, 'VALUES_FILE')}`,
    `--set-string ${shellWord(key('image.tag'))}=${shellWord(tag)} --set-string ${shellWord(key('upgrade.mode'))}=${strategy}`,
  ].join(' \\\n  ');
}

const publicChart = 'lightdash/lightdash';

function rehearseCommands(facts: StepFacts): string[] {
  return [
    ...(facts.helm.valuesPath.length > 0
      ? []
      : [
          "helm repo list 2> /dev/null | grep '^lightdash[[:space:]]' > /dev/null ||\n  helm repo add lightdash https://lightdash.github.io/helm-charts",
          'helm repo update lightdash',
        ]),
    `${helmUpgrade(facts)} \\\n  --dry-run > /dev/null`,
  ];
}

/** What the names of the chart's objects begin with, unless `fullnameOverride` says otherwise. */
function migrationJobNote({ helm: { release } }: StepFacts): string {
  const job =
    release === undefined
      ? 'the job whose name ends in -migrate'
      : `job/${(release.includes('lightdash') ? release : `${release}-lightdash`).slice(0, 63)}-migrate`;
  return `Helm waits for the migration job, however long it takes, and goes no further where it fails. Follow it in another terminal with kubectl logs --follow (${job}); 100 seconds after its end the cluster deletes it, and its logs.`;
}

const bootMigrationNote =
  'Unless migrationJob.enabled is set, the new pods migrate as they start: what takes longer than the startup probe allows (lightdashBackend.startupProbe, about 185 seconds by default) is killed and begun again.';

const whyScaleDownNotes: Record<WhyScaleDown, string> = {
  'chart-never-stops-them': `Chart ${lastChartThatNeedsScaleDown} and earlier does not stop them itself: without this old pods would run while the database is migrated.`,
  'chart-may-never-stop-them': `Chart ${lastChartThatNeedsScaleDown} and earlier does not stop them itself; ${firstChartThatStopsWorkloads} and later does, but after the backup.`,
  'chart-stops-them-before-migrating':
    'The chart would stop them only before the migration job, after the backup.',
  'chart-stops-them-while-applying':
    'Without a migration job the chart would stop them only while the release is applied, after the backup.',
};
