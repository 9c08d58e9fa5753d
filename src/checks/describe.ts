import { printable } from '../core/text/printable.js';
import { describeAcceptance } from '../words/evidence/accepted.js';
import { adviseOn, describeMissingFacts, howToSee } from '../words/evidence/missing-facts.js';
import { countOf, formatNumber, listNames } from '../words/phrase.js';
import { describeHole } from '../words/route/reasons.js';
import type { Word } from '../words/word.js';
import {
  type Finding,
  type FindingStatus,
  type FindingWord,
  type FindingWords,
  type NotChecked,
  type PasteIn,
  pasteIns,
} from './check.js';
import { type CheckEvidence, checks } from './checks.js';

export const notCheckedWords: FindingWords<NotChecked> = {
  'facts-not-seen': {
    meaning: 'A fact that the check needs is missing. What was not checked is never ok.',
    remedy: 'Provide what the finding names: a right, a flag or a file.',
    describe: ({ missing }) => describeMissingFacts(missing).join('; '),
    advise: ({ missing }) => adviseOn(missing, howToSee),
  },
  'artifacts-not-seen': {
    meaning:
      'Some releases on the route have no artifact. What they migrate is not known, so no check of it is ok.',
    remedy:
      'Provide the artifacts with --artifact-url or a mirror. A backfilled release never had one: try such an ' +
      'upgrade on a copy of the database.',
    describe: ({ versions, backfilled, of }) =>
      `${formatNumber(versions.length)} of ${countOf(of, 'release')} ` +
      `${versions.length === 1 ? 'does not say what it migrates' : 'do not say what they migrate'} ` +
      `(${listNames(versions)})${
        backfilled === 0 ? '' : `; backfilled, so without an artifact: ${backfilled}`
      }`,
  },
  'releases-not-indexed': {
    meaning:
      'The index does not contain every release on the route. What the missing ones migrate is not known.',
    rule: 7,
    remedy: 'Check both versions, or get a complete index.',
    describe: ({ ranges }) => ranges.map(describeHole).join('; '),
  },
  'check-failed': {
    meaning: 'The check itself failed. That is a bug in lightspan, not an answer.',
    remedy: 'Report it, with the facts if you may share them.',
    describe: ({ message }) => `the check failed: ${message}`,
  },
  'check-silent': {
    meaning: 'The check gave no result. That is a bug in lightspan, not an answer.',
    remedy: 'Report it, with the facts if you may share them.',
    describe: () => 'the check gave no result',
  },
};

/** The meaning of each kind of finding. A kind belongs to one check, those of `notCheckedWords` to all. */
export const findingWords: FindingWords<CheckEvidence | NotChecked> = Object.assign(
  {},
  ...[notCheckedWords, ...checks.map(({ finds }) => finds)],
);

export const findingStatusWords: Record<FindingStatus, Word & { readonly label: string }> = {
  stop: {
    label: 'STOP',
    meaning: 'The upgrade would fail or do harm. Fix this first.',
  },
  'not-checked': {
    label: 'NOT CHECKED',
    meaning: 'It was not checked. That is never ok. If the check can stop the upgrade, the answer is not go.',
  },
  warn: { label: 'WARN', meaning: 'It may go wrong, or take longer. Look at it before the upgrade.' },
  ok: { label: 'ok', meaning: 'It was checked, and no problem was found.' },
};

export interface DescribedFinding {
  readonly description: string;
  /** What to do about it; null if there is nothing to do. */
  readonly remedy: {
    readonly text: string;
    readonly pasteIn: PasteIn | null;
    readonly commands: readonly string[];
  } | null;
}

export function describeFinding(finding: Finding<string, CheckEvidence | NotChecked>): DescribedFinding {
  const described = describeWith(findingWords, finding);
  if (finding.rehearsed !== undefined) {
    const { day, mode } = finding.rehearsed;
    const on = `(but it went through on a copy on ${day}${mode === 'dry' ? ', without rows' : ''})`;
    return { description: `${described.description} ${on}`, remedy: null };
  }
  if (finding.accepted === undefined) return described;
  const accepted = `(accepted${describeAcceptance(finding.accepted)})`;
  return { description: `${described.description} ${accepted}`, remedy: null };
}

/** A finding with its words: what was found, about what, and what to do about it. */
export interface FindingInWords extends DescribedFinding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly subject: string | null;
  readonly evidence: { readonly kind: string; readonly [field: string]: unknown };
  /** It is accepted, and blocks nothing. */
  readonly accepted?: true | undefined;
  /** It went through on a copy, which settles it. */
  readonly rehearsed?: true | undefined;
}

export function findingInWords(finding: Finding<string, CheckEvidence | NotChecked>): FindingInWords {
  const { check, status, subject, evidence, accepted, rehearsed } = finding;
  return {
    check,
    status,
    subject,
    ...describeFinding(finding),
    evidence: { ...evidence },
    accepted: accepted && (true as const),
    rehearsed: rehearsed && (true as const),
  };
}

/** A finding in the words of its kind, each text on one line because it contains names from outside. */
export function describeWith<Evidence extends { readonly kind: string }>(
  words: FindingWords<Evidence>,
  { status, evidence }: Pick<Finding<string, Evidence>, 'status' | 'evidence'>,
): DescribedFinding {
  const kind: Evidence['kind'] = evidence.kind;
  const word: FindingWord<Evidence> = words[kind];
  const description = printable(word.describe(evidence));
  const text = word.advise?.(evidence) ?? word.remedy;
  if (text === undefined || status === 'ok') return { description, remedy: null };
  const place = pasteIns.find((place) => word[place] !== undefined);
  const commands = place === undefined ? [] : (word[place]?.(evidence) ?? []).map(printable);
  const pasteIn = commands.length === 0 ? null : (place ?? null);
  if (pasteIn === 'psql') commands.unshift(ownNamesOnly);
  return { description, remedy: { text: printable(text), pasteIn, commands } };
}

/**
 * Whoever pastes SQL may be a superuser, in a database where others may create functions and operators: PostgreSQL
 * would prefer theirs to its own if their arguments fit better.
 */
const ownNamesOnly = 'SET search_path = pg_catalog, pg_temp;';
