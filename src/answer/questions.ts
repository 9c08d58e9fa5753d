import type { Preflight } from '../checks/checks.js';
import { decisionWords, describeCounts } from '../checks/decision.js';
import { releaseStatuses } from '../release-safety/kinds.js';
import type { UpgradeReport } from '../release-safety/report.js';
import { questionOf, type SpanResult } from '../release-safety/span.js';
import type { FindingFields } from '../render/json/answer-schemas.js';
import { countOf } from '../render/phrase.js';
import { firstOf } from '../render/words/lists.js';
import {
  describeBlock,
  describeHole,
  describeIssue,
  describeReason,
  describeUnproven,
  reasonsOfKind,
} from '../render/words/reasons.js';
import { releaseStatusWords } from '../render/words/release.js';
import { compact } from '../shared/compact.js';
import type { Fact, Question } from './answer.js';

/**
 * The two questions about a span.
 *
 * @param disputes what the artifacts say against a rolling update
 * @param whole whether every release is named
 */
export function questionsOfSpan(
  span: SpanResult,
  { disputes = [], whole = false }: { readonly disputes?: readonly string[]; readonly whole?: boolean } = {},
): readonly [direct: Question, rolling: Question] {
  const versionsOf = (kind: 'unsafe-release' | 'unknown-release') =>
    reasonsOfKind(span.reasons, kind).map(({ version }) => version);
  const againstRolling = compact(
    describeUnproven(versionsOf('unsafe-release'), versionsOf('unknown-release'), { whole }),
    span.missingRanges.length > 0 && 'the index does not cover the whole span (span rule 7)',
  );
  return compose(span, againstRolling, disputes);
}

/** The same by index and artifacts together: by the status of each release. */
export function questionsOfReport(report: UpgradeReport): readonly [direct: Question, rolling: Question] {
  const { span, counts, indexAlone, blockedBy, fromVersion, toVersion, releases } = report;
  const namesOf = (status: (typeof releaseStatuses)[number]) =>
    releases.filter(({ standing }) => standing === status).map(({ version }) => version);
  const againstRolling = [
    ...releaseStatuses
      .filter((status) => status !== 'proven' && counts[status] > 0)
      .map((status) => {
        const { label, brief } = releaseStatusWords[status];
        return `${countOf(counts[status], 'release')} ${label} (${brief}): ${firstOf(namesOf(status), 3)}`;
      }),
    ...span.missingRanges.map((range) => `${describeHole(range)} (span rule 7)`),
    ...(blockedBy !== null && toVersion === fromVersion ? [describeBlock(blockedBy)] : []),
  ];
  // If the index alone says no as well, the artifacts make no difference.
  const disputes =
    span.disagreements.length === 0
      ? []
      : [
          `the index alone says yes; ${countOf(span.disagreements.length, 'disagreement')} with the artifacts`,
        ];
  return compose(span, againstRolling, indexAlone.rolling ? disputes : []);
}

function compose(
  { fromVersion, reasons, jump, rolling }: SpanResult,
  againstRolling: readonly string[],
  disputes: readonly string[],
): readonly [direct: Question, rolling: Question] {
  const againstDirect = reasons
    .filter((reason) => questionOf(reason) === 'jump')
    .map((reason) => describeReason(reason, fromVersion));
  const issuesAgainstRolling = reasonsOfKind(reasons, 'known-issue')
    .filter((issue) => questionOf(issue) === 'rolling')
    .map(describeIssue);
  return [
    {
      name: 'Direct upgrade',
      answer: jump === true ? 'yes' : jump === false ? 'no' : 'unknown',
      yes: jump === true,
      why: againstDirect,
    },
    {
      name: 'Rolling update',
      answer: rolling ? 'yes' : 'no',
      yes: rolling,
      why: [...againstRolling, ...issuesAgainstRolling, ...disputes],
    },
  ];
}

/**
 * What the facts of an instance say to an answer about releases: only a stop is a no there.
 *
 * @param stops those of its findings; a route settles others
 */
export function questionOfInstance({ checks, counts }: Preflight, stops: readonly FindingFields[]): Question {
  const stopping = new Set(stops.map(({ check }) => check));
  const settled = checks.filter(({ id, status }) => status === 'stop' && !stopping.has(id));
  const open = checks.some(({ canStop, whole }) => canStop && !whole);
  const answer = stops.length > 0 ? 'no' : open ? 'not checked' : 'yes';
  return {
    name: 'Preflight',
    answer,
    yes: answer !== 'no',
    why: compact(
      linesOfStops(stops),
      settled.length > 0 && `the route settles ${settled.map(({ id }) => id).join(' and ')}`,
      describeCounts(counts),
      answer === 'not checked' && 'not everything that can stop the upgrade was checked',
    ),
  };
}

/** The answer to both questions at once. What rests on something accepted is not called safe. */
export function factOfVerdict({ safe }: { readonly safe: boolean }, accepted: boolean): Fact {
  if (safe && accepted) return { label: 'Verdict', text: 'ACCEPTED', tone: 'warn' };
  return { label: 'Verdict', text: safe ? 'SAFE' : 'UNSAFE', tone: safe ? 'good' : 'bad' };
}

/** What stops an upgrade, one line each, with what to do about it. What several checks say alike is said once. */
export function linesOfStops(stops: readonly FindingFields[]): string[] {
  const lines = stops.flatMap(({ check, description, remedy }) => [
    `${decisionWords.stop.label}: ${check}: ${description}`,
    ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
  ]);
  return [...new Set(lines)];
}
