import type { RouteHop } from '../core/route/route.js';
import { compact } from '../core/text/compact.js';
import { sentence } from '../core/text/phrase.js';
import { orFail, shellPlaceholder, shellWord, underKeys } from '../core/text/quoted-words.js';
import { wayBackWords } from '../core/words/way-back.js';
import { type DeployedImage, type Deployment, deploysOtherChart } from '../instance/deployment.js';
import {
  chartOf,
  chartWith,
  isChartBefore,
  lastChartThatNeedsScaleDown,
  strategySetBy,
} from '../instance/first-versions.js';
import { describeMigrationTime } from '../instance/words/downtime.js';
import type { HopDetails } from '../instance/words/route.js';
import {
  backUpCommands,
  confirmInTimeCommand,
  confirmNowCommand,
  type DumpFrom,
  execInService,
  type KnownInstance,
  rehearseBackUpCommand,
} from './commands.js';
import {
  autoscalerNote,
  namespaceOf,
  rolloutCommands,
  scaleDownCommands,
  scaleUpCommands,
  startAgainNote,
} from './kubectl.js';
import type { RenderedStep } from './step-schema.js';

export type { RenderedStep };

export function beforeYouBegin({ file }: NonNullable<RenderedStep['values']>): string {
  return `Set this in ${file} before you begin:`;
}

interface HopOfDeployment {
  readonly hop: Pick<RouteHop, 'fromVersion' | 'toVersion' | 'strategy'> & HopDetails;
  readonly deployment: Deployment;
  readonly instance: KnownInstance | undefined;
}

/** The tag of the release that a hop leads to, in the file's form. */
function tagOf({ hop, deployment: { tagPrefix, tagSuffix } }: HopOfDeployment): string {
  return `${tagPrefix}${hop.toVersion}${tagSuffix}`;
}

/** Values that the user must fill in if they are not known. */
export const placeholders: Readonly<Record<string, string>> = {
  LIGHTDASH_URL: 'set the address of Lightdash, such as https://lightdash.example.com',
  NAMESPACE: 'set the namespace that Lightdash runs in',
  RELEASE: 'set the name of the Helm release, see helm list',
  VALUES_FILE:
    'set the name of your values file; if there are several, plan with --values for each, in order',
  CHART: 'set the chart that you deploy, such as ./my-chart',
  CHART_VERSION: 'set the version of your chart, see helm list',
  LIGHTDASH_SERVICE:
    'set the name of the Lightdash service in the compose file; if there are several, plan with --facts ' +
    'of upgrade-preflight --compose',
  PGHOST:
    'set PGHOST, PGUSER and PGDATABASE to reach the database of Lightdash directly, not through a pool ' +
    'such as PgBouncer',
  PGUSER: 'set PGUSER, too',
  PGDATABASE: 'set PGDATABASE, too',
};

export const pasteAsOneBlock = 'Paste this as one block (bash, zsh or dash):';

/**
 * The steps of one hop, in order: text to read and commands to paste. The next hop may begin only when the last step is
 * done. Steps that can fail without harm (the chart, the image, the file, access to the database) come before anything
 * stops.
 *
 * The rules named below are those of "Deployment mapping" in the contract.
 */
export function stepsOf(of: HopOfDeployment): readonly RenderedStep[] {
  const { hop, deployment, instance } = of;
  return [
    {
      title: `Confirm that ${hop.fromVersion} is running: this hop starts from it`,
      commands: [confirmNowCommand(hop.fromVersion, instance)],
      notes: [],
    },
    ...(deployment.kind === 'compose' ? composeSteps(of) : helmSteps(of)),
    {
      title: `Confirm that ${hop.toVersion} is running before you continue`,
      commands: [confirmInTimeCommand(hop.toVersion, instance)],
      notes: [
        `${sentence(describeMigrationTime(hop.time))}. This waits up to a day. Ctrl-C only ends the wait.`,
      ],
    },
  ];
}

function helmSteps(of: HopOfDeployment): readonly RenderedStep[] {
  const { hop, deployment } = of;
  const recreate = hop.strategy === 'Recreate';
  return compact<RenderedStep>(
    rehearseUpgrade(of),
    recreate && rehearseBackUp(deployment),
    recreate && {
      title: 'Stop all writers: scale the workloads down',
      commands: scaleDownCommands(deployment),
      notes: [
        ...downtimeBegins(hop),
        ...deployment.autoscalers.map(autoscalerNote),
        `Charts up to ${lastChartThatNeedsScaleDown} do not stop them, so old pods would run while the ` +
          'database is migrated. Later charts do, but only after the backup.',
        'To abort before the upgrade itself, scale them up again to their former number of replicas.',
      ],
    },
    backUp(of),
    {
      title: `Upgrade the release to ${tagOf(of)} (${hop.strategy})`,
      commands: [`${helm('upgrade', deployment)} \\\n  --timeout 24h`],
      notes: [
        recreate
          ? 'Recreate means downtime: the workloads are already down.'
          : 'Old and new pods overlap; no downtime.',
        migrationNote(deployment),
        'Never add --atomic (Helm 4: --rollback-on-failure): it would start the old version on a database ' +
          'that may already be migrated.',
      ],
    },
    {
      title: 'Wait until the new pods are ready',
      commands: [...(recreate ? scaleUpCommands(deployment) : []), ...rolloutCommands(deployment)],
      notes: compact(
        recreate && startAgainNote(deployment),
        'If the deadline is exceeded, check the pods before anything else: they may still be migrating.',
      ),
    },
  );
}

function composeSteps(of: HopOfDeployment): readonly RenderedStep[] {
  const { hop, deployment } = of;
  const recreate = hop.strategy === 'Recreate';
  const services = servicesOf(deployment);
  const compose = composeCommand(deployment);
  const { folder = '.' } = deployment;
  const elsewhere = compact<string>(goTo(folder), compose).join(' && ');
  return compact<RenderedStep>(
    pullImage(of),
    recreate && rehearseBackUp(deployment),
    recreate && {
      title: 'Stop all writers',
      commands: [`${compose} stop ${services}`],
      notes: [...downtimeBegins(hop), `To abort before the upgrade itself: ${elsewhere} start ${services}`],
    },
    backUp(of),
    recreate && {
      title: 'Bring the services down',
      commands: [`${compose} down`],
      notes: ['Never add --volumes: it would delete the database.'],
    },
    {
      title: `Bring the services up with ${tagOf(of)}`,
      commands: [`${compose} up --detach`],
      notes: [
        recreate
          ? 'The new container migrates the database before it answers.'
          : 'Compose replaces the container, so even here there is downtime; the new one migrates the ' +
            'database before it answers.',
        `Follow it in another terminal: ${elsewhere} logs --follow ${services}`,
      ],
    },
  );
}

function rehearseBackUp(deployment: Deployment): RenderedStep {
  return {
    title: 'Check that the database can be backed up',
    commands: [rehearseBackUpCommand(dumpFrom(deployment))],
    notes: ['Nothing is stopped before this shows that the database can be reached and dumped.'],
  };
}

/**
 * Whatever is written after the backup is lost when it is restored: in a Recreate the writers are stopped before. The
 * cost of going back stands here, right before the point of no return, where it is easily forgotten.
 */
function backUp({ hop, deployment }: HopOfDeployment): RenderedStep {
  const needs = hop.wayBack?.needs ?? 'backup';
  return {
    title: 'Back up the database, and check the backup',
    commands: backUpCommands(hop.fromVersion, dumpFrom(deployment)),
    notes: compact(
      needs === 'backup'
        ? 'An upgrade migrates the database; this dump is the only way back.'
        : `As far as is known, going back needs ${wayBackWords[needs].label}; this dump is for the unforeseen.`,
      hop.strategy !== 'Recreate' &&
        'Lightdash keeps writing: anything it writes from now on is not in the dump.',
    ),
  };
}

function downtimeBegins({ time }: HopDetails): string[] {
  return compact(
    'The downtime begins here, so the backup misses nothing.',
    time && `${sentence(describeMigrationTime(time))}. The downtime is at least that long.`,
  );
}

function rehearseUpgrade(of: HopOfDeployment): RenderedStep {
  const { deployment } = of;
  const name = deployment.file ?? 'your values file';
  const files = deployment.files.length > 1 ? 'these files: add to one of them' : 'that file: add to it';
  const yaml = ['image:', `  tag: ${JSON.stringify(tagOf(of))}`, ...strategyValues(of)];
  return {
    title: 'Rehearse the upgrade, and see what it changes',
    values: { file: name, yaml: nested(deployment.valuesPath, yaml) },
    commands: [
      ...(deploysOtherChart(deployment)
        ? []
        : [
            "helm repo list 2> /dev/null | grep '^lightdash[[:space:]]' > /dev/null ||\n  helm repo add " +
              'lightdash https://lightdash.github.io/helm-charts',
            'helm repo update lightdash',
          ]),
      `rendered=$(${helm('template', deployment)} \\\n  --is-upgrade --no-hooks)`,
      workloadsOfRendered,
      ...checkRendered(of, name),
      // In a subshell: a bash with an exit trap whose own `printf` loses its reader takes Ctrl-C from what follows.
      `(printf '%s\\n' "$rendered") | kubectl diff ${namespaceOf(deployment)} --filename - || [ "$?" = 1 ] ` +
        `||\n  printf '%s\\n' 'kubectl cannot show what would change.' >&2`,
      `${helm('upgrade', deployment)} \\\n  --dry-run > /dev/null`,
    ],
    notes: [
      'Nothing changes yet: what the chart would refuse later, it refuses here. Whether the cluster can ' +
        'pull the image remains open.',
      ...digestNotes(deployment),
      `Helm takes values only from ${files} anything once set with --set ("helm get values" lists it). ` +
        '--reuse-values would drop the defaults of a newer chart.',
    ],
  };
}

/** What each chart takes the strategy from; of a chart that is not known, all that may be. */
function strategyValues({ hop: { strategy }, deployment }: HopOfDeployment): string[] {
  const chart = publisherChart(deployment);
  const setBy = chart && strategySetBy(chart);
  if (setBy === 'nothing') return [];
  const certain = chart !== undefined && !isChartBefore(chart, chartWith.upgradeModeSeen);
  const mode = [`upgrade: {mode: ${strategy}}`];
  const each = ['lightdashBackend', 'scheduler', 'appBuildWorker'].map(
    (workload) => `${workload}: {strategy: {type: ${strategy}}}`,
  );
  const ofOthers = '# and likewise for each NATS worker that is enabled';
  if (setBy === 'strategies') return [...each, ofOthers];
  if (certain) return mode;
  return [
    `# charts from ${chartWith.scaleDown} on`,
    ...mode,
    `# charts from ${chartWith.strategy} to ${lastChartThatNeedsScaleDown}; later ones may need it too`,
    ...each,
    ofOthers,
  ];
}

/**
 * A line for every object: its kind, its strategy, its images. kubectl reads the YAML as the cluster does, and with
 * `--local` asks no server.
 */
const workloadsOfRendered = `workloads=$(printf '%s\\n' "$rendered" | kubectl label --local --overwrite --filename - lightspan=read \\
  --output 'jsonpath={.kind}{" "}{.spec.strategy.type}{" "}{.spec.template.spec.containers[*].image}{"\\n"}')`;

function checkRendered(of: HopOfDeployment, name: string): string[] {
  const tag = tagOf(of);
  const { strategy } = of.hop;
  const ofTag = `:${escapeDots(tag)}${digest}( |$)`;
  const lines = `printf '%s\\n' "$workloads"`;
  const chart = publisherChart(of.deployment);
  const hasTag = orFail(
    `${lines} | grep -E -e ${shellWord(ofTag)} > /dev/null`,
    `the chart with ${name} deploys no image with the tag ${tag}: set it there first, or the next upgrade ` +
      'from that file goes back',
  );
  // An older chart knows no strategy, and what is not known of a chart is no fault of the values.
  if (chart === undefined || strategySetBy(chart) === 'nothing') return [hasTag];
  const ofImage = `grep -E -e ${shellWord(`^Deployment .*${ofTag}`)}`;
  const others = `grep ${strategy === 'Recreate' ? '-v ' : ''}'^Deployment Recreate '`;
  return [
    hasTag,
    orFail(
      `! ${lines} | ${ofImage} | ${others} > /dev/null`,
      `the chart with ${name} does not deploy with ${strategy}: set that there first`,
    ),
  ];
}

function publisherChart(deployment: Deployment) {
  return deploysOtherChart(deployment) ? undefined : chartOf(deployment.chartVersion);
}

const escapeDots = (text: string) => text.replaceAll('.', '\\.');
const digest = '(@sha256:[0-9a-f]+)?';

function pullImage(of: HopOfDeployment): RenderedStep {
  const tag = tagOf(of);
  const { deployment } = of;
  const { file, files, services: known, variable } = deployment;
  const image = nameOfImage(deployment.image);
  const services = servicesOf(deployment);
  const compose = composeCommand(deployment);
  const name = variable?.file ?? file ?? (files.join(' or ') || 'your compose file');
  const found =
    image === undefined
      ? `${compose} config --images ${services} | grep -Ec ${shellWord(`:${escapeDots(tag)}${digest}$`)}`
      : `${compose} config --images | grep -Exc ${shellWord(`${escapeDots(image)}:${escapeDots(tag)}${digest}`)}`;
  const yaml = (known.length === 0 ? ['<your service>'] : known).flatMap((service) => [
    `${service}:`,
    `  image: ${JSON.stringify(`${image ?? '<your image>'}:${tag}`)}`,
  ]);
  return {
    title: `Check that ${name} has ${tag}, and pull the image`,
    values: { file: name, yaml: settingOf(of) ?? nested(['services'], yaml) },
    commands: [
      orFail(
        `[ "$(${found})" -ge ${Math.max(1, known.length)} ]`,
        variable === undefined
          ? `${name} does not have ${tag} at every service of Lightdash: set it there first`
          : `${name} does not give ${tag} to every service of Lightdash: set ${variable.name} there first`,
      ),
      // In another project nothing would be stopped, and a second Lightdash would start on the same database.
      orFail(
        `[ -n "$(${compose} ps --quiet)" ]`,
        'docker compose runs nothing of this project here: check the folder, the project (docker compose ' +
          'ls) and the Docker host; Swarm runs it without compose',
      ),
      `${compose} pull ${services}`,
    ],
    notes: [
      'Nothing is stopped before the image is here.',
      // Neither down nor up affects a service whose profile is not active.
      'If you start services with --profile, set COMPOSE_PROFILES to that profile before you begin: ' +
        'otherwise those services are not upgraded, and stopped ones do not start again.',
      ...digestNotes(deployment),
    ],
  };
}

/** The variable with the next release in place of that from which the hop starts. */
function settingOf({ hop, deployment: { variable } }: HopOfDeployment): string | undefined {
  if (variable === undefined) return undefined;
  const { name, written } = variable;
  return `${name}=${written.replace(/\d+\.\d+\.\d+(?!.*\d+\.\d+\.\d)/, hop.toVersion)}\n`;
}

function digestNotes({ image }: Deployment): string[] {
  const note = 'The digest in the file belongs to the old tag: replace it with the new one, or remove it.';
  return image == null || image.digest === null ? [] : [note];
}

export function nameOfImage(image: DeployedImage | undefined): string | undefined {
  return [image?.registry, image?.repository].filter((part) => part != null).join('/') || undefined;
}

function nested(path: readonly string[], lines: readonly string[]): string {
  return `${underKeys(path, lines).join('\n')}\n`;
}

function dumpFrom(deployment: Deployment): DumpFrom {
  const { kind, database } = deployment;
  const compose = composeCommand(deployment);
  if (database === undefined) return kind === 'compose' ? { kind: 'unknown', compose } : { kind: 'here' };
  const name = shellWord(database);
  return {
    kind: 'container',
    exec:
      kind === 'compose'
        ? execInService(name, compose)
        : `kubectl exec --stdin ${namespaceOf(deployment)} ${name} --`,
  };
}

/**
 * docker compose with all files of the project in their order: without one of them it would bring up another
 * deployment. Where it finds them by itself, it is run in their folder.
 */
function composeCommand({ folder, files, envFiles = [] }: Deployment): string {
  if (folder !== undefined) return 'docker compose';
  const named = files.map((file) => `--file ${shellWord(file)}`);
  return ['docker compose', ...named, ...envFiles.map((file) => `--env-file ${shellWord(file)}`)].join(' ');
}

/** Nothing for the folder that the user is in. */
export function goTo(folder: string): string | undefined {
  if (folder === '.') return undefined;
  // A bare name would be looked up in CDPATH.
  const path = /^(\/|\.\.?(\/|$))/.test(folder) ? folder : `./${folder}`;
  return `cd ${shellWord(path)}`;
}

function servicesOf({ services }: Deployment): string {
  return services.length === 0
    ? shellPlaceholder('LIGHTDASH_SERVICE')
    : services.map((name) => shellWord(name)).join(' ');
}

function helm(command: 'upgrade' | 'template', deployment: Deployment): string {
  const { release, file, files, chartVersion, parentVersion } = deployment;
  const word = (known: string | undefined, variable: string) =>
    known === undefined ? shellPlaceholder(variable) : shellWord(known);
  const isOther = deploysOtherChart(deployment);
  const version = isOther ? parentVersion : chartVersion;
  const chart = isOther ? shellPlaceholder('CHART') : 'lightdash/lightdash';
  return [
    `helm ${command} ${word(release, 'RELEASE')} ${chart} ${namespaceOf(deployment)}`,
    ...(isOther && version === undefined ? [] : [`--version ${word(version, 'CHART_VERSION')}`]),
    ...(files.length === 0 ? [file] : files).map((values) => `--values ${word(values, 'VALUES_FILE')}`),
  ].join(' \\\n  ');
}

function migrationNote({ migrationJob, migrationJobName, backend, startup }: Deployment): string {
  if (migrationJob === true) {
    const job =
      migrationJobName === undefined ? 'the job whose name ends in -migrate' : `job/${migrationJobName}`;
    return (
      'Helm waits for the migration job, however long it takes, and stops if it fails. Follow it in another ' +
      `terminal with kubectl logs --follow (${job}); 100 seconds after it ends, the cluster deletes it and its ` +
      'logs.'
    );
  }
  const unless = migrationJob === false ? '' : 'Unless migrationJob.enabled is set, ';
  const when = `${unless}the new pods migrate as they start`;
  const ends =
    startup === 'none'
      ? `deployment/${backend} has no startup probe, so its liveness probe may kill a container that migrates`
      : 'a container that takes longer than its startup probe allows ' +
        `(${startup === undefined ? 'about 185 seconds by default' : `deployment/${backend}: ${startup} seconds`}) ` +
        'is killed and starts over';
  return `${sentence(when)}: ${ends}.`;
}
