import { type Acceptance, nameOfFinding } from '../core/accepted.js';
import { compact } from '../core/text/compact.js';
import type { Version } from '../core/version.js';
import type { ObservedFacts } from '../instance/facts/facts-schema.js';
import {
  type FactKey,
  isFactKey,
  type MissingFact,
  type Need,
  needs as needInfo,
  seenValue,
  type UnmetNeed,
} from '../instance/facts/needs.js';
import { backDatedOf } from '../instance/ledger.js';
import { type RehearsalFact, rehearsalOf, withRehearsedMigrations } from '../instance/rehearsed.js';
import { listsMigrations } from '../instance/release-line.js';
import type {
  Check,
  CheckInput,
  Finding,
  FindingStatus,
  FindingTraits,
  Judgement,
  NotChecked,
} from './check.js';
import { gravestFirst } from './check.js';
import { isSettledOnCopy } from './settled.js';

export interface PreflightInput extends Omit<CheckInput<never, never>, 'facts' | 'seenAt' | 'backDated'> {
  readonly facts: ObservedFacts;
  /** ISO 8601: what changes by the hour counts as not seen if it was seen before. If absent, all of it counts. */
  readonly freshFrom?: string | undefined;
  readonly accepted?: readonly Acceptance[] | undefined;
}

/** The answer of one check: the gravest of its findings. */
export interface CheckAnswer<Id extends string> extends Pick<Check<Id>, 'id' | 'group' | 'canStop'> {
  readonly status: FindingStatus;
  /** Whether every part of it was done. */
  readonly whole: boolean;
}

export interface PreflightResult<Id extends string, Evidence> {
  readonly from: Version;
  readonly to: Version;
  /** Every requested check, in the order of the table. */
  readonly checks: readonly CheckAnswer<Id>[];
  /** The checks that were left out on request: nothing is known of them. */
  readonly notAsked: readonly Id[];
  /** How many of `checks` ended with each status; they add up. */
  readonly counts: Readonly<Record<FindingStatus, number>>;
  /** At least one per check, in the order of the checks; within a check, the gravest first. */
  readonly findings: readonly Finding<Id, Evidence | NotChecked>[];
}

/**
 * Runs every check, or those of `only`. No check stops another. A check that lacks a fact, throws, or returns nothing
 * counts as not checked, and so does the part of a check for which an artifact is missing. None of that is ever ok.
 */
export function runChecks<Id extends string, Evidence extends { readonly kind: string }>(
  checks: readonly Check<Id, Evidence>[],
  input: PreflightInput,
  only?: ReadonlySet<Id>,
): PreflightResult<Id, Evidence> {
  const offered = checks.filter(
    ({ onlyIfGiven, needs }) => onlyIfGiven !== true || needs.some((key) => input.facts[key] !== undefined),
  );
  const requested = offered.filter(({ id }) => only === undefined || only.has(id));
  const backDated = backDatedOf(input);
  const rolling = typeof backDated === 'object' ? false : input.line.rolling;
  const inputWithBackDated = { ...input, backDated, line: { ...input.line, rolling } };
  const kept = rehearsalOf(input);
  const known =
    kept === undefined
      ? inputWithBackDated
      : { ...inputWithBackDated, line: withMigrationsOfCopy(inputWithBackDated, kept) };
  const answered = requested.map((check) => {
    const { id, group, canStop } = check;
    const findings = findingsOf(check, known, kept);
    const whole = findings.every(({ status }) => status !== 'not-checked');
    return { findings, answer: { id, group, canStop, status: findings[0].status, whole } };
  });
  const counts = { stop: 0, 'not-checked': 0, warn: 0, ok: 0 };
  for (const { answer } of answered) counts[answer.status]++;
  return {
    from: input.from,
    to: input.to,
    checks: answered.map(({ answer }) => answer),
    notAsked: offered.filter((check) => !requested.includes(check)).map(({ id }) => id),
    counts,
    findings: answered.flatMap(({ findings }) => findings),
  };
}

type RunFinding<Id extends string, Evidence> = Finding<Id, Evidence | NotChecked>;

function findingsOf<Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  input: PreflightInput & Pick<CheckInput<never, never>, 'backDated'>,
  kept: RehearsalFact | undefined,
): readonly [RunFinding<Id, Evidence>, ...RunFinding<Id, Evidence>[]] {
  const { facts, seenAt, missing } = observe(check, input);
  const notSeen = (of: readonly MissingFact[]): readonly NotChecked[] =>
    of.length === 0 ? [] : [{ kind: 'facts-not-seen', missing: of }];
  const gaps = [...notSeen(missing)];
  const found: RunFinding<Id, Evidence>[] = [];
  if (missing.length === 0) {
    if (check.needsArtifacts) gaps.push(...unseenReleases(input));
    try {
      const judged = check.judge({ ...input, facts, seenAt });
      gaps.push(
        ...notSeen(
          judged.flatMap((judgement) =>
            judgement.status === 'not-checked' && !isAsked(check, judgement, kept)
              ? [missingOf(judgement, input.facts)]
              : [],
          ),
        ),
      );
      for (const judgement of judged) {
        if (judgement.status !== 'not-checked')
          found.push(
            unlessSettled(check, judgement, kept, input) ?? unlessAccepted(check, judgement, input.accepted),
          );
      }
    } catch (error) {
      gaps.unshift({ kind: 'check-failed', message: error instanceof Error ? error.message : String(error) });
    }
  }
  const notChecked = (evidence: NotChecked): RunFinding<Id, Evidence> => ({
    check: check.id,
    status: isUnsafe(evidence) ? 'stop' : 'not-checked',
    subject: null,
    evidence,
    ...(check.canStop && isUnread(evidence) && { unread: true }),
  });
  // An ok for a part says nothing about the whole.
  const counting = found.filter(({ status }) => status !== 'ok' || gaps.length === 0);
  const [gravest = notChecked({ kind: 'check-silent' }), ...others] = gravestFirst([
    ...counting,
    ...gaps.map(notChecked),
  ]);
  return [gravest, ...others];
}

/**
 * The line of releases with the migrations that ran on the copy, where artifacts list none. Enterprise migrations ran
 * only with a licence key: without one, the line is complete for a community instance alone.
 */
function withMigrationsOfCopy(
  { line, edition, facts }: PreflightInput,
  kept: RehearsalFact,
): PreflightInput['line'] {
  if (!kept.enterprise && edition !== 'community') return line;
  return withRehearsedMigrations(line, kept, seenValue(facts.migrator)?.schema ?? 'public');
}

/**
 * Whether a rehearsal by the image itself has answered the check: the image has migrated a copy of this ledger. A
 * rehearsal by plain programs has run no image.
 */
function isAsked({ asksImage }: Check, { lacks }: UnmetNeed, kept: RehearsalFact | undefined): boolean {
  return asksImage === true && lacks === 'artifacts' && kept !== undefined && kept.copy.by !== 'programs';
}

function unlessSettled<Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  { subject, evidence }: Judgement<Evidence>,
  kept: RehearsalFact | undefined,
  { facts }: PreflightInput,
): Finding<Id, Evidence> | undefined {
  const { settledOnCopy } = traitsOf(check, evidence.kind);
  if (settledOnCopy === undefined || kept === undefined) return undefined;
  if (!isSettledOnCopy(evidence, settledOnCopy, kept, seenValue(facts.migrator)?.name)) return undefined;
  const rehearsed = { day: kept.rehearsedAt.slice(0, 10), mode: kept.mode };
  return { check: check.id, status: 'ok', subject, evidence, rehearsed };
}

/** Needs that are met by artifacts, and not by the instance. One that was not read changes nothing. */
const ofReleases: ReadonlySet<Need> = new Set(['artifacts', 'config-changes']);

/**
 * Whether something that was requested could not be read. A right, an option or an artifact that nobody gave is no such
 * gap.
 */
function isUnread(evidence: NotChecked): boolean {
  if (evidence.kind === 'facts-not-seen')
    return evidence.missing.some(({ need, why }) => why !== 'not-asked' && !ofReleases.has(need));
  return evidence.kind === 'check-failed' || evidence.kind === 'check-silent';
}

/** A database in which something else stands in place of a table is no database to upgrade. */
function isUnsafe(evidence: NotChecked): boolean {
  return evidence.kind === 'facts-not-seen' && evidence.missing.some(({ why }) => why === 'unsafe');
}

export function traitsOf(check: Pick<Check, 'traits' | 'traitsOf'>, kind: string): FindingTraits {
  return { ...check.traits, ...check.traitsOf?.[kind] };
}

/** One finding; if it is accepted, a warning that blocks nothing. What could not be looked at is never accepted. */
function unlessAccepted<Id extends string, Evidence extends { readonly kind: string }>(
  check: Check<Id, Evidence>,
  judgement: Judgement<Evidence>,
  accepted: readonly Acceptance[] = [],
): Finding<Id, Evidence> {
  const { settledBy, transient, neverAccepted } = traitsOf(check, judgement.evidence.kind);
  const finding: Finding<Id, Evidence> = {
    check: check.id,
    ...judgement,
    ...(settledBy && { settledBy }),
    ...(transient && { transient }),
  };
  if (finding.status === 'ok' || neverAccepted !== undefined) return finding;
  const name = nameOfFinding(finding);
  const acceptance = accepted.find((acceptance) => acceptance.kind === 'check' && acceptance.name === name);
  return acceptance === undefined ? finding : { ...finding, status: 'warn', accepted: acceptance };
}

type Observed = NonNullable<ObservedFacts[FactKey]>;

/**
 * The facts that a check declares, and no others; and those of them that were not seen. In a database without a ledger,
 * which is not Lightdash's, no other fact counts as seen: an absent lease would mean that nobody holds it.
 */
function observe(
  { group, needs, needsOrAbsent = [], mayNeed = [], momentary }: Check,
  { facts: observed, freshFrom }: Pick<PreflightInput, 'facts' | 'freshFrom'>,
) {
  const facts: Record<string, unknown> = {};
  const seenAt: Partial<Record<FactKey, string>> = {};
  const missing: MissingFact[] = [];
  const miss = (need: FactKey, why: MissingFact['why'] = 'not-asked', detail?: string) =>
    missing.push({ need, why, detail });
  const may = mayNeed.filter(isFactKey);
  const needed = [...needs, ...needsOrAbsent];
  const { ledger } = observed;
  const ofLedger = group === 'database' && needed.length > 0 && !needed.includes('ledger');
  if (ofLedger && ledger?.status === 'absent') miss('ledger', 'absent', ledger.detail);
  for (const key of [...needed, ...may]) {
    const fact: Observed | undefined = observed[key];
    const isOld =
      fact?.status === 'seen' &&
      freshFrom !== undefined &&
      (momentary ?? needInfo[key].momentary) === true &&
      Date.parse(fact.seenAt) < Date.parse(freshFrom);
    if (isOld) {
      if (!may.includes(key)) miss(key, 'old', `seen ${fact.seenAt}`);
    } else if (fact?.status === 'seen') {
      facts[key] = fact.value;
      seenAt[key] = fact.seenAt;
    } else if (fact?.status === 'absent' && !needs.includes(key)) facts[key] = null;
    else if (!may.includes(key)) miss(key, fact?.status, fact?.detail);
  }
  return { facts, seenAt, missing };
}

function missingOf({ lacks: need, why, detail, names }: UnmetNeed, observed: ObservedFacts): MissingFact {
  const fact: Observed | undefined = isFactKey(need) ? observed[need] : undefined;
  const gap = why === undefined && fact !== undefined && fact.status !== 'seen' ? fact : undefined;
  return { need, why: why ?? gap?.status ?? 'not-asked', detail: detail ?? gap?.detail, names };
}

/** The part of the span that no artifact covers. */
function unseenReleases({ line: { span, missingRanges } }: PreflightInput): readonly NotChecked[] {
  const unseen = span.filter((release) => !listsMigrations(release) && release.rehearsed === undefined);
  const versions = unseen.map(({ version }) => version);
  const backfilled = unseen.filter((release) => release.backfilled).length;
  return compact<NotChecked>(
    missingRanges.length > 0 && { kind: 'releases-not-indexed', ranges: missingRanges },
    versions.length > 0 && { kind: 'artifacts-not-seen', versions, backfilled, of: span.length },
  );
}
