import type { Answer } from '../answer/answer.js';
import { withTarget } from '../answer/builders/target.js';
import type { GateFormat } from '../answer/formats/registry.js';
import type { PlanDetails } from '../answer/json/upgrade.js';
import type { StripOptions } from '../answer/outputs/strip.js';
import { chooseTarget, noticeTarget } from '../app/choose-target.js';
import {
  deployOf,
  describeStops,
  type EvidenceSource,
  instanceAnswer,
  judgedBy,
  openEvidence,
  readFactsInFile,
  requireSeen,
} from '../app/evidence.js';
import { writeScripts } from '../app/plan/hop-scripts.js';
import { readDeployment } from '../app/plan/plan-deployment.js';
import { planRoute } from '../app/plan/plan-route.js';
import { composeFilesIn } from '../app/settings/files-beside.js';
import { type CurrentVersion, findCurrentVersion, statedFacts } from '../app/sources/current-version.js';
import { describeUsedIndex } from '../app/sources/read-index.js';
import type { Preflight } from '../checks/checks.js';
import type { FindingInWords } from '../checks/describe.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { hasTooManyHops, isNoRelease, mayRoll, requireTargetAhead } from '../core/route/route.js';
import { evaluateSpan } from '../core/span.js';
import { commandWith, optionsNamed } from '../core/text/quoted-words.js';
import { type RoutePreference, routePreferences } from '../core/version.js';
import type { CommandLine } from '../door/command-line.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand, type OptionsOf, type OptionTable } from '../door/declare.js';
import { type ExitCode, endings, exitCodeOfPlan, factsUnread } from '../door/exit-codes.js';
import {
  artifacts,
  evidenceQuestionOf,
  knownIssues,
  project,
  rehearsalEvidence,
  sources,
} from '../door/options/evidence-options.js';
import {
  answerWantedOf,
  currentVersion,
  gateFormat,
  output,
  statedVersionOf,
  target,
  targetQuestionOf,
} from '../door/options/options.js';
import { stepOptions, stepsQuestionOf } from '../door/options/step-options.js';
import { readCount } from '../door/readers.js';
import { type AnswerWanted, writeAnswer } from '../door/write-answer.js';
import { deploymentOf, type SeenDeployment } from '../instance/deployment.js';
import type { AppliedBy } from '../instance/facts/deployment-facts.js';
import type { DeployKind } from '../instance/facts/fact-names.js';
import type { RouteQuestion } from '../question/route.js';
import type { SettingsOutcome } from '../question/settings.js';
import { gitOpsSteps } from '../steps/git-ops.js';
import { libraryFor, renderHop } from '../steps/hop-block.js';
import type { JudgedBy } from '../words/evidence/judged-by.js';
import type { LeftOut } from '../words/evidence/notices.js';
import { lookingIntoProject } from '../words/route/compose.js';
import { deployWords } from '../words/route/deploy-words.js';
import { nextAfterPreflight, nextOfOpenIssues } from '../words/route/next.js';
import type { ShownRoute } from '../words/route/route.js';

const takes = {
  ...currentVersion,
  ...target,
  ...sources,
  ...knownIssues,
  ...rehearsalEvidence,
  ...project,
  ...artifacts,
  ...output,
  ...gateFormat,
  requireRolling: {
    flags: '--require-rolling',
    group: 'question',
    brief: 'exit 1 unless every hop is a rolling update',
    description: 'exit 1 unless every hop is a rolling update; with docker compose none is',
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
      'the route with the fewest hops, or the one that rolls wherever that is proven and leaves the least to Recreate',
    choices: routePreferences,
    default: routePreferences[0],
  },
  ...stepOptions,
} as const satisfies OptionTable;

type PlanOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  exitCodes: {
    0: 'a complete route, and the index covers every hop; Recreate hops are part of a plan',
    1:
      'no route, an unproven hop, facts of --facts that stop it, or --require-rolling or ' +
      '--max-hops not met',
    3: `${endings.noIndexOrInstance}, or the scripts cannot be written; or ${factsUnread('it')}`,
    4: 'the index, or an answer, cannot be trusted',
  },
  notes:
    'With --facts of an instance (upgrade-preflight --facts-out), the steps end where something stops the ' +
    'upgrade. With facts of a database, each hop says how long its migrations take and whether going back ' +
    'needs the backup. That reads the artifacts on the route. So does --prefer least-downtime, which uses ' +
    'that time if it is known, otherwise the number of migrations that run under Recreate.',
  examples: [
    'lightspan upgrade-plan --from 1.198.1 --to latest-rolling',
    'lightspan upgrade-plan --from-file values.yaml --deploy helm --migration-job --chart-version 2.16.284',
    'lightspan upgrade-plan --from-file docker-compose.yml --deploy compose --out hops',
  ],
  namesSettings: 'always',
  run: upgradePlan,
});

function routeQuestionOf(
  options: PlanOptions,
  format: GateFormat,
  settings: SettingsOutcome,
  env: CommandContext['env'],
): RouteQuestion {
  const { prefer, maxHops } = options;
  return {
    target: targetQuestionOf(options),
    ...{ prefer, maxHops, requireRolling: options.requireRolling === true },
    steps: stepsQuestionOf(options, format),
    running: statedVersionOf(options),
    evidence: evidenceQuestionOf(options, settings, env, { isWanted: prefer === 'least-downtime' }),
  };
}

async function upgradePlan(
  options: PlanOptions,
  context: CommandContext,
  { settings, words }: CommandLine,
): Promise<ExitCode> {
  const wanted = answerWantedOf(options, words);
  const question = routeQuestionOf(options, wanted.format, settings, context.env);
  const { evidence, steps, target, prefer, maxHops, requireRolling } = question;
  const current = await findCurrentVersion(question.running, context);
  const { version: from, url } = current;
  requireTargetAhead({ from, to: target.to });
  const read = await readFactsInFile(evidence.facts, context);
  const knownFacts = { file: read?.file, stated: evidence.facts.stated };
  const deployment = steps && (await readDeployment(steps, current, question.running, knownFacts, context));
  const stated = statedFacts(evidence.facts.stated, current.pinned, steps);
  const facts = { ...evidence.facts, stated };
  const source = await openEvidence({ ...evidence, facts }, context, { facts: read });
  const chosen = await chooseTarget(source, from, target, context);
  if (wanted.format === 'json') noticeTarget(chosen, context);
  const { route, leastDowntime, ...judged } = await planRoute(source, { from, to: chosen.to }, prefer);
  if (route.certified && judged.stops.length === 0) await requireSeen(judged.unseen);
  const stops = await describeStops(judged.stops);
  const startIsNoRelease = isNoRelease(source.index, from);
  const seen = read && deploymentOf(read.file.facts);
  const instance = url === undefined ? undefined : { url, allowHttp: evidence.network.allowHttp };
  // If the start may be mistyped, or the instance stops the upgrade, no steps are shown.
  const renderedHops =
    deployment === undefined || startIsNoRelease || stops.length > 0
      ? undefined
      : route.hops.map((hop, i) =>
          renderHop(hop, { at: i + 1, of: route.hops.length }, deployment, instance),
        );
  const scripts =
    renderedHops && deployment && steps?.out !== undefined
      ? await writeScripts(steps.out, renderedHops, libraryFor(deployment))
      : undefined;
  const details = {
    ...{ startIsNoRelease, maxHops, renderedHops, scripts, leastDowntime, rollsTo: judged.rollsTo },
    gitOpsSteps:
      steps === undefined && !startIsNoRelease && stops.length === 0 ? stepsByGit(seen, route) : undefined,
    demands: source.demandsOf({ from, to: route.toVersion }),
    judgedBy: judgedBy(source, judged),
  };
  const { preflight } = judged;
  const deploy = await deployOf(stated, source, current.pinned);
  const neverRolls = requireRolling && !deployWords[deploy ?? 'helm'].canRoll && route.hops.length > 0;
  const exitCode = exitCodeOfPlan(
    { ...route, rolling: mayRoll(route) && !neverRolls },
    {
      requireRolling,
      tooManyHops: hasTooManyHops(route, maxHops),
      stopped: stops.length > 0,
    },
  );
  // Settings may name another database than the environment does.
  const database = settings.namesDatabase === true ? [] : ['--database', 'env'];
  const planned: PlannedRoute = {
    ...{ deploy, current, source, route, stops, preflight, database, appliedBy: seen?.appliedBy },
    details: { ...details, neverRolls },
  };
  const { leftOut } = source;
  await writeAnswer(
    {
      ...{ wanted, exitCode, leftOut },
      json: (leftOut) => jsonOf(planned, prefer, leftOut),
      answer: async () => withTarget(await answerOf(planned, question, wanted), chosen.words),
      // A reader of the steps has already seen the route.
      strip: async (drawn) => (renderedHops === undefined ? drawRoute(source.index, route, drawn) : []),
    },
    context,
  );
  return exitCode;
}

/** The steps of a release that Argo CD or Flux applies. They are shown unasked, because no other tool may deploy it. */
function stepsByGit(seen: SeenDeployment | undefined, { hops }: ShownRoute) {
  const by = seen?.appliedBy;
  if (seen === undefined || (by !== 'argo-cd' && by !== 'flux')) return undefined;
  return hops.map((hop) => gitOpsSteps({ hop, deployment: seen.helm }, by));
}

/** A plan, and what its answer says beside the route. */
interface PlannedRoute {
  /** Undefined if it is not known. */
  readonly deploy: DeployKind | undefined;
  readonly current: CurrentVersion;
  readonly source: EvidenceSource;
  readonly route: ShownRoute;
  readonly stops: readonly FindingInWords[];
  readonly preflight: Preflight | undefined;
  readonly details: PlanDetails & { readonly judgedBy: JudgedBy };
  /** The options of a preflight that name the database. */
  readonly database: readonly string[];
  /** What alone may deploy it; undefined if that is helm, compose or not known. */
  readonly appliedBy: AppliedBy | undefined;
}

/** The releases of the route, and where its hops end. */
async function drawRoute(
  index: ReleaseSafetyIndex,
  { fromVersion, toVersion, hops }: ShownRoute,
  options: StripOptions,
): Promise<readonly string[]> {
  if (hops.length === 0) return [];
  const { renderStrip } = await import('../answer/outputs/strip.js');
  const landings = hops.slice(0, -1).map((hop) => hop.toVersion);
  return renderStrip(evaluateSpan(index, { from: fromVersion, to: toVersion }), { ...options, landings });
}

async function jsonOf(
  { current, source, route, stops, details }: PlannedRoute,
  prefer: RoutePreference,
  leftOut: LeftOut,
): Promise<string> {
  // It has the words of every check, which the other formats need only for what stops.
  const { renderUpgradePlanJson } = await import('../answer/json/upgrade.js');
  return renderUpgradePlanJson(route, {
    ...details,
    leftOut,
    prefer,
    index: await describeUsedIndex(source),
    stops,
    fromSource: current.source,
  });
}

/** A plan of an instance of which nothing was seen leads to the preflight of its first hop. */
function beginningWithPreflight(
  answer: Answer,
  route: ShownRoute,
  { startIsNoRelease, maxHops, scripts = [] }: PlanDetails,
  more: readonly string[],
): Answer {
  const preflight = preflightOf(route, more);
  if (preflight === undefined || startIsNoRelease || hasTooManyHops(route, maxHops)) return answer;
  const ofProject = more.includes('--compose') && !more.includes('--database');
  const about = ofProject ? lookingIntoProject : undefined;
  const ahead = { hops: route.hops.length, hasScripts: scripts.length > 0, about };
  return { ...answer, next: nextAfterPreflight(answer.next, preflight, ahead) };
}

/** The command that looks at the first hop. */
function preflightOf({ hops }: ShownRoute, more: readonly string[]): string | undefined {
  const [first] = hops;
  if (first === undefined) return undefined;
  return commandWith(['upgrade-preflight', '--from', first.fromVersion, '--to', first.toVersion], more);
}

/**
 * What comes next where known issues alone keep hops from being proven; undefined where something else does.
 *
 * @param again the command line, if facts of the instance were not given
 */
function nextOfUnproven(
  { hops }: ShownRoute,
  more: readonly string[],
  again: readonly string[] | undefined,
): string | undefined {
  const [first] = hops;
  const open = hops.filter((hop) => !hop.certified);
  const isByIssues = open.every((hop) => hop.knownIssues.length > 0 && hop.missingRanges.length === 0);
  if (first === undefined || open.length === 0 || !isByIssues) return undefined;
  const issues = open.flatMap(({ knownIssues }) =>
    knownIssues.filter(({ effect }) => effect.kind !== 'recreate'),
  );
  const span = ['--from', first.fromVersion, '--to', open.at(-1)?.toVersion ?? first.toVersion];
  const seen = [...(more.includes('--compose') ? [] : ['--kubernetes']), '--facts-out', 'facts.json'];
  const isOpen = again !== undefined && issues.some(({ notKnown }) => notKnown.length > 0);
  const look = isOpen ? commandWith(['upgrade-preflight', ...span, ...more], seen) : undefined;
  const plan = isOpen ? commandWith(again, ['--facts', 'facts.json']) : undefined;
  return nextOfOpenIssues({
    ids: [...new Set(issues.map(({ id }) => id))],
    settle: look === undefined || plan === undefined ? undefined : { look, plan },
  });
}

/** The command that moves the pins by the first hop: of what applies these files, no steps are known. */
async function moveOfPin(
  { pinned }: CurrentVersion,
  { hops: [first] }: ShownRoute,
  evidence: readonly string[],
): Promise<string | undefined> {
  if (pinned.length === 0 || first === undefined) return undefined;
  const { nameOfPin } = await import('../pins/yaml/pinned-version.js');
  const files = pinned.flatMap((pin) => ['--file', nameOfPin(pin)]);
  const taken = optionsNamed(evidence, '--index', '--known-issues', '--facts', '--fact', '--settings');
  const isWithDowntime = first.strategy === 'Recreate';
  return commandWith(
    ['upgrade-bump', ...files, '--to', first.toVersion, ...taken],
    isWithDowntime ? ['--allow-recreate'] : [],
  );
}

async function answerOf(
  { deploy, current, source, route, stops, preflight, details, database, appliedBy }: PlannedRoute,
  { running, requireRolling, steps }: RouteQuestion,
  { format, verbose, words }: AnswerWanted,
): Promise<Answer> {
  const { answerOfPlan } = await import('../answer/builders/plan.js');
  const hasSteps = details.renderedHops !== undefined;
  // The database of a compose project may have no port: that is found out from its files.
  const files = deploy === 'compose' ? composeFilesIn(words.all, current.pinned, steps) : [];
  const lookAt = database.length > 0 && files.length > 0 ? files : database;
  const more = hasSteps ? ['--out', 'hops'] : ['--deploy', deploy ?? 'helm'];
  const isShort = format === 'text' && !(hasSteps && verbose);
  const instance = await instanceAnswer(preflight, stops);
  const { withInstance } = await import('../answer/builders/instance/question.js');
  const ofReleases = answerOfPlan(route, {
    ...details,
    requireRolling: requireRolling && !details.neverRolls,
    verbose,
    instance,
    stops,
    deploy,
    preflight,
    fromSource: running.by === 'version' ? undefined : current.source,
    // The steps for helm are refused then.
    withSteps: isShort && appliedBy === undefined ? commandWith(words.all, more) : undefined,
    appliedByOther: appliedBy === 'other',
    byPin: deploy === undefined && isShort ? await moveOfPin(current, route, words.evidence) : undefined,
    toLatest: commandWith(
      ['upgrade-plan', '--from', current.version, '--to', 'latest', ...words.evidence],
      [],
    ),
  });
  const planned = route.hops.length === 0 ? ofReleases : withInstance(ofReleases, instance);
  const answer = details.neverRolls
    ? (await import('../answer/builders/never-rolls.js')).asNeverRolling(planned)
    : planned;
  if (route.certified) {
    const looks = isShort && preflight === undefined && stops.length === 0 && !details.neverRolls;
    return looks ? beginningWithPreflight(answer, route, details, [...words.evidence, ...lookAt]) : answer;
  }
  const { answerOfNoRelease } = await import('../answer/builders/no-release.js');
  const { version: from } = current;
  const common = {
    command: 'upgrade-plan',
    from,
    to: route.requestedTarget,
    judgedBy: details.judgedBy,
    demands: details.demands,
    evidence: words.evidence,
  } as const;
  const { changes } = answer;
  const questions = answer.questions.slice(0, 1);
  const further = route.blockedBy?.kind === 'known-issue' ? questions.flatMap(({ why }) => why) : [];
  const span = { from, to: route.toVersion };
  const none = answerOfNoRelease(source.index, span, { ...common, questions, further, changes });
  if (none === undefined) {
    const seen = words.all.some((word) => /^--facts(?:=|$)/.test(word));
    const next = nextOfUnproven(route, [...words.evidence, ...lookAt], seen ? undefined : words.all);
    return next === undefined || stops.length > 0 ? answer : { ...answer, next };
  }
  // A route from a start that is none is still shown, with its known issues.
  return route.hops.length === 0 ? none : { ...answer, headline: none.headline, next: none.next };
}
