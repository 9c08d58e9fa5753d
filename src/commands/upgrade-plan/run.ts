import { LightspanError } from '../../errors.js';
import { type ExitCode, exitCodeOfPlan } from '../../exit-codes.js';
import { type Deployment, stepsFor } from '../../release-safety/deployment.js';
import { planRoute, type RouteHop } from '../../release-safety/route.js';
import { type RenderedStep, renderStep } from '../../render/deployment-steps.js';
import { renderUpgradePlanJson } from '../../render/json/upgrade-plan.js';
import { renderUpgradePlanText } from '../../render/text/upgrade-plan.js';
import { describeSource } from '../../sources/index-source.js';
import { sha256 } from '../../sources/sha256.js';
import { choosePalette } from '../colour.js';
import { type CommandContext, widthOf } from '../context.js';
import { type CurrentVersion, findCurrentVersion } from '../current-version.js';
import { chooseFormat } from '../gate-format.js';
import { readIndex } from '../read-index.js';
import { writeAnswer } from '../write-answer.js';
import type { UpgradePlanOptions } from './declaration.js';

/** `lightspan upgrade-plan`: exit 0 only where there is a complete route and the index covers every hop of it. */
export async function upgradePlan(options: UpgradePlanOptions, context: CommandContext): Promise<ExitCode> {
  const format = chooseFormat(options);
  const deployment = await readDeployment(options);
  const current = await findCurrentVersion(options, context);
  const { index, source, bytes } = await readIndex(options, context);
  const route = planRoute(index, { from: current.version, to: options.to });
  const stepsOf = deployment && ((hop: RouteHop) => stepsOfHop(hop, deployment, options, current));
  const requireRolling = options.requireRolling === true;
  const exitCode = exitCodeOfPlan(route, { requireRolling });
  await writeAnswer(
    {
      format,
      exitCode,
      json: () =>
        renderUpgradePlanJson(route, {
          index: {
            source: describeSource(source),
            generatedAt: index.generatedAt,
            latestVersion: index.entries.at(-1)?.version ?? null,
            sha256: sha256(bytes),
          },
          fromSource: current.source,
          stepsOf,
        }),
      text: async () =>
        renderUpgradePlanText(route, {
          palette: await choosePalette(options, context),
          verbose: options.verbose === true,
          width: widthOf(context.stdout),
          fromSource: options.from === undefined ? current.source : undefined,
          stepsOf,
        }),
      gate: async () => {
        const { gateAnswerOfPlan } = await import('../../render/gate/plan.js');
        return gateAnswerOfPlan(route, { requireRolling });
      },
    },
    context,
  );
  return exitCode;
}

function stepsOfHop(
  { strategy, fromVersion, toVersion }: RouteHop,
  deployment: Deployment,
  options: UpgradePlanOptions,
  current: CurrentVersion,
): readonly RenderedStep[] {
  return stepsFor(strategy, deployment).map((step) =>
    renderStep(step, {
      fromVersion,
      toVersion,
      strategy,
      tagSuffix: options.tagSuffix ?? '',
      release: options.release ?? 'lightdash',
      valuesFile: options.values ?? 'values.yaml',
      chartVersion: options.chartVersion,
      healthUrl: options.instance === undefined ? undefined : current.source,
    }),
  );
}

async function readDeployment(options: UpgradePlanOptions): Promise<Deployment | undefined> {
  const { deploy, chartVersion, migrationJob, release, values } = options;
  if (deploy === 'helm') {
    const { chartRecreateOf } = await import('../../release-safety/chart-version.js');
    return {
      kind: 'helm',
      chartRecreate: chartVersion === undefined ? 'unknown' : chartRecreateOf(chartVersion),
      migrationJob: migrationJob === true,
    };
  }
  const helmOnly = Object.entries({
    '--chart-version': chartVersion,
    '--migration-job': migrationJob,
    '--release': release,
    '--values': values,
  }).find(([, value]) => value !== undefined);
  if (helmOnly !== undefined) {
    throw new LightspanError('usage', `${helmOnly[0]} goes with --deploy helm alone`);
  }
  return deploy === undefined ? undefined : { kind: deploy };
}
