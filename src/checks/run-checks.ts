import type { ObservedFacts } from '../facts/facts-schema.js';
import { type FactKey, isFactKey, type Lacking, type Need } from '../facts/needs.js';
import { backDatedOf } from '../instance/ledger.js';
import { listsMigrations } from '../instance/release-line.js';
import { type Acceptance, nameOfFinding } from '../release-safety/accepted.js';
import type { Version } from '../release-safety/version.js';
import type { Answers, Check, CheckGroup, Given } from './check.js';
import {
  type Finding,
  type FindingStatus,
  findingStatuses,
  type MissingNeed,
  type NotChecked,
} from './check.js';

export interface PreflightInput extends Omit<Given<never, never>, 'facts' | 'seenAt' | 'backDated'> {
  readonly facts: ObservedFacts;
  readonly accepted?: readonly Acceptance[] | undefined;
}

/** The answer of one check: the gravest of its findings. */
export interface CheckAnswer<Id> {
  readonly id: Id;
  readonly group: CheckGroup;
  readonly canStop: boolean;
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
  const asked = checks.filter(({ id }) => only === undefined || only.has(id));
  const backDated = backDatedOf(input);
  const rolling = typeof backDated === 'object' ? false : input.line.rolling;
  const given = { ...input, backDated, line: { ...input.line, rolling } };
  const answered = asked.map((check) => {
    const findings = findingsOf(check, given);
    const [gravest] = findings;
    return {
      findings,
      answer: {
        id: check.id,
        group: check.group,
        canStop: check.canStop,
        status: gravest.status,
        whole: findings.every(({ status }) => status !== 'not-checked'),
      },
    };
  });
  const counts = { stop: 0, 'not-checked': 0, warn: 0, ok: 0 };
  for (const { answer } of answered) counts[answer.status]++;
  return {
    from: input.from,
    to: input.to,
    checks: answered.map(({ answer }) => answer),
    notAsked: checks.filter((check) => !asked.includes(check)).map(({ id }) => id),
    counts,
    findings: answered.flatMap(({ findings }) => findings),
  };
}

/** A database in which something else stands in place of a table is no database to upgrade. */
function isUnsafe(evidence: NotChecked): boolean {
  return evidence.kind === 'facts-not-seen' && evidence.missing.some(({ why }) => why === 'unsafe');
}

type Found<Id extends string, Evidence> = Finding<Id, Evidence | NotChecked>;

function findingsOf<Id extends string, Evidence>(
  check: Check<Id, Evidence>,
  input: PreflightInput & Pick<Given<never, never>, 'backDated'>,
): readonly [Found<Id, Evidence>, ...Found<Id, Evidence>[]] {
  const notChecked = (evidence: NotChecked): Found<Id, Evidence> => ({
    check: check.id,
    status: isUnsafe(evidence) ? 'stop' : 'not-checked',
    subject: null,
    evidence,
  });
  const { facts, seenAt, missing } = look(check, input.facts);
  if (missing.length > 0) return [notChecked({ kind: 'facts-not-seen', missing })];

  const notReported = check.needsArtifacts ? unseenReleases(input) : [];
  const { judged, fault } = judge(check, { ...input, facts, seenAt });
  if (fault !== undefined) return [notChecked(fault), ...notReported.map(notChecked)];
  const lacking = judged.flatMap((one) => ('lacks' in one ? [missingOf(one, input.facts)] : []));
  const gaps = [
    ...notReported,
    ...(lacking.length === 0 ? [] : [{ kind: 'facts-not-seen' as const, missing: lacking }]),
  ].map(notChecked);
  const found = judged
    .flatMap((one): Found<Id, Evidence>[] =>
      'lacks' in one ? [] : [unlessAccepted({ check: check.id, ...one }, input.accepted)],
    )
    // An ok for a part says nothing about the whole.
    .filter(({ status }) => status !== 'ok' || gaps.length === 0);
  const [first, ...others] = [...found, ...gaps].sort(
    (a, b) => findingStatuses.indexOf(a.status) - findingStatuses.indexOf(b.status),
  );
  return first === undefined ? [notChecked({ kind: 'check-silent' })] : [first, ...others];
}

/** Whether what a check finds can be accepted: not a known issue, which has its id, nor a stop or minimum version. */
export function canBeAccepted(check: string): boolean {
  return check !== 'known-issues' && check !== 'start-check';
}

/** What a check found; if it is accepted, as a warning that blocks nothing. What it could not look at never is. */
function unlessAccepted<Id extends string, Evidence>(
  finding: Finding<Id, Evidence>,
  accepted: readonly Acceptance[] = [],
): Finding<Id, Evidence> {
  if (finding.status === 'ok' || !canBeAccepted(finding.check)) return finding;
  const name = nameOfFinding(finding);
  const acceptance = accepted.find((one) => one.kind === 'check' && one.name === name);
  return acceptance === undefined ? finding : { ...finding, status: 'warn', accepted: acceptance };
}

function judge<Evidence>(
  check: Check<string, Evidence>,
  given: Given<never, never>,
):
  | { readonly judged: Answers<Evidence>; readonly fault?: undefined }
  | { readonly judged?: undefined; readonly fault: NotChecked } {
  try {
    return { judged: check.judge(given) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { fault: { kind: 'check-failed', message } };
  }
}

type Observed = NonNullable<ObservedFacts[FactKey]>;

/**
 * The facts that a check declares, and no others; and those of them that were not seen. In a database without a ledger,
 * which is not Lightdash's, no other fact counts as seen: an absent lease would mean that nobody holds it.
 */
function look(
  { group, needs, needsOrAbsent = [], mayNeed = [] }: Check,
  observed: ObservedFacts,
): Pick<Given<never, never>, 'seenAt'> & {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly missing: readonly MissingNeed[];
} {
  const facts: Record<string, unknown> = {};
  const seenAt: Partial<Record<FactKey, string>> = {};
  const missing: MissingNeed[] = [];
  const may = mayNeed.filter((need) => isFactKey(need));
  const needed = [...needs, ...needsOrAbsent];
  const { ledger } = observed;
  if (
    group === 'database' &&
    needed.length > 0 &&
    !needed.includes('ledger') &&
    ledger?.status === 'absent'
  ) {
    missing.push(unseen('ledger', 'absent', ledger.detail));
  }
  for (const key of [...needed, ...may]) {
    const fact: Observed | undefined = observed[key];
    if (fact?.status === 'seen') {
      facts[key] = fact.value;
      seenAt[key] = fact.seenAt;
    } else if (fact?.status === 'absent' && !needs.includes(key)) facts[key] = null;
    else if (!may.includes(key)) missing.push(unseen(key, fact?.status, fact?.detail));
  }
  return { facts, seenAt, missing };
}

function missingOf({ lacks, why, detail, names }: Lacking, observed: ObservedFacts): MissingNeed {
  const fact: Observed | undefined = isFactKey(lacks) ? observed[lacks] : undefined;
  if (names !== undefined) return { ...unseen(lacks, why, detail), names };
  if (why !== undefined || fact === undefined || fact.status === 'seen') return unseen(lacks, why, detail);
  return unseen(lacks, fact.status, detail ?? fact.detail);
}

function unseen(need: Need, why: MissingNeed['why'] = 'not-asked', detail?: string): MissingNeed {
  return { need, why, detail };
}

/** The part of the span that no artifact covers. */
function unseenReleases({ line: { span, missingRanges } }: PreflightInput): NotChecked[] {
  const notReported = span.filter((release) => !listsMigrations(release));
  return [
    ...(missingRanges.length === 0 ? [] : [{ kind: 'releases-not-indexed' as const, ranges: missingRanges }]),
    ...(notReported.length === 0
      ? []
      : [
          {
            kind: 'artifacts-not-seen' as const,
            versions: notReported.map(({ version }) => version),
            backfilled: notReported.filter(({ backfilled }) => backfilled).length,
            of: span.length,
          },
        ]),
  ];
}
