import { recommendedMinAgeMs } from '../core/route/recommended.js';
import { planRoute } from '../core/route/route.js';
import { firstNewerThan, hasRelease } from '../core/span.js';
import { isVersion, type Version } from '../core/version.js';
import type { CommandContext } from '../door/context.js';
import { oldIndexMs } from '../gather/limits.js';
import { isLookedOver } from '../known-issues/horizon.js';
import type { InstanceStatus } from '../known-issues/instance-status.js';
import { chooseTarget } from './choose-target.js';
import type { EvidenceSource } from './evidence.js';

const weekMs = 7 * 86_400_000;

/**
 * What somebody watches of an instance that runs this release: what it should run, and what is known against what it
 * does run. It judges nothing that `chooseTarget` and a route do not.
 */
export async function statusOfInstance(
  source: EvidenceSource,
  running: Version,
  minAgeMs: number | undefined,
  { now: clock }: Pick<CommandContext, 'now'>,
): Promise<InstanceStatus> {
  const { index, knownThrough, acceptances } = source;
  const now = clock();
  const question = { to: 'recommended', minAgeMs, requireRecords: false } as const;
  const { to, recommendation } = await chooseTarget(source, running, question, { now: clock }, true);
  const isRecommended = recommendation?.release !== undefined && isVersion(to);
  const route = isRecommended ? planRoute(index, { from: running, to }) : undefined;
  const [hop] = (route ?? planRoute(index, { from: running, to: 'latest' })).hops;
  return {
    runningVersion: running,
    inIndex: hasRelease(index, running),
    releasesBehind: index.versions.length - firstNewerThan(index.versions, running),
    recommended:
      route && isRecommended
        ? { version: to, rolling: route.rolling === true, hops: route.hops.length }
        : null,
    recommendedFrom: isRecommended ? null : (recommendation?.firstOn?.toISOString() ?? null),
    nextHop: hop === undefined ? null : { version: hop.toVersion, rolling: hop.strategy === 'RollingUpdate' },
    knownIssues: source
      .issuesOfRunning(running)
      .map((issue) => ({ ...issue, notKnown: [...issue.notKnown] })),
    knownThrough: knownThrough ?? null,
    recordsAreOld: !isLookedOver(knownThrough, minAgeMs ?? recommendedMinAgeMs, now),
    indexIsOld: !(now.getTime() - Date.parse(index.generatedAt) <= oldIndexMs),
    acceptances: acceptances.inForce
      .flatMap(({ name, until }) =>
        until === null ? [] : [{ name, until, endsSoon: Date.parse(until) - now.getTime() < weekMs }],
      )
      .sort((a, b) => a.until.localeCompare(b.until) || a.name.localeCompare(b.name)),
  };
}
