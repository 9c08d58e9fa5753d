import type { Version } from '../../core/version.js';
import type { ContainerFact, PodFact, WorkloadFact } from '../../instance/facts/deployment-facts.js';
import {
  isLasting,
  isLightdashImage,
  ownContainers,
  runsLightdash,
  servingContainers,
  servingPods,
  versionOf,
} from '../../instance/facts/lightdash-containers.js';
import { workloadName, workloadsNotSeen } from '../../instance/workloads.js';
import { countOf } from '../../words/phrase.js';
import { defineCheck, type EvidenceOf, lacks, ok, stop, warn } from '../check.js';
import { kubectl } from '../commands.js';

interface NamedPod {
  readonly pod: string;
  readonly namespace: string | null;
}

export type PodsEvidence = EvidenceOf<typeof pods>;

export const pods = defineCheck({
  id: 'pods',
  needs: ['deployment', 'workloads', 'pods'],
  *judge({ to, facts: { deployment, workloads, pods: all } }) {
    const lacking = workloadsNotSeen(deployment, workloads);
    if (lacking.length > 0) return yield* lacking;
    const serving = [...new Set(servingContainers(workloads).map(({ workload }) => workload))];
    const ofLightdash = servingPods(workloads, all);
    const running = ofLightdash.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
    for (const workload of workloads) yield* judgeWorkload(workload, to, running);
    // A digest decides what runs, not the tag next to it: if there are two, one may be of the previous release.
    const digests = running
      .flatMap(({ containers }) => ownContainers(containers))
      .flatMap((container) => (versionOf(container) === to ? (container.image.digest ?? []) : []));
    const detail = `the digests next to the tag ${to} differ, and one may be of another release`;
    if (new Set(digests).size > 1) yield lacks('pods', { why: 'failed', detail });
    for (const pod of running) yield* judgePod(pod, to);
    for (const { name, namespace, containers, phase } of ofLightdash) {
      if (phase !== 'Failed') continue;
      const reason =
        containers.map((container) => container.reason).find((reason) => reason !== null) ?? null;
      yield warn(name, { kind: 'pod-failed', reason, pod: name, namespace });
    }
    return ok({ kind: 'pods-run-the-release', to, pods: running.length, workloads: serving.length });
  },
})({
  label: 'Pods',
  meaning:
    'Whether every pod of every Lightdash workload is ready and runs the release, and no pod runs another. ' +
    'What it looks at: Workloads and pods. A pod without an owner, or one that is still ending, also counts: ' +
    'it may serve requests or work on jobs.',
  traitsOf: {
    'pod-of-another-release': { transient: true },
    'pod-not-ready': { transient: true },
    'workload-lacks-pods': { transient: true },
    'migration-job-not-ended': { transient: true },
  },
  finds: {
    'workload-of-another-release': {
      meaning:
        'A workload names a different release from the deployed one: all its pods will run that release.',
      remedy: 'Deploy the release to it too; all workloads of Lightdash share one database.',
      describe: ({ workload, image, to }) => `${workload} is set to run ${image}, not ${to}`,
    },
    'pod-of-another-release': {
      meaning:
        'A pod runs a different release from the deployed one. It may answer requests or work on jobs.',
      remedy:
        'Wait until the rollout ends. If it does not, look at its events and at what keeps the pod alive.',
      describe: ({ pod, image, to, ending }) =>
        `${pod} ${ending ? 'is ending, and still runs' : 'runs'} ${image}, not ${to}`,
      shell: describePod,
    },
    'pod-release-not-told': {
      meaning: 'The image of a pod does not show its release: its tag moves, or it has only a digest.',
      remedy: 'Pin the tag of one release, for every workload.',
      describe: ({ pod, image }) => `${pod} runs ${image}, which names no release`,
    },
    'pod-not-ready': {
      meaning:
        'A pod of the release is not ready. The reason comes from the container that waits or has ended.',
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
        'A container of a ready pod was restarted. A startup probe that ends a long migration also does this.',
      remedy: 'Read the log of the previous run.',
      describe: ({ pod, container, restarts, reason, exitCode }) =>
        `container ${container} of ${pod} has ${countOf(restarts, 'restart')}${
          reason === null ? '' : `, the last for ${reason}${exitCode === null ? '' : ` (exit ${exitCode})`}`
        }`,
      shell: ({ pod, namespace, container }) => [
        kubectl(namespace, 'logs', pod, '--container', container, '--previous'),
      ],
    },
    'pod-failed': {
      meaning: 'A pod has failed, for example because it was evicted. It serves nothing.',
      remedy: 'Find out why, then delete it: nothing else removes it.',
      describe: ({ pod, reason }) => `${pod} has failed${reason === null ? '' : `: ${reason}`}`,
      shell: describePod,
    },
    'workload-lacks-pods': {
      meaning: 'A workload has fewer pods than it should have.',
      remedy: 'Wait until the rollout ends. If it does not, look at the events of the workload.',
      describe: ({ workload, wanted, running }) => `${workload} has ${running} of ${countOf(wanted, 'pod')}`,
    },
    'workload-at-zero': {
      meaning:
        'A workload is scaled to zero. Steps that scale down before a migration leave it at zero if the ' +
        'migration fails.',
      remedy: 'Check whether the migration succeeded; then scale the workload up and restore its autoscaler.',
      describe: ({ workload }) => `${workload} is scaled to zero`,
    },
    'migration-job-failed': {
      meaning: 'The migration job of the release failed and has not succeeded since.',
      remedy: 'Read its log, fix what it names, and run it again.',
      describe: ({ workload, failed }) => `${workload} has failed ${countOf(failed, 'time')}`,
    },
    'migration-job-not-ended': {
      meaning:
        'The migration job of the release has neither succeeded nor failed: it runs, waits or is suspended.',
      remedy: 'Wait until it ends. If it does not, read its log and its events.',
      describe: ({ workload }) => `${workload} has not ended`,
    },
    'pods-run-the-release': {
      meaning:
        'Every pod of every workload of Lightdash runs the release and is ready, and none runs another.',
      describe: ({ to, pods, workloads }) =>
        `${countOf(pods, 'pod')} of ${countOf(workloads, 'workload')}, all ready and on ${to}`,
    },
  },
});

function* judgeWorkload(workload: WorkloadFact, to: Version, running: readonly PodFact[]) {
  const { kind, name, role, replicas, failed, succeeded } = workload;
  const called = workloadName(workload);
  const containersOfLightdash = ownContainers(workload.containers);
  if (kind === 'CronJob') yield* judgeSchedule(workload, to);
  else if (kind === 'Job' && role === 'migration') {
    if (!containersOfLightdash.some((container) => versionOf(container) === to) || (succeeded ?? 0) > 0)
      return;
    if (failed !== null && failed > 0)
      yield stop(called, { kind: 'migration-job-failed', workload: called, failed });
    else if (succeeded !== null) yield stop(called, { kind: 'migration-job-not-ended', workload: called });
  } else if ((role === 'backend' || role === 'worker') && isLasting(workload)) {
    const image = imageOfAnother(containersOfLightdash, to);
    const judged = role === 'backend' ? stop : warn;
    const wanted = replicas ?? 1;
    const there = running.filter((pod) => pod.workload === name && !pod.ending).length;
    if (image !== undefined)
      yield stop(called, { kind: 'workload-of-another-release', workload: called, image, to });
    else if (replicas === 0) yield judged(called, { kind: 'workload-at-zero', workload: called });
    // A DaemonSet has as many pods as there are nodes for it.
    else if (kind !== 'DaemonSet' && there < wanted)
      yield stop(called, { kind: 'workload-lacks-pods', workload: called, wanted, running: there });
  }
}

/** Judges what a CronJob will start: it has no pod now that would show its release. */
function* judgeSchedule(workload: WorkloadFact, to: Version) {
  const called = workloadName(workload);
  const started = runsLightdash(workload)
    ? ownContainers(workload.containers)
    : workload.containers.filter(({ image }) => isLightdashImage(image));
  for (const container of started) {
    const version = versionOf(container);
    const { reference: image } = container.image;
    if (version === undefined)
      yield lacks('workloads', { why: 'failed', detail: `the release that ${called} starts` });
    else if (version !== to)
      yield stop(called, { kind: 'workload-of-another-release', workload: called, image, to });
  }
}

function* judgePod(pod: PodFact, to: Version) {
  const { name, namespace, phase, ending, containers } = pod;
  const place: NamedPod = { pod: name, namespace };
  const containersOfLightdash = ownContainers(containers);
  const image = imageOfAnother(containersOfLightdash, to);
  const notReported = containersOfLightdash.find((container) => versionOf(container) === undefined);
  const notReady = containers.filter(({ init, ready }) => !init && !ready);
  if (image !== undefined) yield stop(name, { kind: 'pod-of-another-release', image, to, ending, ...place });
  else if (notReported !== undefined)
    yield stop(name, { kind: 'pod-release-not-told', image: notReported.image.reference, ...place });
  // The pod runs the right release but is about to go.
  else if (ending) return;
  else if (phase !== 'Running' || notReady.length > 0) {
    const waiting = containers.find(({ init, reason }) => init && reason !== null && reason !== 'Completed');
    const why = waiting ?? notReady.find(({ reason }) => reason !== null) ?? notReady[0];
    const { name: container = null, reason = null, restarts = 0 } = why ?? {};
    yield stop(name, { kind: 'pod-not-ready', phase, container, reason, restarts, ...place });
  } else {
    for (const {
      init,
      name: container,
      restarts,
      lastReason: reason,
      lastExitCode: exitCode,
    } of containers) {
      if (!init && restarts > 0)
        yield warn(name, { kind: 'pod-restarted', container, restarts, reason, exitCode, ...place });
    }
  }
}

/** An image whose tag names a release, and that is another one. */
function imageOfAnother(containers: readonly Pick<ContainerFact, 'image'>[], to: Version) {
  return containers.find((container) => (versionOf(container) ?? to) !== to)?.image.reference;
}

function describePod({ pod, namespace }: NamedPod): string[] {
  return [kubectl(namespace, 'describe', 'pod', pod)];
}
