import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import type { InstanceStatus } from '../../known-issues/instance-status.js';
import { describeHorizon } from '../../words/evidence/horizon.js';
import { countOf } from '../../words/phrase.js';
import type { StatusChangesResult } from '../json/index-schemas.js';

type Status = DeepReadonly<InstanceStatus>;
type StatusChange = DeepReadonly<StatusChangesResult>['changes'][number];

/** What is different from the last run, one message each, the gravest first. Without a last run, what stands now. */
export function changesSince(before: Status | undefined, status: Status): readonly StatusChange[] {
  return [
    ...changesOfIssues(before, status),
    ...changesOfRecommendation(before, status),
    ...changesOfAcceptances(before, status),
    ...changesOfAge(before, status),
  ];
}

function changesOfIssues(before: Status | undefined, status: Status): readonly StatusChange[] {
  const { runningVersion: running, knownIssues } = status;
  const isSame = before?.runningVersion === running;
  const issuesBefore = isSame ? before.knownIssues : [];
  const isIn = (list: Status['knownIssues'], id: string) => list.some((issue) => issue.id === id);
  return compact<StatusChange>(
    before !== undefined &&
      !isSame && {
        kind: 'running',
        about: running,
        message: `${running} runs now, ${before.runningVersion} before`,
      },
    knownIssues
      .filter(({ id }) => !isIn(issuesBefore, id))
      .map(({ id, summary, remedy, notKnown }) => ({
        kind: 'known-issue' as const,
        about: id,
        message: `a known issue ${notKnown.length === 0 ? 'applies' : 'may apply'} to what you run (${running}): ${id}: ${summary} ${remedy}`,
      })),
    issuesBefore
      .filter(({ id }) => !isIn(knownIssues, id))
      .map(({ id }) => ({
        kind: 'known-issue-over' as const,
        about: id,
        message: `the known issue ${id} no longer applies to what you run (${running})`,
      })),
  );
}

function changesOfRecommendation(before: Status | undefined, status: Status): readonly StatusChange[] {
  const { recommended, recommendedFrom, runningVersion: running } = status;
  const was = before?.recommended?.version;
  if (recommended !== null) {
    const { version, rolling, hops } = recommended;
    if (version === was) return [];
    const steps = hops > 1 ? ` in ${countOf(hops, 'step')}` : '';
    const how = rolling
      ? `rolls from ${running}${steps}`
      : `from ${running}${steps || ' in one step'}, with downtime`;
    return [{ kind: 'recommended', about: version, message: `${version} is recommended now: ${how}` }];
  }
  // Whoever runs it has done what was recommended.
  if (was === undefined || was === running) return [];
  const first = recommendedFrom === null ? '' : `; the next may be on ${recommendedFrom.slice(0, 10)}`;
  return [
    {
      kind: 'not-recommended',
      about: was,
      message: `${was} is no longer recommended, nor is another release${first}`,
    },
  ];
}

function changesOfAcceptances(before: Status | undefined, { acceptances }: Status): readonly StatusChange[] {
  const old = before?.acceptances ?? [];
  const wasTold = ({ name, until }: Status['acceptances'][number]) =>
    old.some((earlier) => earlier.name === name && earlier.until === until && earlier.endsSoon);
  return compact<StatusChange>(
    acceptances
      .filter((acceptance) => acceptance.endsSoon && !wasTold(acceptance))
      .map(({ name, until }) => ({
        kind: 'acceptance-ends' as const,
        about: name,
        message: `the acceptance of ${name} ends on ${until}`,
      })),
    old
      .filter(({ name }) => !acceptances.some((acceptance) => acceptance.name === name))
      .map(({ name, until }) => ({
        kind: 'acceptance-over' as const,
        about: name,
        message: `${name} is no longer accepted (it was until ${until})`,
      })),
  );
}

function changesOfAge(before: Status | undefined, status: Status): readonly StatusChange[] {
  const { recordsAreOld, indexIsOld, knownThrough } = status;
  const end = knownThrough === null ? 'known issues do not count' : describeHorizon(knownThrough);
  const about = status.runningVersion;
  return compact<StatusChange>(
    recordsAreOld &&
      before?.recordsAreOld !== true && {
        ...{ kind: 'records-old', about },
        message: `${end}: an age protects only with records`,
      },
    !recordsAreOld && before?.recordsAreOld === true && { kind: 'records-current', about, message: `${end}` },
    indexIsOld &&
      before?.indexIsOld !== true && {
        ...{ kind: 'index-old', about },
        message: 'the index is older than a week: newer releases may be missing',
      },
    !indexIsOld &&
      before?.indexIsOld === true && { kind: 'index-current', about, message: 'the index is current again' },
  );
}

/** One line a change; of none, nothing at all. */
export function renderChanges(changes: readonly StatusChange[]): string {
  return changes.map(({ message }) => `${printable(message)}\n`).join('');
}

/** The body of a request to an incoming webhook of Slack; of no change, nothing at all. */
export function renderSlack(changes: readonly StatusChange[]): string {
  if (changes.length === 0) return '';
  const text = changes.map(({ message }) => `Lightdash: ${printable(message)}`).join('\n');
  return `${JSON.stringify({ text: text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign) })}\n`;
}

/** Slack reads these three as markup. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
