import type { PodsEvidence } from '../../verify/pods.js';
import { countOf } from '../phrase.js';
import { shellWord } from '../shell-word.js';
import type { FindingWords } from './checks/check-words.js';

/** The state of a cluster's pods after an upgrade. */
export const podWords: FindingWords<PodsEvidence> = {
  'workload-of-another-release': {
    meaning: 'A workload names another release than the one that was deployed: all its pods will run that.',
    remedy: 'Deploy the release to it too; all workloads of Lightdash share one database.',
    describe: ({ workload, image, to }) => `${workload} is to run ${image}, and not ${to}`,
  },
  'pod-of-another-release': {
    meaning: 'A pod runs another release than the one that was deployed. It may answer, or work on jobs.',
    remedy:
      'Wait until the rollout has ended. Where it does not end, look at its events, and at what keeps the pod.',
    describe: ({ pod, image, to, ending }) =>
      `${pod} ${ending ? 'is ending, and still runs' : 'runs'} ${image}, and not ${to}`,
    pasteIn: 'shell',
    commands: describePod,
  },
  'pod-release-not-told': {
    meaning:
      'The image of a pod does not tell which release it is: its tag moves, or it is named by a digest alone.',
    remedy: 'Pin the tag of one release, for every workload.',
    describe: ({ pod, image }) => `${pod} runs ${image}, which names no release`,
  },
  'pod-not-ready': {
    meaning:
      'A pod of the release is not ready. Its reason is that of the container which waits or has ended.',
    remedy: 'Read its log, that of the run before too, and its events.',
    describe: ({ pod, phase, container, reason, restarts }) =>
      [
        `${pod} is not ready: ${reason ?? phase}`,
        ...(container === null ? [] : [`container ${container}`]),
        ...(restarts === 0 ? [] : [countOf(restarts, 'restart')]),
      ].join(', '),
    pasteIn: 'shell',
    commands: describePod,
  },
  'pod-restarted': {
    meaning: 'A container of a ready pod was restarted. A long migration that a startup probe ends looks so.',
    remedy: 'Read the log of the run before.',
    describe: ({ pod, container, restarts, reason, exitCode }) =>
      `container ${container} of ${pod} has ${countOf(restarts, 'restart')}${
        reason === null ? '' : `, the last for ${reason}${exitCode === null ? '' : ` (exit ${exitCode})`}`
      }`,
    pasteIn: 'shell',
    commands: ({ pod, namespace, container }) => [
      `kubectl logs${inNamespace(namespace)} ${shellWord(pod)} --container ${shellWord(container)} --previous`,
    ],
  },
  'pod-failed': {
    meaning: 'A pod has failed, such as one that was evicted. It serves nothing.',
    remedy: 'Look why; then delete it, for nothing else clears it away.',
    describe: ({ pod, reason }) => `${pod} has failed${reason === null ? '' : `: ${reason}`}`,
    pasteIn: 'shell',
    commands: describePod,
  },
  'workload-lacks-pods': {
    meaning: 'A workload has fewer pods than it is to have.',
    remedy: 'Wait until the rollout has ended. Where it does not end, look at the events of the workload.',
    describe: ({ workload, wanted, running }) => `${workload} has ${running} of ${countOf(wanted, 'pod')}`,
  },
  'workload-at-zero': {
    meaning:
      'A workload is scaled to zero. Steps that scale down before a migration leave it so where the migration fails.',
    remedy: 'Look whether the migration has ended well; then scale it up, and bring back its autoscaler.',
    describe: ({ workload }) => `${workload} is scaled to zero`,
  },
  'migration-job-failed': {
    meaning: 'The job that migrates for the release has failed, and not succeeded.',
    remedy: 'Read its log, mend what it names, and run it again.',
    describe: ({ workload, failed }) => `${workload} has failed ${countOf(failed, 'time')}`,
  },
  'migration-job-not-ended': {
    meaning:
      'The job that migrates for the release has neither succeeded nor failed: it runs, waits or is suspended.',
    remedy: 'Wait until it has ended. Where it does not end, read its log and its events.',
    describe: ({ workload }) => `${workload} has not ended`,
  },
  'pods-run-the-release': {
    meaning: 'Every pod of every workload of Lightdash runs the release and is ready, and none runs another.',
    describe: ({ to, pods, workloads }) =>
      `${countOf(pods, 'pod')} of ${countOf(workloads, 'workload')}, all ready and of ${to}`,
  },
};

function describePod({
  pod,
  namespace,
}: {
  readonly pod: string;
  readonly namespace: string | null;
}): string[] {
  return [`kubectl describe pod${inNamespace(namespace)} ${shellWord(pod)}`];
}

function inNamespace(namespace: string | null): string {
  return namespace === null ? '' : ` --namespace ${shellWord(namespace)}`;
}
