import { join } from 'node:path';
import { pageAddress } from '../answer/words/page-address.js';
import { findCurrentVersion, statedFacts } from '../app/current-version.js';
import {
  describeStops,
  type EvidenceSource,
  instanceAnswer,
  judgedBy,
  judgeGivenRoute,
  openEvidence,
  readGivenFacts,
  type SeenEvidence,
} from '../app/evidence.js';
import { checkStepOptions, readDeployment, steps } from '../app/plan-deployment.js';
import { describeUsedIndex } from '../app/read-index.js';
import type { Preflight } from '../checks/checks.js';
import { chooseFormat } from '../cli/choose-format.js';
import { defineCommand } from '../cli/declare.js';
import { exitCodeOfPlan } from '../cli/exit-codes.js';
import { artifacts, currentVersion, knownIssues, output, project, sources, target } from '../cli/options.js';
import { readCount } from '../cli/readers.js';
import { writeWhole } from '../cli/text-sink.js';
import { gateFormat, writeAnswer } from '../cli/write-answer.js';
import { judgeRoute, type RouteJudgement } from '../core/judge.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { Route } from '../core/results.js';
import {
  hasTooManyHops,
  isNoRelease,
  mayRoll,
  type RouteRequest,
  requireTargetAhead,
} from '../core/route/route.js';
import { withWaysBack } from '../core/route/way-back.js';
import { commandWith } from '../core/text/quoted-words.js';
import { type RoutePreference, routePreferences } from '../core/version.js';
import {
  type CountedBy,
  type LineFacts,
  underRecreate,
  workOf,
  workOfReleases,
} from '../instance/forecast/hops.js';
import type { LeastDowntime } from '../instance/words/downtime.js';
import type { ShownRoute } from '../instance/words/route.js';
import { describeWriteFault } from '../read/files/read-file.js';
import { type RenderedHop, renderHop } from '../steps/hop-block.js';

export const command = defineCommand({
  takes: {
    ...currentVersion,
    ...target,
    ...sources,
    ...knownIssues,
    ...project,
    ...artifacts,
    ...output,
    ...gateFormat,
    requireRolling: {
      flags: '--require-rolling',
      group: 'question',
      description: 'exit 1 unless every hop is a rolling update',
    },
    maxHops: {
      flags: '--max-hops <number>',
      group: 'question',
      description: 'exit 1 if the route has more hops',
      read: readCount,
    },
    prefer: {
      flags: '--prefer <way>',
      group: 'question',
      brief: 'fewest-hops (default) or least-downtime',
      description:
        'of all routes, the one with the fewest hops, or the one that rolls wherever that is proven and leaves the least to Recreate',
      choices: routePreferences,
      default: routePreferences[0],
    },
    ...steps,
  },
  exitCodes: {
    0: 'a complete route, every hop of which the index covers; Recreate hops are part of a plan',
    1: 'no route, or a hop that cannot be certified, or the facts of --facts stop it, or --require-rolling or --max-hops is not met',
    2: 'the request is wrong',
    3: 'no index, or no answer from the instance, is available, or the scripts cannot be written',
    4: 'the index, or an answer, cannot be trusted',
  },
  notes:
    'With --facts of an instance (upgrade-preflight --facts-out), no steps are printed past what stops the upgrade; with those of a database, each hop says how long its migrations take, and whether going back needs the backup. That reads the artifacts on the route. So does --prefer least-downtime, which uses that time if it is known, and else the number of migrations that run under Recreate.',
  examples: [
    'lightspan upgrade-plan --from 1.198.1 --to latest-rolling',
    'lightspan upgrade-plan --from-file values.yaml --deploy helm --migration-job --chart-version 2.16.284',
    'lightspan upgrade-plan --from-file docker-compose.yml --deploy compose --out hops',
  ],
  run: async (options, context) => {
    const { maxHops, to, out, deploy } = options;
    const format = chooseFormat(options);
    checkStepOptions(options, format);
    const current = await findCurrentVersion(options, context);
    const { version: from, url } = current;
    requireTargetAhead({ from, to });
    const read = await readGivenFacts(options, context);
    const deployment = await readDeployment(options, current, read?.file, context);
    const fact = statedFacts(options, current.pinned);
    const artifacts = options.prefer === 'least-downtime';
    const source = await openEvidence({ ...options, fact }, context, { facts: read, artifacts });
    const { index, leftOut } = source;
    const { route, leastDowntime, ...judged } = await plan(source, { from, to }, options.prefer);
    const stops = await describeStops(judged.stops);
    const startIsNoRelease = isNoRelease(index, from);
    const instance = url === undefined ? undefined : { url, allowHttp: options.allowHttp === true };
    // If the start may be mistyped, or the instance stops the upgrade, no steps are shown.
    const renderedHops =
      deployment === undefined || startIsNoRelease || stops.length > 0
        ? undefined
        : route.hops.map((hop, i) =>
            renderHop(hop, { at: i + 1, of: route.hops.length }, deployment, instance),
          );
    const scripts = renderedHops && out !== undefined ? await writeScripts(out, renderedHops) : undefined;
    const requireRolling = options.requireRolling === true;
    const by = judgedBy(source, judged);
    const demands = source.demandsOf({ from, to: route.toVersion });
    const details = {
      ...{ startIsNoRelease, maxHops, renderedHops, scripts, leastDowntime, demands },
      judgedBy: by,
    };
    const exitCode = exitCodeOfPlan(
      { ...route, rolling: mayRoll(route) },
      { requireRolling, tooManyHops: hasTooManyHops(route, maxHops), stopped: stops.length > 0 },
    );
    await writeAnswer(
      {
        format,
        exitCode,
        options,
        leftOut,
        json: async (leftOut) => {
          // It has the words of every check, which the other formats need only for what stops.
          const { renderUpgradePlanJson } = await import('../answer/json/upgrade.js');
          return renderUpgradePlanJson(route, {
            ...details,
            leftOut,
            prefer: options.prefer,
            index: await describeUsedIndex(source),
            stops,
            fromSource: current.source,
          });
        },
        answer: async () => {
          const { answerOfPlan } = await import('../answer/builders/plan.js');
          const isOfCompose = options.fromFile?.some((file) => /compose|\.env\b/.test(file)) === true;
          const answer = answerOfPlan(route, {
            ...details,
            requireRolling,
            verbose: options.verbose === true,
            instance: await instanceAnswer(judged.preflight, stops),
            preflight: judged.preflight,
            fromSource: options.from === undefined ? current.source : undefined,
            withSteps:
              format !== 'text'
                ? undefined
                : commandWith(context.argv, ['--deploy', isOfCompose ? 'compose' : 'helm']),
          });
          if (route.certified) return answer;
          const { answerOfNoRelease } = await import('../answer/builders/no-release.js');
          const common = { command: 'upgrade-plan', from, to: route.requestedTarget, judgedBy: by } as const;
          const { changes } = answer;
          const questions = answer.questions.slice(0, 1);
          const further = route.blockedBy?.kind === 'known-issue' ? questions.flatMap(({ why }) => why) : [];
          const span = { from, to: route.toVersion };
          const none = answerOfNoRelease(index, span, { ...common, questions, further, changes });
          if (none === undefined) return answer;
          // A route from a start that is none is still shown, with its known issues.
          return route.hops.length === 0 ? none : { ...answer, title: none.title, next: none.next };
        },
      },
      context,
    );
    if (options.open === true) {
      const stated = Object.fromEntries([...fact].map(([name, value]) => [name, String(value)]));
      context.stderr.write(`Page: ${pageAddress({ ...stated, deploy, from, to })}\n`);
    }
    return exitCode;
  },
});

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
  const fewestHops = await judgeGivenRoute(source, request, alone);
  const { evidence, route } = fewestHops;
  const { known } = evidence;
  if (known === undefined || route.hops.length === 0) return { ...fewestHops, route: withWaysBack(route) };
  const { withHopDetails } = await import('../answer/builders/hop-details.js');
  const preferred = prefer === 'least-downtime' ? judgeLeastDowntime(evidence, known, route) : fewestHops;
  return { ...preferred, route: withHopDetails(preferred.route, known) };
}

/**
 * The route with the least work in Recreate hops, and what it saves compared with the route with the fewest hops. Work
 * is measured by the time of migrations if facts show the tables, else by the number of migrations in the artifacts.
 */
function judgeLeastDowntime(
  evidence: SeenEvidence,
  known: LineFacts,
  { fromVersion: from, requestedTarget: to, hops }: Route,
): RouteJudgement<Preflight> & { readonly leastDowntime: LeastDowntime } {
  const countedBy: CountedBy = known.facts.tables?.status === 'seen' ? 'migration-time' : 'migrations';
  const works = workOfReleases(known);
  const judgement = judgeRoute(evidence, { from, to, workOf: workOf(works, countedBy) });
  const chosen = underRecreate(judgement.route.hops, works, countedBy);
  const fewestHops = underRecreate(hops, works, countedBy);
  return { ...judgement, leastDowntime: { countedBy, chosen, fewestHops } };
}

/**
 * Writes a script for every hop into a folder. Existing ones are left as they are: somebody may have edited them, or be
 * running them; and running all scripts of a folder would include those of an older plan, which knew less.
 */
async function writeScripts(folder: string, hops: readonly RenderedHop[]): Promise<string[]> {
  const { mkdir, readdir, readFile } = await import('node:fs/promises');
  const scripts = hops.map(({ script }) => ({ ...script, file: join(folder, script.name) }));
  const names = hops.length === 0 ? [] : await readdir(folder).catch(() => []);
  const isScript = /^hop-\d+-\d+\.\d+\.\d+-to-\d+\.\d+\.\d+\.sh$/;
  const present = names.filter((name) => isScript.test(name)).map((name) => join(folder, name));
  for (const path of present.toSorted()) {
    const own = scripts.find(({ file }) => file === path);
    if (own !== undefined && (await readFile(path, 'utf8').catch(() => undefined)) === own.text) continue;
    const what = own === undefined ? 'of another plan' : 'another script';
    throw new LightspanError('unwritable-output', `${path} already exists, and is ${what}`, {
      hint: 'Move it away, or name another folder.',
    });
  }
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    const message = `cannot make ${folder}: ${describeWriteFault(cause)}`;
    throw new LightspanError('unwritable-output', message, { cause });
  });
  for (const { file, text } of scripts) if (!present.includes(file)) await writeWhole(file, text);
  return scripts.map(({ file }) => file);
}
