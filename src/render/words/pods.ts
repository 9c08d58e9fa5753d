import type { PodsEvidence } from '../../verify/pods.js';
import { countOf } from '../phrase.js';
import { shellWord } from '../shell-word.js';
import type { FindingWords } from './checks/check-words.js';

/** The state of a cluster's pods after an upgrade. */
export const podWords: FindingWords<PodsEvidence> = {
  'workload-of-another-release': {
    meaning:
      'A workload names a release other than the one that was deployed: all its pods will run that release.',
    remedy: 'Deploy the release to it too; all workloads of Lightdash share one database.',
    describe: ({ workload, image, to }) => `${workload} is set to run ${image}, not ${to}`,
  },
  'pod-of-another-release': {
    meaning: 'A pod runs a release other than the one that was deployed. It may answer, or work on jobs.',
    remedy:
      'Wait until the rollout has ended. If it does not end, look at its events, and at what keeps the pod alive.',
    describe: ({ pod, image, to, ending }) =>
      `${pod} ${ending ? 'is ending, and still runs' : 'runs'} ${image}, not ${to}`,
    pasteIn: 'shell',
    commands: describePod,
  },
  'pod-release-not-told': {
    meaning:
      'The image of a pod does not show which release it is: its tag moves, or it is named by a digest alone.',
    remedy: 'Pin the tag of one release, for every workload.',
    describe: ({ pod, image }) => `${pod} runs ${image}, which names no release`,
  },
  'pod-not-ready': {
    meaning:
      'A pod of the release is not ready. The reason is that of the container that waits or has ended.',
    remedy: 'Read its log, the log of its previous run, and its events.',
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
    meaning:
      'A container of a ready pod was restarted. This also happens when a startup probe ends a long migration.',
    remedy: 'Read the log of the previous run.',
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
    remedy: 'Find out why; then delete it, because nothing else removes it.',
    describe: ({ pod, reason }) => `${pod} has failed${reason === null ? '' : `: ${reason}`}`,
    pasteIn: 'shell',
    commands: describePod,
  },
  'workload-lacks-pods': {
    meaning: 'A workload has fewer pods than it should have.',
    remedy: 'Wait until the rollout has ended. If it does not end, look at the events of the workload.',
    describe: ({ workload, wanted, running }) => `${workload} has ${running} of ${countOf(wanted, 'pod')}`,
  },
  'workload-at-zero': {
    meaning:
      'A workload is scaled to zero. Steps that scale down before a migration leave it at zero if the migration fails.',
    remedy:
      'Check whether the migration has succeeded; then scale the workload up, and restore its autoscaler.',
    describe: ({ workload }) => `${workload} is scaled to zero`,
  },
  'migration-job-failed': {
    meaning: 'The migration job of the release has failed, and has not succeeded since.',
    remedy: 'Read its log, fix what it names, and run it again.',
    describe: ({ workload, failed }) => `${workload} has failed ${countOf(failed, 'time')}`,
  },
  'migration-job-not-ended': {
    meaning:
      'The migration job of the release has neither succeeded nor failed: it runs, waits or is suspended.',
    remedy: 'Wait until it has ended. If it does not end, read its log and its events.',
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
