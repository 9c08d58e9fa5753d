import type { Preflight } from '../../checks/preflight-of.js';
import { type ExitCode, exitCodeOfPlan } from '../../exit-codes.js';
import type { FactName, FactValue } from '../../facts/fact-names.js';
import { judgeRoute, type RouteJudgement } from '../../release-safety/judge.js';
import {
  hasTooManyHops,
  isNoRelease,
  mayRoll,
  type RouteRequest,
  requireTargetAhead,
} from '../../release-safety/route.js';
import type { RoutePreference, RouteTarget } from '../../release-safety/version.js';
import { withWaysBack } from '../../release-safety/way-back.js';
import { renderHop } from '../../render/deployment/hop-block.js';
import { renderUpgradePlanJson } from '../../render/json/upgrade-plan.js';
import { pageAddress } from '../../render/page-address.js';
import type { ShownRoute } from '../../render/shown-route.js';
import type { LeastDowntime } from '../../render/words/least-downtime.js';
import type { CommandContext } from '../context.js';
import { findCurrentVersion } from '../current-version.js';
import { type EvidenceSource, judgedBy, openEvidence, readGivenFacts } from '../evidence.js';
import type { ReadFacts } from '../facts-file.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import { describeStops, instanceAnswer, judgeGivenRoute } from '../judge.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import type {
  ArtifactOptions,
  CurrentVersionOptions,
  OutputOptions,
  SourceOptions,
} from '../shared-options.js';
import { statedFacts } from '../stated-facts.js';
import { describeUsedIndex } from '../used-index.js';
import {
  checkDeploymentOptions,
  type DeploymentOptions,
  knownInstance,
  readDeployment,
} from './deployment.js';
import { writeScripts } from './write-scripts.js';

export type UpgradePlanOptions = CurrentVersionOptions &
  SourceOptions &
  ArtifactOptions &
  KnownIssueOptions &
  OutputOptions &
  FormatOptions &
  DeploymentOptions & {
    readonly to: RouteTarget;
    readonly requireRolling?: true;
    readonly maxHops?: number;
    readonly prefer: RoutePreference;
    readonly open?: true;
  };

/** `lightspan upgrade-plan`: exit 0 only if there is a complete route and the index covers every hop of it. */
export async function upgradePlan(options: UpgradePlanOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  checkDeploymentOptions(options, format);
  const current = await findCurrentVersion(options, context);
  requireTargetAhead({ from: current.version, to: options.to });
  const read = await readGivenFacts(options, context);
  const deployment = await readDeployment(options, current, read?.file, context);
  const instance = deployment && (await knownInstance(options));
  const fact = statedFacts(options, current.pinned);
  const source = await openEvidence({ ...options, fact }, context, {
    facts: read && (await alsoStating(read, fact)),
    artifacts: options.prefer === 'least-downtime',
  });
  const { index, leftOut } = source;
  const { route, leastDowntime, ...judged } = await plan(
    source,
    { from: current.version, to: options.to },
    options.prefer,
  );
  const stops = await describeStops(judged.stops);
  const by = judgedBy(source, judged);
  const startIsNoRelease = isNoRelease(index, current.version);
  // If the start may be mistyped, or the instance stops the upgrade, no steps are shown.
  const renderedHops =
    deployment === undefined || startIsNoRelease || stops.length > 0
      ? undefined
      : route.hops.map((hop, i) =>
          renderHop(hop, { at: i + 1, of: route.hops.length }, deployment, instance),
        );
  const scripts =
    renderedHops && options.out !== undefined ? await writeScripts(options.out, renderedHops) : undefined;
  const requireRolling = options.requireRolling === true;
  const { maxHops } = options;
  const details = { startIsNoRelease, maxHops, renderedHops, scripts, leastDowntime, judgedBy: by };
  const exitCode = exitCodeOfPlan(
    { ...route, rolling: mayRoll(route) },
    {
      requireRolling,
      tooManyHops: hasTooManyHops(route, maxHops),
      stopped: stops.length > 0,
    },
  );
  await writeAnswer(
    {
      format,
      exitCode,
      options,
      leftOut,
      json: (leftOut) =>
        renderUpgradePlanJson(route, {
          ...details,
          leftOut,
          prefer: options.prefer,
          index: describeUsedIndex(source),
          stops,
          fromSource: current.source,
        }),
      answer: async () => {
        const { answerOfPlan } = await import('../../answer/plan.js');
        return answerOfPlan(route, {
          ...details,
          requireRolling,
          verbose: options.verbose === true,
          instance: await instanceAnswer(judged.preflight, stops),
          fromSource: options.from === undefined ? current.source : undefined,
        });
      },
    },
    context,
  );
  if (options.open === true) {
    const { deploy } = options;
    const stated = Object.fromEntries([...fact].map(([name, value]) => [name, String(value)]));
    const question = { ...stated, deploy, from: current.version, to: options.to };
    context.stderr.write(`Page: ${pageAddress(question)}\n`);
  }
  return exitCode;
}

/** The preferred route, with what is known of its hops. */
interface PlannedRoute extends RouteJudgement<Preflight> {
  readonly route: ShownRoute;
  /** What it saves compared with the one with the fewest hops, if another was preferred. */
  readonly leastDowntime?: LeastDowntime;
}

async function plan(
  source: EvidenceSource,
  request: RouteRequest,
  prefer: RoutePreference,
): Promise<PlannedRoute> {
  // Where nothing leads anywhere, nothing more is read.
  const alone = judgeRoute<Preflight>({ index: source.index }, request);
  if (alone.route.hops.length === 0) return { ...alone, route: withWaysBack(alone.route) };
  const fewestHops = await judgeGivenRoute(source, request);
  const { evidence, route } = fewestHops;
  const { known } = evidence;
  if (known === undefined || route.hops.length === 0) return { ...fewestHops, route: withWaysBack(route) };
  const { withHopDetails } = await import('../hop-details.js');
  const preferred =
    prefer === 'least-downtime'
      ? (await import('./least-downtime.js')).judgeLeastDowntime(evidence, known, route)
      : fewestHops;
  return { ...preferred, route: withHopDetails(preferred.route, known) };
}

async function alsoStating(read: ReadFacts, fact: ReadonlyMap<FactName, FactValue>): Promise<ReadFacts> {
  const { withStated } = await import('../../facts/read-facts.js');
  return { ...read, file: withStated(read.file, fact) };
}
