import { compact } from '../core/text/compact.js';
import { shellPlaceholder, shellWord } from '../core/text/quoted-words.js';
import type { HelmDeployment } from '../instance/deployment.js';
import { helmTool } from './helm.js';
import type { RenderedStep } from './step-schema.js';
import { type HopOfDeployment, longestWait, placeholders } from './tool.js';

/** What applies a deployment from Git, and how it is paused and goes on. */
interface GitOpsTool {
  readonly name: string;
  readonly pause: string;
  readonly goOn: readonly string[];
  readonly pauseNotes: readonly string[];
  readonly goOnNotes: readonly string[];
  readonly resume: readonly string[];
}

type AppliedFromGit = 'argo-cd' | 'flux';

/**
 * Argo CD and Flux upgrade when Git says so: nothing of that is a command of helm. The backup is a job in front of the
 * migrations, which the same sync runs, and which stops the sync if it fails.
 *
 * Sources: "Resource hooks", "Sync phases and waves" and "Helm" of the user guide of Argo CD; "Helm Releases" of Flux.
 */
export function gitOpsSteps(
  of: HopOfDeployment<HelmDeployment>,
  by: AppliedFromGit,
): readonly RenderedStep[] {
  const { hop, deployment } = of;
  const tool = by === 'flux' ? fluxTool(deployment.namespace) : argoTool;
  const recreate = hop.strategy === 'Recreate';
  const { yaml } = helmTool(of).values(hop.toVersion);
  return [
    ...(recreate ? [pauseStep(tool), stopStep(of)] : []),
    {
      title: `Set ${hop.toVersion} in Git, with the job that backs up`,
      values: { file: 'the values of Lightdash in Git', yaml },
      commands: [],
      look: [],
      notes: compact(
        'The backup is part of the hop: examples/helm/backup.yaml.tpl is a job for the chart around that of Lightdash. ' +
          'It is a hook before the upgrade with the weight -5, and the job that migrates has the weight 0.',
        `LIGHTDASH in it is ${recreate ? 'stopped: it refuses to dump while a session may write' : 'running: what is written from then on is not in the dump'}.`,
        by === 'argo-cd' &&
          'Argo CD runs such a hook as a PreSync hook. Where the Application has a hook of Argo CD itself, it ignores ' +
            'all hooks of Helm, and nothing migrates: examples/argo-cd/presync-backup.yaml is for manifests without Helm.',
      ),
      failure: 'Nothing was applied.',
      continuation: 'Change it in Git.',
      undo: `Set ${hop.fromVersion} in Git again.`,
    },
    {
      title: recreate ? `Let ${tool.name} go on` : `Let ${tool.name} apply it`,
      commands: recreate ? tool.goOn : [],
      look: [],
      notes: [
        'The order is: backup, migrations, Deployments. If the backup fails, nothing after it is applied.',
        ...tool.goOnNotes,
      ],
      failure: 'See the log of the job that failed. Once the one that migrates has begun, go the way back.',
      continuation: 'It applies what is not applied yet, after another backup.',
      undo: 'The way back.',
    },
    confirmStep(of, recreate ? tool.resume : []),
  ];
}

function pauseStep(tool: GitOpsTool): RenderedStep {
  return {
    title: `Pause ${tool.name}`,
    commands: [tool.pause],
    look: [],
    notes: [`Otherwise ${tool.name} starts again what the next step stops.`, ...tool.pauseNotes],
    failure: 'Nothing was changed.',
    continuation: 'It pauses again.',
    undo: tool.resume.length > 0 ? tool.resume.join('; ') : tool.goOn.join('; '),
  };
}

function stopStep({ deployment: { deployments, namespace } }: HopOfDeployment<HelmDeployment>): RenderedStep {
  const where = `--namespace ${namespace === undefined ? shellPlaceholder('NAMESPACE') : shellWord(namespace)}`;
  const ofChart = '--selector app.kubernetes.io/name=lightdash';
  const named = deployments.length === 0 ? [ofChart] : deployments.map(shellWord);
  return {
    title: 'Stop all of Lightdash',
    commands: [
      ...named.map((name) => `kubectl scale deployment ${name} --replicas=0 ${where}`),
      ...named.map((name) => `kubectl rollout status deployment ${name} ${where}`),
    ],
    look: [],
    notes: ['The downtime begins here, so the backup misses nothing. Note how many pods each of them had.'],
    failure: 'Some of it may be stopped.',
    continuation: 'It stops what runs.',
    undo: 'Scale each Deployment to what it had.',
  };
}

function confirmStep({ hop }: HopOfDeployment<HelmDeployment>, resume: readonly string[]): RenderedStep {
  return {
    title: `Confirm that ${hop.toVersion} is ready`,
    commands: [
      `lightspan upgrade-verify --instance ${shellPlaceholder('LIGHTDASH_URL', placeholders.LIGHTDASH_URL)} --version ${hop.toVersion} --window ${longestWait.duration}`,
      ...resume,
    ],
    look: [],
    notes: [
      'To go back: pause it, stop Lightdash, rename the database and restore the dump beside it (pg_restore --create), ' +
        `and set ${hop.fromVersion} in Git. A rollback by the tool alone starts the old version on the new schema.`,
    ],
    failure: 'It is not known to be well.',
    continuation: 'It asks again.',
    undo: 'The way back.',
  };
}

const application = shellPlaceholder('APPLICATION', 'set the name of the Application of Argo CD');

const argoTool: GitOpsTool = {
  name: 'Argo CD',
  pause: `argocd app set ${application} --sync-policy none`,
  pauseNotes: [
    'If another Application or an ApplicationSet makes this one, remove syncPolicy.automated there, in Git.',
  ],
  goOn: [
    `argocd app sync ${application}`,
    `argocd app wait ${application} --health --timeout ${longestWait.seconds}`,
  ],
  goOnNotes: ['The sync waits for the jobs, however long they take.'],
  resume: [`argocd app set ${application} --sync-policy automated`],
};

function fluxTool(namespace: string | undefined): GitOpsTool {
  const release = shellPlaceholder('HELM_RELEASE', 'set the name of the HelmRelease');
  const where = namespace === undefined ? shellPlaceholder('NAMESPACE') : shellWord(namespace);
  return {
    name: 'Flux',
    pause: `flux suspend helmrelease ${release} --namespace ${where}`,
    pauseNotes: [
      'The HelmRelease may be in another namespace than Lightdash. What sets its spec.suspend in Git would undo this.',
    ],
    goOn: [`flux resume helmrelease ${release} --namespace ${where}`],
    goOnNotes: [
      'The spec.timeout of the HelmRelease must be longer than backup and migrations, and spec.upgrade.remediation must ' +
        'not roll back: that would start the old version on a migrated database.',
    ],
    resume: [],
  };
}
