import { countOf, listNames, number, sentence } from '../core/text/phrase.js';
import { printable } from '../core/text/printable.js';
import type { Word } from '../core/text/word.js';
import { describeAcceptance } from '../core/words/accepted.js';
import { howToSeeDeployment, type Need, needs } from '../instance/facts/needs.js';
import { describeHole } from '../instance/words/reasons.js';
import {
  type Finding,
  type FindingStatus,
  type FindingWord,
  type FindingWords,
  type MissingNeed,
  type NotChecked,
  type PasteIn,
  pasteIns,
} from './check.js';
import { type CheckEvidence, checks } from './checks.js';

export const notCheckedWords: FindingWords<NotChecked> = {
  'facts-not-seen': {
    meaning: 'A fact that the check needs is missing. What was not checked is never ok.',
    remedy: 'Provide what the finding names: a right, a flag or a file.',
    describe: ({ missing }) => withoutMissingParts(missing).map(describeMissing).join('; '),
    advise: ({ missing }) => adviseOn(missing, howToSee),
  },
  'artifacts-not-seen': {
    meaning:
      'Some releases on the route have no artifact. What they migrate is not known, so no check of it is ok.',
    remedy:
      'Provide the artifacts with --artifact-url or a mirror. A backfilled release never had one: try such an ' +
      'upgrade on a copy of the database.',
    describe: ({ versions, backfilled, of }) =>
      `${number(versions.length)} of ${countOf(of, 'release')} ` +
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
  ok: { label: 'ok', meaning: 'It was checked; nothing was found.' },
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

/** A finding as JSON has it: what was found, and that in words. */
export function findingFields(finding: Finding<string, CheckEvidence | NotChecked>) {
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

/** If no facts of the deployment were requested, its parts are not listed one by one. */
export function withoutMissingParts(missing: readonly MissingNeed[]): readonly MissingNeed[] {
  const isPart = ({ need, why }: MissingNeed) => why === 'not-asked' && needs[need].of === 'deployment';
  const [whole] = missing.filter((fact) => fact.need === 'deployment' && isPart(fact));
  return whole === undefined
    ? missing
    : missing.filter((fact) => fact.need === 'deployment' || !isPart(fact));
}

function describeMissing({ need, why, detail, names = [] }: MissingNeed): string {
  const about =
    detail === undefined ? '' : ` (${detail}${names.length === 0 ? '' : `: ${listNames(names)}`})`;
  // They are always asked for.
  const words = need === 'artifacts' && why === 'not-asked' ? 'not all were found' : whyWords[why];
  return `${needs[need].label}: ${words}${about}`;
}

/** What several checks lack, each thing once: that no database was read says it of all that is in one. */
export function describeLacking(missing: readonly MissingNeed[]): string[] {
  const others = missing.filter(
    ({ need, why, detail }) =>
      why !== 'not-asked' || detail !== undefined || needs[need].otherwise !== undefined,
  );
  return [
    ...(others.length < missing.length ? ['no database was read'] : []),
    ...new Set(withoutMissingParts(others).map(describeMissing)),
  ];
}

const whyWords: Record<MissingNeed['why'], string> = {
  'not-asked': 'not requested',
  'not-permitted': 'no permission to read',
  absent: 'not found',
  timeout: 'took too long',
  failed: 'could not be read',
  unsafe: 'not read: reading it could run code with your rights',
  old: 'too old',
};

export function adviseOn(missing: readonly MissingNeed[], how: (missing: MissingNeed) => string): string {
  return `${sentence([...new Set(withoutMissingParts(missing).map(how))].join('; '))}.`;
}

type Advice = { readonly [Missing in Need]?: { readonly [Why in MissingNeed['why']]?: string } };

const nameRole = 'where facts are collected, name the role that migrates with --migrating-role';

/** What to do about one need that was not seen for one reason. */
const ownAdvice: Advice = {
  artifacts: {
    absent: 'a backfilled release never had an artifact: try the upgrade on a copy of the database',
  },
  workloads: {
    absent: 'check --namespace and --release, and that this is the deployment of Lightdash',
  },
  snapshots: {
    absent: 'check that there is a backup from today: one made elsewhere is not visible here',
  },
  migrator: { absent: nameRole, failed: nameRole },
};

/** The same, if the source did not say more. */
const adviceWithoutDetail: Advice = {
  deployment: { 'not-asked': `give ${howToSeeDeployment}; --only database leaves the deployment out` },
  migrator: {
    'not-permitted': 'connect as a role without limits of its own, by an address that sets none',
  },
};

const adviceByReason: Record<Exclude<MissingNeed['why'], 'not-permitted'>, string> = {
  'not-asked': 'pass --database, or --facts with a file that contains it',
  absent: 'check the address, and the schema of the collecting role',
  timeout: 'try again at a quiet time',
  failed: 'try again, and check what the server says',
  unsafe: 'find out who made it, and why: no release makes tables with such code',
  old: 'collect the facts again; --max-age says how old they may be',
};

/** How to make it visible to a preflight, without a full stop. */
export function howToSee({ need, why, detail }: MissingNeed): string {
  const { of, right = 'the right to see it', otherwise, resources = needs.workloads.resources } = needs[need];
  const advice =
    ownAdvice[need]?.[why] ?? (detail === undefined ? adviceWithoutDetail[need]?.[why] : undefined);
  if (advice !== undefined) return advice;
  if (why === 'not-permitted' && of === 'deployment') {
    return (
      `let your user of kubectl get and list ${resources}; the page of upgrade-preflight has the least ` +
      'privileged Role for it'
    );
  }
  if (otherwise !== undefined) return `give ${otherwise}`;
  return why === 'not-permitted'
    ? `grant the collecting role ${right}; lightspan upgrade-preflight --grants prints all it needs`
    : adviceByReason[why];
}

/** How to make it visible after an upgrade: only with options that exist then, and without steps to try beforehand. */
export function howToSeeAfterwards(missing: MissingNeed): string {
  const { need, why } = missing;
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: what it migrated cannot be checked';
  }
  const isToBeFound = need === 'workloads' && why === 'absent';
  if (needs[need].of === 'deployment' && why !== 'not-permitted' && !isToBeFound) {
    return 'pass --kubernetes, or --manifests with what kubectl prints of workloads and pods';
  }
  return howToSee(missing);
}
