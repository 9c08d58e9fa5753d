import type { ObservedFacts } from '../../instance/facts/facts-schema.js';
import { withoutExtension } from '../../instance/facts/known-facts.js';
import { type Answers, type Check, type CheckGroup, checkGroups, type FindingStatus } from '../check.js';
import type { CheckEvidence, CheckId } from '../checks.js';
import { invalidIndexes } from '../database/invalid-indexes.js';
import { ledger } from '../database/ledger.js';
import { lockAndLease } from '../database/lock-and-lease.js';
import { primary } from '../database/primary.js';
import { queue } from '../database/queue.js';
import { parkedProbe } from '../deployment/parked-probe.js';
import { traitsOf } from '../run-checks.js';
import { type PodsEvidence, pods } from './pods.js';

/**
 * The checks of an instance besides readiness, in the order of the answer: those of a preflight that a database must
 * also pass after an upgrade, for the step from the new release to itself, when nothing is pending and the ledger is at
 * that release; and the pods. The content of a replica may be out of date.
 */
export const verifyChecks: readonly Check<CheckId | 'pods', CheckEvidence | PodsEvidence>[] = [
  ...[ledger, lockAndLease, parkedProbe, primary, invalidIndexes, queue].map(
    (check: Check<CheckId, CheckEvidence>): typeof check => ({
      ...check,
      canStop: true,
      judge: (input) => check.judge(input).map((answer) => withStatusAfterwards(check, answer)),
    }),
  ),
  pods,
];

function withStatusAfterwards(check: Check, answer: Answers<CheckEvidence>[number]): typeof answer {
  if (answer.status === 'not-checked') return answer;
  const { afterUpgrade = answer.status } = traitsOf(check, answer.evidence.kind);
  return { ...answer, status: afterUpgrade };
}

/**
 * The groups of checks that facts were collected for. A group without any fact was not requested. If no group has
 * facts, all are returned, and every check will be reported as not checked.
 */
export function groupsWithFacts(facts: ObservedFacts): readonly CheckGroup[] {
  const sources = new Set<string>(
    Object.values(facts).flatMap((fact) =>
      fact === undefined || fact.status === 'not-asked' ? [] : [fact.source],
    ),
  );
  const requested = checkGroups.filter((group) => sources.has(group));
  return requested.length === 0 ? checkGroups : requested;
}

/**
 * Adds the migrations that a person states to have run to the ledger. A migration that moved to the other edition, or
 * was removed, never will run.
 */
export function withStatedMigrations(facts: ObservedFacts): ObservedFacts {
  const { ledger, stated } = facts;
  if (ledger?.status !== 'seen' || stated?.status !== 'seen') return facts;
  const names = new Set(ledger.value.map(({ name }) => withoutExtension(name)));
  const added = Object.entries(stated.value).flatMap(([fact, value]) => {
    const [, name] = /^migration[.](.+)$/.exec(fact) ?? [];
    const isNew = name !== undefined && value === 'applied' && !names.has(name);
    return isNew ? [{ name, batch: 0, migratedAt: null }] : [];
  });
  return { ...facts, ledger: { ...ledger, value: [...ledger.value, ...added] } };
}

/** `not-known`: nothing that was checked says no, but something was not checked. */
export type VerifyDecision = 'verified' | 'not-verified' | 'not-known';

/**
 * Everything must say yes: the instance and each check. None makes up for another.
 *
 * @param ready whether the instance was ready with the right release the required number of times in a row
 */
export function decideVerify(
  ready: boolean,
  findings: readonly { readonly status: FindingStatus }[],
): VerifyDecision {
  if (!ready || findings.some(({ status }) => status === 'stop')) return 'not-verified';
  return findings.some(({ status }) => status === 'not-checked') ? 'not-known' : 'verified';
}
