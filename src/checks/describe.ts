import { countOf, number } from '../render/phrase.js';
import { printable } from '../render/printable.js';
import { acceptedRisk, describeAcceptance } from '../render/words/accepted.js';
import { firstOf } from '../render/words/lists.js';
import { describeHole } from '../render/words/reasons.js';
import type { Word } from '../render/words/word.js';
import { type CheckEvidence, wordsOfFindings } from './checks.js';
import type { Finding, FindingStatus, NotChecked } from './finding.js';
import { adviseOn, describeMissing, howToSee, withoutMissingParts } from './needs.js';
import type { FindingWords, PasteIn } from './words.js';

/** Why a check was not done, or not in every part. */
export const notCheckedWords: FindingWords<NotChecked> = {
  'facts-not-seen': {
    meaning: 'A fact that the check needs was not seen. What was not checked is never ok.',
    remedy: 'The finding names what provides it: a right, a flag or a file.',
    describe: ({ missing }) => withoutMissingParts(missing).map(describeMissing).join('; '),
    advise: ({ missing }) => adviseOn(missing, howToSee),
  },
  'artifacts-not-seen': {
    meaning:
      'Some releases on the route have no artifact. What they migrate is not known, and no check of it is ok.',
    remedy:
      'Provide the artifacts, with --artifact-url or a mirror. A backfilled release never had one: try such an upgrade on a copy of the database.',
    describe: ({ versions, backfilled, of }) =>
      `${number(versions.length)} of ${countOf(of, 'release')} ${versions.length === 1 ? 'does not say what it migrates' : 'do not say what they migrate'} (${firstOf(versions, 3)})${
        backfilled === 0 ? '' : `; backfilled, so never with an artifact: ${backfilled}`
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
    meaning: 'The check itself failed. That is a bug in lightspan, and not an answer.',
    remedy: 'Report it, with the facts if you may share them.',
    describe: ({ message }) => `the check failed: ${message}`,
  },
  'check-silent': {
    meaning: 'The check said nothing. That is a bug in lightspan, and not an answer.',
    remedy: 'Report it, with the facts if you may share them.',
    describe: () => 'the check said nothing',
  },
};

/** The meaning of each kind of finding. A kind belongs to one check, those of `notCheckedWords` to all. */
export const findingWords: FindingWords<CheckEvidence | NotChecked> = {
  ...notCheckedWords,
  ...wordsOfFindings,
};

/** How a check can end. */
export const findingStatusWords: Record<FindingStatus, Word & { readonly label: string }> = {
  stop: {
    label: 'STOP',
    meaning: 'The upgrade would fail, or do harm. Fix it before the upgrade.',
  },
  'not-checked': {
    label: 'NOT CHECKED',
    meaning: 'It was not checked. That is never ok, and no go if the check can find a reason to stop.',
  },
  warn: { label: 'WARN', meaning: 'It may go wrong, or take longer. Look at it before the upgrade.' },
  ok: { label: 'ok', meaning: 'It was checked, and nothing was found.' },
};

/** A finding in words. */
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
  const { accepted } = finding;
  const described = describeWith(findingWords, finding);
  if (accepted === undefined) return described;
  return {
    description: `${described.description} (accepted${describeAcceptance(acceptedRisk(accepted, 'counts'))})`,
    remedy: null,
  };
}

/**
 * A finding in the words of its kind, each text on one line because it contains names from outside. If it is ok, there
 * is nothing to do.
 */
export function describeWith<Evidence extends { readonly kind: string }>(
  words: FindingWords<Evidence>,
  { status, evidence }: Pick<Finding<string, Evidence>, 'status' | 'evidence'>,
): DescribedFinding {
  const kind: Evidence['kind'] = evidence.kind;
  const word: Word & {
    describe(evidence: Evidence): string;
    readonly pasteIn?: PasteIn;
    advise?(evidence: Evidence): string;
    commands?(evidence: Evidence): readonly string[];
  } = words[kind];
  const text = word.advise?.(evidence) ?? word.remedy;
  const told = word.commands?.(evidence).map(printable) ?? [];
  const commands = word.pasteIn === 'psql' && told.length > 0 ? [ownNamesOnly, ...told] : told;
  return {
    description: printable(word.describe(evidence)),
    remedy:
      text === undefined || status === 'ok'
        ? null
        : { text: printable(text), pasteIn: commands.length === 0 ? null : (word.pasteIn ?? null), commands },
  };
}

/**
 * Whoever pastes SQL may be a superuser, in a database where others may create functions and operators: PostgreSQL
 * would prefer theirs to its own if their arguments fit better.
 */
const ownNamesOnly = 'SET search_path = pg_catalog, pg_temp;';
