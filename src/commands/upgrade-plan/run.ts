import { type ExitCode, exitCodeOfPlan } from '../../exit-codes.js';
import type { FactsFile } from '../../facts/facts-schema.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import {
  hasTooManyHops,
  isNoRelease,
  planRoute,
  type Route,
  requireTargetAhead,
} from '../../release-safety/route.js';
import type { RoutePreference, RouteTarget } from '../../release-safety/route-target.js';
import { withWaysBack } from '../../release-safety/way-back.js';
import { renderHop } from '../../render/deployment/hop-block.js';
import { renderUpgradePlanJson } from '../../render/json/upgrade-plan.js';
import type { LeastDowntime } from '../../render/plan-details.js';
import type { ShownRoute } from '../../render/shown-route.js';
import { renderUpgradePlanText } from '../../render/text/upgrade-plan.js';
import { renderNotice } from '../../render/words/notices.js';
import { choosePalette } from '../colour.js';
import { type CommandContext, widthOf } from '../context.js';
import { findCurrentVersion } from '../current-version.js';
import { chooseFormat, type FormatOptions, writeAnswer } from '../gate-format.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { readFactsFile, readIndexAndKnownIssues } from '../read-known-issues.js';
import type {
  ArtifactOptions,
  CurrentVersionOptions,
  OutputOptions,
  SourceOptions,
} from '../shared-options.js';
import { describeUsedIndex } from '../used-index.js';
import {
  checkDeploymentOptions,
  type DeploymentOptions,
  knownDeployment,
  readDeployment,
  readDeploymentFacts,
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
  };

/** `lightspan upgrade-plan`: exit 0 only if there is a complete route and the index covers every hop of it. */
export async function upgradePlan(options: UpgradePlanOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  checkDeploymentOptions(options, format);
  const current = await findCurrentVersion(options, context);
  requireTargetAhead({ from: current.version, to: options.to });
  const file = await readFactsFile(options, context);
  const told = await knownDeployment(file, options.fact);
  const deployment = await readDeployment(options, told);
  const facts =
    deployment &&
    (await readDeploymentFacts(deployment, options, current, told, (option, fact) =>
      context.stderr.write(renderNotice({ kind: 'option-over-fact', option, fact })),
    ));
  const loaded = await readIndexAndKnownIssues(options, context, file);
  const { index, leftOut } = loaded;
  const planned = planRoute(index, { from: current.version, to: options.to });
  const { route, leastDowntime } = await choose(planned, index, file, options, context);
  const startIsNoRelease = isNoRelease(index, current.version);
  // If the start may be mistyped, no steps are shown.
  const renderedHops =
    deployment === undefined || facts === undefined || startIsNoRelease
      ? undefined
      : route.hops.map((hop, i) => renderHop(hop, { at: i + 1, of: route.hops.length }, facts, deployment));
  const scripts =
    renderedHops && options.out !== undefined ? await writeScripts(options.out, renderedHops) : undefined;
  const requireRolling = options.requireRolling === true;
  const { maxHops } = options;
  const details = { startIsNoRelease, maxHops, renderedHops, scripts, leastDowntime };
  const exitCode = exitCodeOfPlan(route, {
    requireRolling,
    tooManyHops: hasTooManyHops(route, maxHops),
  });
  await writeAnswer(
    {
      format,
      exitCode,
      leftOut,
      json: (leftOut) =>
        renderUpgradePlanJson(route, {
          ...details,
          leftOut,
          prefer: options.prefer,
          index: describeUsedIndex(loaded),
          fromSource: current.source,
        }),
      text: async () =>
        renderUpgradePlanText(route, {
          ...details,
          palette: await choosePalette(options, context),
          verbose: options.verbose === true,
          width: widthOf(context.stdout),
          fromSource: options.from === undefined ? current.source : undefined,
        }),
      gate: async () => {
        const { gateAnswerOfPlan } = await import('../../render/gate/plan.js');
        return gateAnswerOfPlan(route, { ...details, requireRolling });
      },
    },
    context,
  );
  return exitCode;
}

/** The preferred route, with what is known of its hops, and what it saves compared with the one with the fewest. */
async function choose(
  fewestHops: Route,
  index: ReleaseSafetyIndex,
  file: FactsFile | undefined,
  options: UpgradePlanOptions,
  context: CommandContext,
): Promise<{ readonly route: ShownRoute; readonly leastDowntime?: LeastDowntime | undefined }> {
  if (options.prefer === 'least-downtime') {
    const { planLeastDowntime } = await import('./least-downtime.js');
    return await planLeastDowntime(fewestHops, index, file, options, context);
  }
  if (file === undefined) return { route: withWaysBack(fewestHops) };
  const { lookAtHops } = await import('../look-at-hops.js');
  return { route: await lookAtHops(fewestHops, index, file, options, context) };
}
