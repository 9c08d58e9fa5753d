import { adviseOn, howToSeeAfterwards } from '../../words/evidence/missing-facts.js';
import type { Word } from '../../words/word.js';
import type { Finding, FindingStatus, FindingWords, NotChecked } from '../check.js';
import type { CheckEvidence } from '../checks.js';
import { type DescribedFinding, describeWith, findingWords } from '../describe.js';
import { type CanaryEvidence, canaryWords } from './canary.js';
import { type PodsEvidence, pods } from './pods.js';

/** What to do after an upgrade, if that differs from the advice of a preflight. */
const remediesAfterwards: Readonly<Record<string, string>> = {
  'ledger-behind':
    'Check whether its migrations ran at all: the log of the migration job, or of the container that starts ' +
    'first, says why not. Run them, and verify again.',
  'ledger-diverged':
    'A newer release, or an image from elsewhere, has migrated this database. Find out which, and deploy that; ' +
    'or restore the backup taken before.',
  'ledger-skipped':
    'Check whether a column or table of it is missing. If it has since moved to the other edition, or been ' +
    'removed, it never runs: --fact migration.<file>=applied treats it as run.',
  'lease-parked':
    'Read the log of the parked migration, fix what it names, and unlock it: no run of another release has cleared it.',
  'knex-lock-freed-by-target':
    'Wait while a migrator runs. If none does, its lock is left over: the next migrator frees it.',
  'run-parked':
    'Read the log of the migration, fix what it names, and run the migrations again: a successful run clears ' +
    'this state.',
  'index-invalid':
    'Drop it, and create it again as its migration does; the command to paste drops it only if it is not being built.',
  'jobs-not-worked': 'Check whether the scheduler runs, and read its log: no scheduled job runs.',
  'jobs-failed': 'Check their last_error, and whether they failed before the upgrade or since.',
} satisfies { readonly [Kind in VerifyEvidence['kind']]?: string };

/** What was parked for a lock or a deadlock may be claimed again after a while, by the same release too. */
const parkedForAWhile =
  'The same release may try it again after a few minutes, because a lock or a deadlock was the reason. End ' +
  'what holds the lock, restart what migrates if it has given up, and verify again.';

const verifyFindingWords: FindingWords<VerifyEvidence | NotChecked> = {
  ...findingWords,
  ...pods.finds,
  ...canaryWords,
};

export function describeVerifyFinding(finding: VerifyFinding): DescribedFinding {
  const words = describeWith(verifyFindingWords, finding);
  const { evidence } = finding;
  const text =
    evidence.kind === 'facts-not-seen'
      ? adviseOn(evidence.missing, howToSeeAfterwards)
      : evidence.kind === 'lease-parked' && evidence.transient
        ? parkedForAWhile
        : remediesAfterwards[evidence.kind];
  return words.remedy === null || text === undefined
    ? words
    : { ...words, remedy: { ...words.remedy, text } };
}

export const verifyStatusWords: Record<FindingStatus, Word & { readonly label: string }> = {
  stop: { label: 'NO', meaning: 'It was checked, and is wrong after the upgrade.' },
  'not-checked': { label: 'NOT CHECKED', meaning: 'It was not checked. Without it, nothing is verified.' },
  warn: { label: 'WARN', meaning: 'It may be right. Look at it.' },
  ok: { label: 'ok', meaning: 'It was checked, and no problem was found.' },
};

type VerifyEvidence = CheckEvidence | PodsEvidence | CanaryEvidence;

export type VerifyFinding = Finding<string, VerifyEvidence | NotChecked>;
