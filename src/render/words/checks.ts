import type { CheckEvidence, CheckId } from '../../preflight/checks.js';
import type { Finding, FindingStatus, NotChecked } from '../../preflight/finding.js';
import { countOf, number } from '../phrase.js';
import { printable } from '../printable.js';
import { autoscalerWords } from './checks/autoscaler.js';
import { backupsWords } from './checks/backups.js';
import { bundledDatabaseWords } from './checks/bundled-database.js';
import { chartVersionWords } from './checks/chart-version.js';
import type { CheckWords, FindingWords, PasteIn } from './checks/check-words.js';
import { disruptionBudgetWords } from './checks/disruption-budget.js';
import { environmentWords } from './checks/environment.js';
import { hookLeftoversWords } from './checks/hook-leftovers.js';
import { imagesWords } from './checks/images.js';
import { knownIssuesWords } from './checks/known-issues.js';
import { ledgerWords } from './checks/ledger.js';
import { licenceKeyWords } from './checks/licence-key.js';
import { lockAndLeaseWords } from './checks/lock-and-lease.js';
import { longTransactionsWords } from './checks/long-transactions.js';
import { memoryLimitWords } from './checks/memory-limit.js';
import { migrationRightsWords } from './checks/migration-rights.js';
import { migrationTimeWords } from './checks/migration-time.js';
import { migratorsWords } from './checks/migrators.js';
import { parkedProbeWords } from './checks/parked-probe.js';
import { preparedTransactionsWords } from './checks/prepared-transactions.js';
import { queueWords } from './checks/queue.js';
import { readinessPathWords } from './checks/readiness-path.js';
import { requiredVariablesWords } from './checks/required-variables.js';
import { rolloutStrategyWords } from './checks/rollout-strategy.js';
import { connectionsWords, extensionsWords, postgresVersionWords, primaryWords } from './checks/server.js';
import { startCheckWords } from './checks/start-check.js';
import { startupTimeWords } from './checks/startup-time.js';
import {
  diskSpaceWords,
  invalidIndexesWords,
  replicationSlotsWords,
  vacuumsWords,
} from './checks/storage.js';
import { tableAbsentWords } from './checks/table-absent.js';
import { tableLocksWords } from './checks/table-locks.js';
import { timeoutsWords } from './checks/timeouts.js';
import { firstOf } from './lists.js';
import { adviseOn, describeMissing, howToSee, withoutMissingParts } from './needs.js';
import { describeHole } from './reasons.js';
import type { Word } from './word.js';

/** The words of every check. */
export const checkWords = {
  ledger: ledgerWords,
  'lock-and-lease': lockAndLeaseWords,
  'start-check': startCheckWords,
  'known-issues': knownIssuesWords,
  'table-absent': tableAbsentWords,
  'migration-rights': migrationRightsWords,
  'table-locks': tableLocksWords,
  'prepared-transactions': preparedTransactionsWords,
  'long-transactions': longTransactionsWords,
  'parked-probe': parkedProbeWords,
  primary: primaryWords,
  'postgres-version': postgresVersionWords,
  extensions: extensionsWords,
  connections: connectionsWords,
  'disk-space': diskSpaceWords,
  timeouts: timeoutsWords,
  'migration-time': migrationTimeWords,
  'invalid-indexes': invalidIndexesWords,
  vacuums: vacuumsWords,
  'replication-slots': replicationSlotsWords,
  queue: queueWords,
  images: imagesWords,
  'rollout-strategy': rolloutStrategyWords,
  autoscaler: autoscalerWords,
  'disruption-budget': disruptionBudgetWords,
  'startup-time': startupTimeWords,
  'readiness-path': readinessPathWords,
  'memory-limit': memoryLimitWords,
  backups: backupsWords,
  migrators: migratorsWords,
  'hook-leftovers': hookLeftoversWords,
  'bundled-database': bundledDatabaseWords,
  'chart-version': chartVersionWords,
  'licence-key': licenceKeyWords,
  'required-variables': requiredVariablesWords,
  environment: environmentWords,
} satisfies Record<CheckId, CheckWords<never>>;

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

/** An object with the keys of every member of a union, so that the compiler sees which kinds have words. */
type Joined<Words> = (Words extends unknown ? (one: Words) => void : never) extends (all: infer All) => void
  ? All
  : never;
const wordsOfChecks: Joined<(typeof checkWords)[CheckId]['finds']> = Object.assign(
  {},
  ...Object.values(checkWords).map(({ finds }) => finds),
);

/** The meaning of each kind of finding. A kind belongs to one check, those of `notCheckedWords` to all. */
export const findingWords: FindingWords<CheckEvidence | NotChecked> = {
  ...notCheckedWords,
  ...wordsOfChecks,
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
  return describeWith(findingWords, finding);
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
