import { describeVerifyFinding, verifyStatusWords } from '../../checks/after-upgrade/describe.js';
import { checkGroups, type FindingStatus, pasteInWords } from '../../checks/check.js';
import { type CheckId, checks } from '../../checks/checks.js';
import {
  type Decision,
  decisionWords,
  describeStatuses,
  describeWay,
  isNo,
  isOpen,
} from '../../checks/decision.js';
import { describeFinding, findingStatusWords } from '../../checks/describe.js';
import { compact } from '../../core/text/compact.js';
import { shellPlaceholder, shellWord } from '../../core/text/quoted-words.js';
import type { DeployKind } from '../../instance/facts/fact-names.js';
import type { UsedFacts } from '../../instance/facts/facts-schema.js';
import { type Need, needs } from '../../instance/facts/needs.js';
import { inTurn } from '../../instance/forecast/work-time.js';
import { linesBesideChanges } from '../../words/evidence/demands.js';
import { factsOfJudgedBy, namesOfAccepted } from '../../words/evidence/judged-by.js';
import {
  describeInstanceState,
  nextOfInstance,
  nextOfVerified,
  wordOfInstanceState,
} from '../../words/instance-state.js';
import { countOf, describeAge, listNames } from '../../words/phrase.js';
import { describeBefore, describeTime, describeWithLocks } from '../../words/route/downtime.js';
import { type Answer, emptyAnswer, type Fact, noHops, type Question } from '../answer.js';
import { headlineOf, type OtherOutcome } from '../headline.js';
import type { PreflightDocument, PreflightOfReport, VerifyDocument } from '../json/upgrade.js';
import { tableOfChanges, variablesIn } from './changes.js';
import { type FoundGroup, gravestKinds, groupFindings } from './findings.js';
import { describeFirst } from './outcomes.js';

export function answerOfPreflight(
  document: PreflightDocument,
  noRelease?: Fact,
  commands?: PreflightCommands,
): Answer {
  const { result, decision, failOn, hops, fromSource, judgedBy, demands } = document;
  const { from, to, checks, findings, counts } = result;
  const yes = decision === 'go' || decision === 'go-with-care';
  const way = describeWay(hops, result);
  return {
    ...emptyAnswer,
    ...noHops,
    title: `Upgrade preflight: ${from} -> ${to}`,
    headline: headlineOf(outcomeOfPreflight(document, commands?.deployment), {
      accepted: namesOfAccepted(judgedBy),
    }),
    safe: yes,
    verdict: yes ? true : decision === 'stop' ? false : 'unknown',
    strategy: undefined,
    facts: compact<Fact>(
      noRelease,
      fromSource !== '--from' && { label: 'Current version', text: `${from} (${fromSource})` },
      factsOfPreflight(document),
      factOfForecast(findings),
      { label: 'Checks', text: describeStatuses(counts) },
      way !== undefined && { label: 'Route', text: way },
    ),
    questions: checks.map((check) => {
      const findingsOfCheck = findings.filter((finding) => finding.check === check.id);
      const isAgainst = findingsOfCheck.some((finding) => isNo(finding, failOn));
      return {
        name: check.id,
        yes: !isAgainst && !isOpen(check, failOn),
        isDetail: true,
        why: findingsOfCheck.filter(({ status }) => status !== 'ok').flatMap(linesOfFinding),
        answer: isAgainst ? 'no' : answers[check.status],
      };
    }),
    remarks: linesBesideChanges(demands).map((text) => ({ text })),
    changes: tableOfChanges(demands.notes, variablesIn(result)),
    findings: groupsOfPreflight(result),
    provenance: factsOfJudgedBy(judgedBy),
    why: gravestKinds(findings),
    next: nextOfPreflight(document, commands),
  };
}

/** The decision in one line: the first thing that stops it, the first that is missing, or how much was checked. */
function outcomeOfPreflight(
  { result, decision, failOn }: PreflightDocument,
  deployment: DeploymentWay | undefined,
): OtherOutcome {
  const { findings, checks, counts, notAsked } = result;
  const against = findings.filter((finding) => isNo(finding, failOn));
  const [first] = against;
  const names = checks.map(({ id }) => id);
  const asked = names.length > 3 ? `the ${names.length} requested checks` : names.join(', ');
  const isWhole = notAsked.length === 0;
  const what = `nothing ${isWhole ? '' : `in ${asked} `}stops the upgrade`;
  const extent = isWhole
    ? countOf(checks.length, 'check')
    : `${countOf(notAsked.length, 'other check')} not looked at`;
  const why: Record<Decision, () => string> = {
    go: () => `${what} (${extent})`,
    'go-with-care': () => `${what}; ${describeOpen(counts)} (${extent})`,
    stop: () =>
      first === undefined
        ? 'a check stops it'
        : describeFirst(`${first.check}: ${describeFinding(first).description}`, against.length - 1),
    'not-known': () => describeMissing({ result, decision }, deployment, failOn),
  };
  return { kind: 'decision', decision, why: why[decision]() };
}

/** The options that provide everything missing; if no option does, the first thing that was not checked, and why. */
export function describeMissing(
  document: Pick<PreflightDocument, 'result' | 'decision'>,
  deployment?: DeploymentWay,
  failOn: PreflightDocument['failOn'] = 'stop',
): string {
  const next = nextOfPreflight(document, { deployment });
  if (next !== decisionWords['not-known'].next) return next.replace(/; then check again\.$/, '');
  const { checks, findings } = document.result;
  const open = new Set(checks.filter((check) => isOpen(check, failOn)).map(({ id }) => id));
  const [first, ...others] = findings.filter(
    ({ check, status }) => status === 'not-checked' && open.has(check),
  );
  if (first === undefined) return 'nothing was checked';
  return describeFirst(`${first.check}: ${describeFinding(first).description}`, others.length);
}

/** `2 warnings, 1 check not done` */
function describeOpen(counts: PreflightDocument['result']['counts']): string {
  return compact(
    counts.warn > 0 && countOf(counts.warn, 'warning'),
    counts['not-checked'] > 0 && `${countOf(counts['not-checked'], 'check')} not done`,
  ).join(', ');
}

function linesOfFinding(finding: PreflightDocument['result']['findings'][number]): string[] {
  const { description, remedy } = describeFinding(finding);
  return compact(
    `${findingStatusWords[finding.status].label}: ${description}`,
    remedy && `To do: ${remedy.text}`,
    remedy?.pasteIn && [pasteInWords[remedy.pasteIn], ...remedy.commands],
  );
}

const answers: Readonly<Record<FindingStatus, Question['answer']>> = {
  stop: 'no',
  'not-checked': 'not checked',
  warn: 'warn',
  ok: 'yes',
};

export function groupsOfPreflight({ findings }: PreflightDocument['result']): readonly FoundGroup[] {
  return groupFindings(findings, findingStatusWords, describeFinding);
}

/** What a preflight is about, and what it leaves out. */
export function factsOfPreflight({ result: { notAsked }, facts }: PreflightOfReport): Fact[] {
  return compact<Fact>(
    factOfFacts(facts),
    notAsked.length > 0 && { label: 'Not requested', text: describeNotAsked(notAsked) },
  );
}

/**
 * How long the migrations take together; if not all of them are known, those that are on record, with how many releases
 * come on top.
 */
function factOfForecast(findings: PreflightDocument['result']['findings']): Fact | undefined {
  const evidence = findings.map((finding) => finding.evidence);
  const ofMigrations = evidence.find(({ kind }) => kind === 'migration-time');
  if (ofMigrations?.kind === 'migration-time') {
    const { total, migrations, longestBefore } = ofMigrations;
    if (migrations.length === 0) return undefined;
    const time = `${describeWithLocks(total)}${describeBefore(longestBefore)}`;
    return { label: 'Forecast', text: `${countOf(migrations.length, 'pending migration')}: ${time}` };
  }
  const backfills = evidence.flatMap(forecastOfBackfill);
  if (backfills.length === 0) return undefined;
  const unseen = findings
    .filter(({ check }) => check === 'migration-time')
    .flatMap((finding) =>
      finding.evidence.kind === 'artifacts-not-seen' ? finding.evidence.versions.length : [],
    )
    .reduce((sum, count) => sum + count, 0);
  const countOfKnown = `${countOf(backfills.length, 'known backfill is', 'known backfills are')} pending`;
  const more =
    unseen === 0
      ? ''
      : `; ${countOf(unseen, 'release')} of which nothing is known ${unseen === 1 ? 'comes' : 'come'} on top`;
  return { label: 'Forecast', text: `${countOfKnown}: ${describeTime(inTurn(backfills))} together${more}` };
}

type Evidence = PreflightDocument['result']['findings'][number]['evidence'];

function forecastOfBackfill(evidence: Evidence) {
  switch (evidence.kind) {
    case 'backfill-may-not-end':
    case 'backfill-takes-long':
    case 'backfill-pending':
      return [evidence.forecast];
    default:
      return [];
  }
}

/** Many of a group are counted, not listed. */
function describeNotAsked(left: PreflightOfReport['result']['notAsked']): string {
  return checkGroups
    .flatMap((group) => {
      const skipped = checks
        .filter(({ id, group: of }) => of === group && left.includes(id))
        .map(({ id }) => id);
      return skipped.length > 3 ? `${countOf(skipped.length, 'check')} of the ${group}` : skipped;
    })
    .join(', ');
}

/**
 * What to do now: where something was not checked, what brings each thing that is missing, and the one command that
 * takes all of it.
 */
export function nextOfPreflight(
  document: Pick<PreflightOfReport, 'result' | 'decision' | 'collectInService'>,
  { again, steps, deployment = anyDeployment, isRecorded = false }: PreflightCommands = {},
): string {
  const { decision, collectInService } = document;
  const { next } = decisionWords[decision];
  if (decision === 'go' || decision === 'go-with-care')
    return steps === undefined
      ? next
      : `${decision === 'go-with-care' ? 'look at the warnings; ' : ''}the steps of the upgrade: ${steps}`;
  const { ways, hasMore, options, toFillIn, isElsewhere, lacksDatabase } = missingIn(document, deployment);
  const inService = lacksDatabase && collectInService !== undefined ? collectInService : undefined;
  if (decision === 'stop') {
    const command = again?.(inService === undefined ? [] : factsOfService);
    if (inService !== undefined && command !== undefined)
      return `fix what stops it, and read the database inside its service: ${inService}; then check again: ${command}`;
    const fix = isRecorded ? next.replace(', then', ', collect the facts again, then') : next;
    return withCommand(fix, command);
  }
  if (ways.length === 0) return withCommand(next, again?.([]));
  // A machine without a network needs files from elsewhere: one more option would not help.
  const command = isElsewhere ? undefined : again?.(options);
  const way = ways.join(', and ');
  if (command === undefined) return `${way}; then check again.`;
  // Nobody but the operator knows some values: the shell stops until they are filled in.
  const whole = [command, ...toFillIn].join(' ');
  if (inService === undefined) return `${way}, all at once: ${whole}`;
  return `read the database inside its service: ${inService}; then ${ways.length > 1 || hasMore ? `${way}, all at once` : 'check again'}: ${whole}`;
}

/** The options with the facts that were collected inside the service of the database. */
const factsOfService = ['--facts', 'facts.json'];

/**
 * What was not seen, in words and as options. The ledger is compared with all releases, so a database needs the
 * artifacts of those before the running one too.
 */
function missingIn(
  { result, collectInService }: Pick<PreflightOfReport, 'result' | 'collectInService'>,
  deployment: DeploymentWay,
) {
  const { from, to, findings } = result;
  const missing = findings.flatMap(({ evidence }) =>
    evidence.kind === 'facts-not-seen' ? evidence.missing : [],
  );
  const isLacking = (...wanted: readonly Need[]) =>
    missing.some(({ need, why }) => why === 'not-asked' && wanted.includes(need));
  const lacksDatabase = missing.some(({ need, why }) => why === 'not-asked' && needs[need].of === 'database');
  const lacksDeployment = isLacking('deployment');
  // Of a deployment that was seen, the values of the chart stand in a file of their own.
  const lacksValues = !lacksDeployment && isLacking('chartValues');
  const ofCluster = lacksDeployment ? [] : kindsLacking(result);
  const isDatabaseSeen =
    result.checks.some(({ id, status }) => id === 'ledger' && status !== 'not-checked') ||
    missing.some(({ need }) => need === 'artifacts');
  const lacksKeys = deployment.mayAskForKeys === true && isLacking('variables');
  const lacksArtifacts =
    isLacking('artifacts') ||
    findings.some(
      ({ evidence }) =>
        evidence.kind === 'artifacts-not-seen' && evidence.backfilled < evidence.versions.length,
    );
  const span = isDatabaseSeen ? `--to ${to}` : `--from ${from} --to ${to}`;
  const stated = (['edition', 'disk-free', 'migration-job'] as const).filter((need) => isLacking(need));
  const isOfService = collectInService !== undefined;
  const provided = compact(
    lacksArtifacts &&
      `the artifacts (lightspan index mirror --out ./mirror ${span}, where there is a network; then --index ./mirror)`,
    lacksDatabase &&
      `the database (${isOfService ? '--facts facts.json' : '--database env, or --facts <file>'})`,
    missing.some(({ why }) => why === 'old') && 'facts of today (--database env, or --facts <file>)',
    lacksDeployment && `the deployment (${deployment.label})`,
    ofCluster.length > 0 &&
      `${listNames(ofCluster.map((kind) => needs[kind].label))} (--kubernetes, or --manifests with them)`,
    lacksValues && `the values of the chart (${deployment.values.label})`,
    lacksKeys && 'the keys of the Secrets (--secret-keys)',
  );
  return {
    lacksDatabase,
    // One more option does not bring what the manifests lack.
    isElsewhere: lacksArtifacts || ofCluster.length > 0,
    /** More than the first of them. */
    hasMore: provided.length > 1,
    ways: compact(
      provided.length > 0 && `provide ${provided.join(', ')}`,
      stated.length > 0 &&
        `state ${stated.map((need) => `${needs[need].label} (${needs[need].otherwise})`).join(', ')}`,
    ),
    options: [
      ...(lacksDatabase ? (isOfService ? factsOfService : ['--database', 'env']) : []),
      ...(lacksDeployment ? deployment.options : []),
      ...(lacksValues ? deployment.values.options : []),
      ...(lacksKeys ? ['--secret-keys'] : []),
    ],
    toFillIn: stated.map((need) => placeholders[need]),
  };
}

/** The kinds that manifests lack of a deployment that was seen, as far as something by them could stop the upgrade. */
function kindsLacking({ checks, findings }: PreflightDocument['result']) {
  const isOpenHere = (id: CheckId) =>
    checks.some((check) => check.id === id && check.canStop && check.status === 'not-checked');
  const missing = findings.flatMap(({ check, evidence }) =>
    evidence.kind === 'facts-not-seen' && isOpenHere(check) ? evidence.missing : [],
  );
  return kindsOfCluster.filter((kind) =>
    missing.some(({ need, why }) => need === kind && why === 'not-asked'),
  );
}

const kindsOfCluster = ['pods', 'disruptionBudgets', 'autoscalers'] as const;

/** A sentence that ends in `check again.`, with the command that does. */
function withCommand(next: string, command: string | undefined): string {
  return command === undefined ? next : next.replace(/\.$/, `: ${command}`);
}

/** How to state what no source shows. */
const placeholders = {
  edition: `--fact edition=${shellPlaceholder('EDITION', 'community or enterprise')}`,
  'disk-free': `--disk-free ${shellPlaceholder('DISK_FREE', 'such as 40GiB')}`,
  'migration-job': `--fact migration-job=${shellPlaceholder('MIGRATION_JOB', 'on or off')}`,
} as const;

/** What shows a deployment, in words and as the options of a command. */
interface DeploymentWay {
  readonly label: string;
  readonly options: readonly string[];
  /** The values of the chart. */
  readonly values: { readonly label: string; readonly options: readonly string[] };
  /** Whether a cluster was read without the keys of its Secrets. */
  readonly mayAskForKeys?: boolean;
}

const anyDeployment: DeploymentWay = {
  label: '--kubernetes, or --compose <file>',
  options: ['--kubernetes'],
  values: { label: '--values <file>', options: ['--values', 'values.yaml'] },
};

/** How a deployment is shown that docker compose makes, or else Helm; undefined where neither is known. */
export function deploymentWay(
  deployedBy: DeployKind | undefined,
  composeFiles: readonly string[],
): DeploymentWay {
  if (deployedBy === undefined) return anyDeployment;
  if (deployedBy === 'helm') return { ...anyDeployment, label: '--kubernetes' };
  return composeFiles.length === 0
    ? { ...anyDeployment, label: '--compose <file>', options: ['--compose', 'compose.yaml'] }
    : { ...anyDeployment, label: composeFiles.map(shellWord).join(' '), options: composeFiles };
}

/** The commands that come next, in the words of the user; undefined where there would be none. */
interface PreflightCommands {
  /** The same one with more options. */
  readonly again?: (more: readonly string[]) => string | undefined;
  /** The plan with the steps of the upgrade. */
  readonly steps?: string | undefined;
  readonly deployment?: DeploymentWay | undefined;
  /** Whether the facts come from a file: what is fixed since is not in it. */
  readonly isRecorded?: boolean | undefined;
}

function factOfFacts({ source, collectedAt, ageMs }: UsedFacts): Fact {
  return { label: 'Facts', text: `${source}, collected ${collectedAt} (${describeAge(ageMs)})` };
}

/** That it is verified; otherwise the first thing that is missing: of the instance, then of the checks. */
function outcomeOfVerify(
  { safe, version, lastState, findings, pollsInRow, polls }: VerifyDocument,
  isReady: boolean,
): OtherOutcome {
  const state = describeInstanceState(lastState, version);
  if (safe) return { kind: 'verified', what: state };
  const open = findings.filter(isOpenFinding);
  const [first] = [...open.filter(({ status }) => status === 'stop'), ...open];
  const isShort = isReady || pollsInRow >= polls;
  if (first === undefined || !isShort)
    return {
      kind: 'not-verified',
      what:
        isShort || pollsInRow === 0 ? state : `${state}, but only ${pollsInRow} of ${polls} polls in a row`,
    };
  const what = describeFirst(`${first.check}: ${describeVerifyFinding(first).description}`, open.length - 1);
  return { kind: open.some(({ status }) => status === 'stop') ? 'not-verified' : 'not-all-verified', what };
}

function isOpenFinding({ status }: VerifyDocument['findings'][number]): boolean {
  return status === 'stop' || status === 'not-checked';
}

export function answerOfVerify(document: VerifyDocument): Answer {
  const { safe, outcome, instance, version, lastState, polls, pollsInRow, elapsedMs } = document;
  const { facts, findings } = document;
  const isReady = pollsInRow >= polls && lastState.kind === 'ready' && lastState.version === version;
  const state = outcome === 'superseded' ? outcome : wordOfInstanceState(lastState);
  // While other checks are awaited, there may be more polls than required.
  const seen = `(${Math.min(pollsInRow, polls)} of ${polls} polls in a row, after ${Math.round(elapsedMs / 1000)} s)`;
  return {
    ...emptyAnswer,
    ...noHops,
    title: `Upgrade verify: ${instance} ${seen}`,
    headline: headlineOf(outcomeOfVerify(document, isReady)),
    safe,
    verdict: safe ? true : 'unknown',
    strategy: undefined,
    facts: facts === null ? [] : [factOfFacts(facts)],
    questions: [],
    findings: groupFindings(findings, verifyStatusWords, describeVerifyFinding),
    // The state of the instance, if that alone makes it a no, and the findings.
    why: safe ? [] : compact(!isReady && state, gravestKinds(findings)),
    next: safe
      ? nextOfVerified(lastState.kind === 'ready' ? lastState.version : version)
      : nextOfInstance(lastState, { instance, wanted: version, isFound: findings.some(isOpenFinding) }),
  };
}
