import {
  type DeploymentStep,
  firstChartThatStopsWorkloads,
  lastChartThatNeedsScaleDown,
  type Strategy,
  type WorkloadsStop,
} from '../release-safety/deployment.js';
import { shellPlaceholder, shellWord } from './shell-word.js';

/** A step as a person reads it, and what to paste into a shell or a file for it. */
export interface RenderedStep {
  readonly title: string;
  /** YAML to be put into `file`. */
  readonly values?: { readonly file: string; readonly yaml: string };
  /** Each one command of a POSIX shell. */
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

/** What the commands of a hop need to know. */
export interface StepFacts {
  readonly fromVersion: string;
  readonly toVersion: string;
  readonly strategy: Strategy;
  /** What the image tag has behind the version, such as `-custom`; mostly nothing. */
  readonly tagSuffix: string;
  readonly release: string;
  readonly valuesFile: string;
  readonly chartVersion: string | undefined;
  /** Where the running instance tells its version, if that is known. */
  readonly healthUrl: string | undefined;
}

const namespace = `--namespace ${shellPlaceholder('NAMESPACE', 'set your namespace')}`;

/** Step by step what to do for one hop. Nothing is executed: these are words to read and commands to paste. */
export function renderStep(step: DeploymentStep, facts: StepFacts): RenderedStep {
  const { toVersion, strategy } = facts;
  const tag = `${toVersion}${facts.tagSuffix}`;
  const release = shellWord(facts.release);
  const selector = `--selector ${shellWord(`app.kubernetes.io/name=lightdash,app.kubernetes.io/instance=${facts.release}`)}`;
  switch (step.kind) {
    case 'back-up-database':
      return {
        title: 'Back up the database',
        commands: [
          `pg_dump --format=custom --file=${shellWord(`lightdash-${facts.fromVersion}.dump`)} --dbname=${shellPlaceholder('PGDATABASE', 'set PGHOST, PGUSER, PGPASSWORD and PGDATABASE')}`,
        ],
        notes: ['An upgrade migrates the database; this dump is the only way back.'],
      };
    case 'set-helm-values':
      return {
        title: `Set the tag and the mode in ${facts.valuesFile}`,
        values: {
          file: facts.valuesFile,
          yaml: `image:\n  tag: "${tag}"\nupgrade:\n  mode: ${strategy}\n`,
        },
        commands: [],
        notes: [],
      };
    case 'scale-down-workloads':
      return {
        title: step.onlyOlderCharts
          ? `Only with chart ${lastChartThatNeedsScaleDown} or earlier: scale the workloads down by hand`
          : 'Scale the workloads down by hand (this chart does not stop them)',
        commands: [
          `kubectl scale deployment ${namespace} ${selector} --replicas=0`,
          `kubectl wait --for=delete pod ${namespace} ${selector} --timeout=10m`,
        ],
        notes: [
          'The downtime begins here.',
          'The upgrade brings the replicas back; an autoscaler leaves them at 0, and then scale up again after it.',
        ],
      };
    case 'helm-upgrade':
      return {
        title: `Upgrade the release to ${tag} (${strategy})`,
        commands: [
          [
            `helm upgrade ${release} lightdash/lightdash ${namespace}`,
            `  --version ${facts.chartVersion === undefined ? shellPlaceholder('CHART_VERSION', 'set the version of your chart') : shellWord(facts.chartVersion)}`,
            `  --values ${shellWord(facts.valuesFile)}`,
            `  --set-string image.tag=${shellWord(tag)} --set-string upgrade.mode=${strategy}`,
            '  --timeout 30m',
          ].join(' \\\n'),
        ],
        notes: [workloadsStopNotes[step.workloadsStop]],
      };
    case 'wait-for-migration-job':
      return {
        title: 'Wait for the migration job',
        commands: [`helm status ${release} ${namespace}`],
        notes: [
          'helm runs it before anything else and returns when it has ended. The status must be "deployed".',
          'Where it is "failed", go no further: read the logs of the job first.',
        ],
      };
    case 'wait-for-rollout':
      return {
        title: 'Wait until the new pods are ready',
        commands: [`kubectl rollout status deployment ${namespace} ${selector} --timeout=15m`],
        notes: [],
      };
    case 'compose-down':
      return {
        title: 'Bring the services down',
        commands: ['docker compose down'],
        notes: ['The downtime begins here. Never add --volumes: it would delete the database.'],
      };
    case 'set-compose-tag':
      return {
        title: 'Set the tag in docker-compose.yml',
        values: {
          file: 'docker-compose.yml',
          yaml: `services:\n  lightdash:\n    image: "lightdash/lightdash:${tag}"\n`,
        },
        commands: [],
        notes: [],
      };
    case 'compose-up':
      return {
        title: 'Bring the services up with the new tag',
        commands: ['docker compose up --detach --wait'],
        notes: [],
      };
    case 'confirm-version':
      return {
        title: `Confirm that ${toVersion} runs, and only then go on`,
        commands: [
          `curl --fail --silent --show-error ${wordOfHealthUrl(facts)} | grep --fixed-strings '"version":"${toVersion}"'`,
        ],
        notes: ['No output means that another version answers.'],
      };
  }
}

function wordOfHealthUrl({ healthUrl }: StepFacts): string {
  if (healthUrl !== undefined) return shellWord(healthUrl);
  return `${shellPlaceholder('LIGHTDASH_URL', 'set the address of Lightdash')}/api/v1/health`;
}

const downtime = 'a short downtime';

const workloadsStopNotes: Record<WorkloadsStop, string> = {
  never: 'Old and new pods overlap; no downtime.',
  'before-this-step': `Recreate means ${downtime}: the workloads are down already.`,
  'before-migration-job': `Recreate means ${downtime}: the chart stops the workloads before the migration job.`,
  'before-migration-job-if-newer-chart': `Recreate means ${downtime}: chart ${firstChartThatStopsWorkloads} or later stops the workloads before the migration job.`,
  'while-applying': `Recreate means ${downtime}: without a migration job the old pods stop while the release is applied.`,
};
