import type { AppliedIssue } from '../core/results.js';
import { pendingWork } from '../instance/backfills/pending.js';
import { forecast } from '../instance/forecast/forecast.js';
import type { TimeRange } from '../instance/forecast/work-time.js';
import { describeTime } from '../words/route/downtime.js';
import { describeIssueAlone } from '../words/route/reasons.js';
import { type CheckInput, defineCheck, lacks, ok, stop, warn } from './check.js';

/** With how long its migration takes by what was seen of this database; null if that is not known. */
type Issue = AppliedIssue & { readonly here?: TimeRange | null };

const words = {
  remedy:
    'Do what the issue says (lightspan known-issues show <id>). If it may apply, pass the missing facts with --fact.',
  describe: ({ here, ...issue }: Issue) =>
    `${describeIssueAlone(issue)}${issue.effect.kind === 'long' ? `; seen: ${issue.effect.seen}` : ''}` +
    `${here == null ? '' : `; on this database: ${describeTime(here)}`}`,
  advise({ id, remedy, effect }: Issue) {
    const endedRemedy = `${remedy.replace(/\.$/, '')}.`;
    return effect.kind === 'action-first'
      ? `${endedRemedy} Once it is done, say so with --accept ${id}.`
      : endedRemedy;
  },
};

/** An issue whose facts are not known may apply, and counts as one that does. */
export const knownIssues = defineCheck({
  id: 'known-issues',
  needs: [],
  mayNeed: ['known-issues', 'ledger', 'tables', 'indexes', 'backfillRows', 'readRate', 'sortRate'],
  traits: { settledBy: 'route', neverAccepted: 'has-its-own-name' },
  *judge(input) {
    const { from, to, issues } = input;
    const timeHere = timesOfIssues(input);
    if (issues === undefined) yield lacks('known-issues');
    for (const issue of issues ?? []) {
      // Then nothing goes wrong if the upgrade is a downtime and there is enough time.
      if (issue.effect.kind === 'recreate' || issue.effect.kind === 'long')
        yield warn(issue.id, { kind: 'known-issue-warns', ...issue, here: timeHere.get(issue.id) ?? null });
      else yield stop(issue.id, { kind: 'known-issue-stops', ...issue });
    }
    return ok({ kind: 'no-known-issue', from, to });
  },
})({
  label: 'Known issues',
  meaning:
    'Whether a release has a problem, found after its verdict, that affects this instance. What it looks at: ' +
    'The known issues of the direct step from the running release to the target. Their conditions are checked ' +
    'against the facts of the instance and --fact, which takes precedence. If a condition is not known, the ' +
    'issue may apply and counts as one that does.',
  finds: {
    'known-issue-stops': {
      meaning:
        'A known issue applies or may apply: do not install this release, do not upgrade in one step, or do ' +
        'something else first.',
      ...words,
    },
    'known-issue-warns': {
      meaning:
        'A known issue applies or may apply: old and new pods must not overlap, or the upgrade takes far longer.',
      ...words,
    },
    'no-known-issue': ({ from, to }) => `no known issue affects the step from ${from} to ${to}`,
  },
});

type IssueInput = CheckInput<
  never,
  never,
  'ledger' | 'tables' | 'indexes' | 'backfillRows' | 'readRate' | 'sortRate'
>;

/** How long the migrations take that known issues are about: what was seen elsewhere may be of a larger table. */
function timesOfIssues({ facts, ...input }: IssueInput): ReadonlyMap<string, TimeRange> {
  const { ledger, tables, indexes, readRate, sortRate, backfillRows } = facts;
  if (ledger == null || tables == null) return new Map();
  const pending = pendingWork({ ...input, facts: { ledger } });
  const known = { tables, backfillRows, indexes: indexes ?? null };
  const times = forecast(pending, { ...known, readRate: readRate ?? null, sortRate: sortRate ?? null });
  return new Map(
    pending.flatMap(({ backfill }, i) => {
      const time = times[i];
      return backfill?.knownIssue === undefined || time === undefined ? [] : [[backfill.knownIssue, time]];
    }),
  );
}
