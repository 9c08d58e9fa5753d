import {
  type Answers,
  defineCheck,
  type EvidenceOf,
  type Judgement,
  ok,
  stop,
  warn,
} from '../checks/check.js';
import type { ImageFact, PodFact, WorkloadFact } from '../facts/deployment-facts.js';
import {
  isLasting,
  migrationJobs,
  otherContainers,
  ownContainers,
  releaseTagOf,
  servingContainers,
  servingPods,
  versionOf,
} from '../facts/lightdash-containers.js';
import { lackingWorkloads, nameOf } from '../instance/workloads.js';
import type { Version } from '../release-safety/version.js';
import { countOf } from '../words/phrase.js';
import { shellWord } from '../words/quoted-words.js';

/** What identifies a pod for kubectl. */
interface Place {
  readonly pod: string;
  readonly namespace: string | null;
}

interface Kinds {
  'workload-of-another-release': { workload: string; image: string; to: string };
  'pod-of-another-release': Place & {
    image: string;
    to: string;
    /** It is being deleted. */
    ending: boolean;
  };
  'pod-release-not-told': Place & { image: string };
  'pod-not-ready': Place & {
    phase: string;
    container: string | null;
    reason: string | null;
    restarts: number;
  };
  'pod-restarted': Place & {
    container: string;
    restarts: number;
    reason: string | null;
    exitCode: number | null;
  };
  'pod-failed': Place & { reason: string | null };
  'workload-lacks-pods': { workload: string; wanted: number; running: number };
  'workload-at-zero': { workload: string };
  'migration-job-failed': { workload: string; failed: number };
  'migration-job-not-ended': { workload: string };
  'pods-run-the-release': { to: string; pods: number; workloads: number };
}

export type PodsEvidence = EvidenceOf<Kinds>;

export const pods = defineCheck<Kinds>()({
  id: 'pods',
  needs: ['deployment', 'workloads', 'pods'],
  judge({ to, facts: { deployment, workloads, pods: all } }): Answers<PodsEvidence> {
    const lacking = lackingWorkloads(deployment, workloads);
    if (lacking.length > 0) return lacking;
    const serving = [...new Set(servingContainers(workloads).map(({ workload }) => workload))];
    const ofLightdash = servingPods(workloads, all);
    const running = ofLightdash.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
    const findings: Answers<PodsEvidence> = [
      ...workloads.flatMap((workload) => judgeWorkload(workload, to, running)),
      ...judgeByTheClock(workloads, to),
      ...judgeDigests(running, to),
      ...running.flatMap((pod) => judgePod(pod, to)),
      ...ofLightdash.filter(({ phase }) => phase === 'Failed').map(judgeFailed),
    ];
    if (findings.length > 0) return findings;
    return [ok({ kind: 'pods-run-the-release', to, pods: running.length, workloads: serving.length })];
  },
  label: 'Pods',
  meaning:
    'Whether every pod of every workload of Lightdash is ready and runs the release, and no pod runs another.',
  looksAt:
    'Workloads and pods. A pod without an owner, or one that is still ending, counts too: it may serve requests or work on jobs.',
  finds: {
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
      shell: describePod,
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
      shell: describePod,
    },
    'pod-restarted': {
      meaning:
        'A container of a ready pod was restarted. This also happens when a startup probe ends a long migration.',
      remedy: 'Read the log of the previous run.',
      describe: ({ pod, container, restarts, reason, exitCode }) =>
        `container ${container} of ${pod} has ${countOf(restarts, 'restart')}${
          reason === null ? '' : `, the last for ${reason}${exitCode === null ? '' : ` (exit ${exitCode})`}`
        }`,
      shell: ({ pod, namespace, container }) => [
        `kubectl logs${inNamespace(namespace)} ${shellWord(pod)} --container ${shellWord(container)} --previous`,
      ],
    },
    'pod-failed': {
      meaning: 'A pod has failed, such as one that was evicted. It serves nothing.',
      remedy: 'Find out why; then delete it, because nothing else removes it.',
      describe: ({ pod, reason }) => `${pod} has failed${reason === null ? '' : `: ${reason}`}`,
      shell: describePod,
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
      meaning:
        'Every pod of every workload of Lightdash runs the release and is ready, and none runs another.',
      describe: ({ to, pods, workloads }) =>
        `${countOf(pods, 'pod')} of ${countOf(workloads, 'workload')}, all ready and of ${to}`,
    },
  },
});

type Found = Judgement<PodsEvidence>;

function judgeWorkload(workload: WorkloadFact, to: Version, running: readonly PodFact[]): Found[] {
  const { kind, name, role, replicas, failed, succeeded } = workload;
  const called = nameOf(workload);
  const own = ownContainers(workload.containers);
  if (kind === 'Job' && role === 'migration') {
    const isOfTarget = own.some(({ image }) => releaseTagOf(image)?.version === to);
    if (!isOfTarget || (succeeded ?? 0) > 0) return [];
    if (failed !== null && failed > 0) {
      return [stop(called, { kind: 'migration-job-failed', workload: called, failed })];
    }
    return succeeded === null ? [] : [stop(called, { kind: 'migration-job-not-ended', workload: called })];
  }
  if ((role !== 'backend' && role !== 'worker') || !isLasting(workload)) return [];
  const other = own.find(({ image }) => isOfAnother(image, to));
  if (other !== undefined) {
    const { reference: image } = other.image;
    return [stop(called, { kind: 'workload-of-another-release', workload: called, image, to })];
  }
  if (replicas === 0) {
    const status = role === 'backend' ? 'stop' : 'warn';
    return [{ status, subject: called, evidence: { kind: 'workload-at-zero', workload: called } }];
  }
  // A DaemonSet has as many pods as there are nodes for it.
  if (kind === 'DaemonSet') return [];
  const wanted = replicas ?? 1;
  const there = running.filter((pod) => pod.workload === name && !pod.ending).length;
  return there >= wanted
    ? []
    : [stop(called, { kind: 'workload-lacks-pods', workload: called, wanted, running: there })];
}

function judgePod(pod: PodFact, to: Version): Found[] {
  const { name, namespace, phase, ending, containers } = pod;
  const place: Place = { pod: name, namespace };
  const own = ownContainers(containers);
  const other = own.find(({ image }) => isOfAnother(image, to));
  if (other !== undefined) {
    const { reference: image } = other.image;
    return [stop(name, { kind: 'pod-of-another-release', image, to, ending, ...place })];
  }
  const notReported = own.find(({ image }) => releaseTagOf(image) === undefined);
  if (notReported !== undefined) {
    return [stop(name, { kind: 'pod-release-not-told', image: notReported.image.reference, ...place })];
  }
  // The pod runs the right release but is about to go.
  if (ending) return [];
  const notReady = containers.filter(({ init, ready }) => !init && !ready);
  if (phase !== 'Running' || notReady.length > 0) {
    const told = containers.find(({ init, reason }) => init && reason !== null && reason !== 'Completed');
    const why = told ?? notReady.find(({ reason }) => reason !== null) ?? notReady[0];
    return [
      stop(name, {
        kind: 'pod-not-ready',
        phase,
        container: why?.name ?? null,
        reason: why?.reason ?? null,
        restarts: why?.restarts ?? 0,
        ...place,
      }),
    ];
  }
  return containers
    .filter(({ init, restarts }) => !init && restarts > 0)
    .map(({ name: container, restarts, lastReason: reason, lastExitCode: exitCode }) =>
      warn(name, { kind: 'pod-restarted', container, restarts, reason, exitCode, ...place }),
    );
}

/** Judges what a CronJob will start: it has no pod now that would show its release. */
function judgeByTheClock(workloads: readonly WorkloadFact[], to: Version): Answers<PodsEvidence> {
  const byTheClock = [...migrationJobs(workloads), ...otherContainers(workloads)].filter(
    ({ workload: { kind } }) => kind === 'CronJob',
  );
  return byTheClock.flatMap(({ workload, container }): Answers<PodsEvidence> => {
    const version = versionOf(container);
    if (version === to) return [];
    const called = nameOf(workload);
    if (version === undefined) {
      return [{ lacks: 'workloads', why: 'failed', detail: `the release that ${called} starts` }];
    }
    const { reference: image } = container.image;
    return [stop(called, { kind: 'workload-of-another-release', workload: called, image, to })];
  });
}

/** A digest decides what runs, not the tag next to it: if there are two, one may be of the previous release. */
function judgeDigests(running: readonly PodFact[], to: Version): Answers<PodsEvidence> {
  const images = running.flatMap(({ containers }) => ownContainers(containers)).map(({ image }) => image);
  const digests = new Set(
    images.flatMap((image) => (releaseTagOf(image)?.version === to ? (image.digest ?? []) : [])),
  );
  const detail = `the digests next to the tag ${to} differ, and one may be of another release`;
  return digests.size < 2 ? [] : [{ lacks: 'pods', why: 'failed', detail }];
}

/** A failed pod serves nothing and stays for inspection. */
function judgeFailed({ name, namespace, containers }: PodFact): Found {
  const reason = containers.map((one) => one.reason).find((one) => one !== null) ?? null;
  return warn(name, { kind: 'pod-failed', reason, pod: name, namespace });
}

/** Whether its tag names a release, and that is another one. */
function isOfAnother(image: ImageFact, to: Version): boolean {
  const tag = releaseTagOf(image);
  return tag !== undefined && tag.version !== to;
}

function describePod({ pod, namespace }: Place): string[] {
  return [`kubectl describe pod${inNamespace(namespace)} ${shellWord(pod)}`];
}

function inNamespace(namespace: string | null): string {
  return namespace === null ? '' : ` --namespace ${shellWord(namespace)}`;
}
