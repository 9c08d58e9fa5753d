import type { Question } from '../answer/answer.js';
import type { Preflight } from '../checks/checks.js';
import type { FindingInWords } from '../checks/describe.js';
import type { ArtifactOutcome } from '../core/artifact/reconcile.js';
import {
  type Evidence,
  isReconciled,
  judgeRoute,
  judgeSpan,
  type RouteJudgement,
  type SpanJudgement,
} from '../core/judge.js';
import type { SpanResult } from '../core/results.js';
import type { RouteRequest } from '../core/route/route.js';
import { majorsCrossed, type Span } from '../core/span.js';
import type { CommandContext } from '../door/context.js';
import { type DeployKind, isObserved } from '../instance/facts/fact-names.js';
import type { LineFacts } from '../instance/forecast/hops.js';
import type { Demands } from '../known-issues/demands.js';
import type { Pin } from '../pins/yaml/pin-at.js';
import type { EvidenceQuestion, FactsInFile } from '../question/evidence.js';
import type { JudgedBy } from '../words/evidence/judged-by.js';
import { listAcceptances } from './acceptances.js';
import type { LoadArtifacts } from './sources/read-artifacts.js';
import type { ReadFacts } from './sources/read-facts.js';
import { type JudgedIndex, readIndexAndKnownIssues } from './sources/read-index.js';

export interface SeenEvidence extends Evidence<Preflight> {
  /** What facts and artifacts say of the migrations of the span; undefined if no artifact was looked for. */
  readonly known: LineFacts | undefined;
}

/** Where the evidence of one command comes from. */
export interface EvidenceSource extends JudgedIndex {
  /** The facts of `--facts`, or those that the command collected, with what the command line states. */
  readonly facts: ReadFacts | undefined;
  /** The file that decided options. */
  readonly settings: string | undefined;
  /** Loads artifacts; none twice. */
  readonly load: LoadArtifacts;
  readonly evidenceFor: (span: Span) => Promise<SeenEvidence>;
}

/**
 * Reads the index and what is known against its releases. Artifacts are read where that costs no request, because the
 * index is a mirror; where the question names them; and where facts of an instance were seen, which mean little without.
 *
 * @param requested facts that were already read; whether the answer is about the instance anyway
 */
export async function openEvidence(
  question: EvidenceQuestion,
  world: CommandContext,
  requested: { readonly facts?: ReadFacts | undefined; readonly instance?: true } = {},
): Promise<EvidenceSource> {
  const { network, index: place, artifacts: wanted, checks, settings } = question;
  if (settings.refused !== undefined) throw settings.refused;
  const { diskFree, failOnMajor } = checks;
  const stated = await statedWithProject(question.facts);
  const facts = await readFactsInFile({ ...question.facts, stated }, world, requested.facts);
  const checkNames = checks.only ?? (isRehearsalAlone(facts) ? ['rehearsal'] : undefined);
  const only = checkNames && (await import('./see-instance.js')).chooseChecks(checkNames);
  const judged = await readIndexAndKnownIssues(question, stated, world, facts?.file);
  const { index, acceptedIssues } = judged;
  const accepted = judged.acceptances.inForce;
  const artifacts = new Map<string, ArtifactOutcome>();
  let opened: Promise<LoadArtifacts> | undefined;
  const load: LoadArtifacts = async (versions) => {
    const missing = versions.filter((version) => !artifacts.has(version));
    if (missing.length > 0) {
      opened ??= import('./sources/read-artifacts.js').then(({ openArtifacts }) =>
        openArtifacts(wanted.place, place, network, world),
      );
      for (const [version, outcome] of await (await opened)(missing)) artifacts.set(version, outcome);
    }
    return new Map(
      [...artifacts].filter(([version]) => versions.some((wantedVersion) => wantedVersion === version)),
    );
  };
  const isSeen = requested.instance === true || (facts !== undefined && isObserved(facts.file.facts));
  const readsArtifacts = wanted.isWanted || wanted.everyOne || wanted.place !== undefined || place.isFolder;
  const evidenceFor = async (span: Span): Promise<SeenEvidence> => {
    const alone = {
      ...{ index, accepted, acceptedIssues },
      ...(failOnMajor && !isSeen && majorsCrossed(span).length > 0
        ? { preflightOf: (await import('./see-instance.js')).preflightOfMajors({ index, accepted }) }
        : {}),
    };
    if (!isSeen && !readsArtifacts) return { ...alone, known: undefined };
    const { seeInstance, seeReleases } = await import('./see-instance.js');
    const seen =
      facts !== undefined && isSeen
        ? await seeInstance(
            {
              ...{ facts: facts.file.facts, freshFrom: facts.freshFrom, index, artifacts },
              ...{ diskFree, only, failOnMajor, accepted },
            },
            span,
            load,
          )
        : { known: await seeReleases(index, span, load, question.facts.stated) };
    return { ...alone, artifacts, everyArtifact: wanted.everyOne, ...seen };
  };
  return { ...judged, facts, settings: settings.used, load, evidenceFor };
}

/** How much evidence an answer rests on. */
export function judgedBy(
  { index, knownIssues, knownThrough, facts, settings, acceptances }: EvidenceSource,
  { artifacts, accepted }: Pick<SpanJudgement, 'artifacts' | 'accepted'>,
): JudgedBy {
  const risks = listAcceptances(acceptances, accepted);
  return {
    index: index.generatedAt,
    knownIssues,
    ...(knownThrough === undefined ? {} : { knownThrough }),
    artifacts,
    facts: facts === undefined ? null : { source: facts.source, collectedAt: facts.file.collectedAt },
    ...(settings === undefined ? {} : { settings }),
    ...(risks.length === 0 ? {} : { accepted: risks }),
  };
}

/** What deploys it; undefined where nothing says so. */
export async function deployOf(
  stated: FactsInFile['stated'],
  { facts }: Pick<EvidenceSource, 'facts'>,
  pinned: readonly Pin[],
): Promise<DeployKind | undefined> {
  return stated.size + pinned.length === 0 && facts === undefined
    ? undefined
    : (await import('./deployed-by.js')).deployedBy(stated, facts, pinned);
}

/** What is stated, and what the YAML of the project shows; what is stated takes precedence. */
async function statedWithProject({ stated, project }: FactsInFile): Promise<FactsInFile['stated']> {
  const name = 'pre-aggregates-without-refresh';
  if (project === undefined || stated.has(name)) return stated;
  const { countWithoutRefresh } = await import('../gather/files/pre-aggregates.js');
  return new Map([...stated, [name, await countWithoutRefresh(project)] as const]);
}

/** Whether the only facts are those of a rehearsal: then no other check of the instance is requested. */
function isRehearsalAlone(facts: ReadFacts | undefined): boolean {
  const { rehearsal, ...others } = facts?.file.facts ?? {};
  return rehearsal !== undefined && !isObserved(others);
}

/** The facts that were read, or else those of the file, with what is stated; undefined without any. */
export async function readFactsInFile(
  { file, stated, rehearsal, maxAgeMs }: FactsInFile,
  world: CommandContext,
  read?: ReadFacts,
): Promise<ReadFacts | undefined> {
  if (read === undefined && file === undefined && rehearsal === undefined) return undefined;
  const { alsoStating, readFactsFile } = await import('./sources/read-facts.js');
  const seen = read ?? (file === undefined ? undefined : await readFactsFile(file, maxAgeMs, world));
  if (rehearsal === undefined || seen?.file.facts.rehearsal !== undefined)
    return seen && alsoStating(seen, stated, world);
  const { withRehearsal } = await import('./sources/read-rehearsal.js');
  return alsoStating(await withRehearsal(seen, rehearsal, maxAgeMs, world), stated, world);
}

export interface JudgedSpan extends SpanJudgement<Preflight> {
  readonly evidence: SeenEvidence;
}

/** Throws `unread-artifacts` or `unread-facts` if nothing else is missing than what the options ask for. */
export async function judgeGivenSpan(
  { evidenceFor }: EvidenceSource,
  span: Span,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<JudgedSpan> {
  const evidence = await evidenceFor(span);
  const judgement = judgeSpan(evidence, span);
  const { result, unread, unconfirmed, unseen, artifacts } = judgement;
  if (unconfirmed) {
    await requireSeen(unseen);
    throw (await import('./sources/read-artifacts.js')).notRead(unread, artifacts.of, span);
  }
  const versions = isReconciled(result) ? result.strategyContradictions : [];
  if (versions.length > 0) {
    const { renderNotice } = await import('../words/evidence/notices.js');
    stderr.write(renderNotice({ kind: 'strategy-contradiction', versions }));
  }
  return { ...judgement, evidence };
}

/**
 * Throws if facts of the instance were requested and not read: then there is no yes.
 *
 * @throws {LightspanError} `unread-facts`
 */
export async function requireSeen(unseen: SpanJudgement<Preflight>['unseen']): Promise<void> {
  if (unseen.length > 0) throw (await import('./see-instance.js')).factsNotSeen(unseen);
}

/** @param alone what the index alone says, where that is known; with nothing read beside it, that is the answer */
export async function judgeGivenRoute(
  { index, evidenceFor }: EvidenceSource,
  { from, to }: RouteRequest,
  alone: RouteJudgement<Preflight> = judgeRoute({ index }, { from, to }),
): Promise<RouteJudgement<Preflight> & { readonly evidence: SeenEvidence }> {
  // What is read can only take away: no route leads further than that of the index alone.
  const evidence = await evidenceFor({ from, to: alone.route.toVersion });
  const { artifacts, preflightOf, accepted = [] } = evidence;
  const isAlone = artifacts === undefined && preflightOf === undefined && accepted.length === 0;
  return { ...(isAlone ? alone : judgeRoute(evidence, { from, to })), evidence };
}

/** Findings in words. The words of checks are loaded only if there is one. */
export async function describeStops(
  stops: SpanJudgement<Preflight>['stops'],
): Promise<readonly FindingInWords[]> {
  if (stops.length === 0) return [];
  const { findingInWords } = await import('../checks/describe.js');
  return stops.map(findingInWords);
}

/** Says what the nine keys of `upgrade-check --json` have no place for. */
export async function noticeReasons(
  results: readonly SpanResult[],
  stops: readonly FindingInWords[],
  { accepted = [] }: Pick<JudgedBy, 'accepted'>,
  { stderr }: Pick<CommandContext, 'stderr'>,
  demands: Demands,
): Promise<void> {
  if (isDemanding(demands)) {
    const { linesOfAllDemands } = await import('../words/evidence/demands.js');
    for (const line of linesOfAllDemands(demands)) stderr.write(`${line}\n`);
  }
  const issues = results.flatMap(({ reasons }) => reasons.filter((reason) => reason.kind === 'known-issue'));
  if (issues.length + stops.length + accepted.length === 0) return;
  const { factOfAcceptance } = await import('../words/evidence/accepted.js');
  const { renderNotice } = await import('../words/evidence/notices.js');
  const notices = issues.map((issue) => renderNotice({ kind: 'known-issue', issue }));
  for (const notice of new Set(notices)) stderr.write(notice);
  if (stops.length > 0) {
    const { linesOfStops } = await import('../answer/builders/instance/question.js');
    for (const line of linesOfStops(stops)) stderr.write(`${line}\n`);
  }
  for (const { label, text } of accepted.map(factOfAcceptance)) stderr.write(`${label}: ${text}\n`);
}

function isDemanding({ majors, notes, beyond, laterStops }: Demands): boolean {
  return majors.length + notes.length + laterStops.length > 0 || beyond !== undefined;
}

export async function instanceAnswer(
  preflight: Preflight | undefined,
  stops: readonly FindingInWords[],
): Promise<Question | undefined> {
  if (preflight === undefined) return undefined;
  const { questionOfInstance } = await import('../answer/builders/instance/question.js');
  return questionOfInstance(preflight, stops);
}
