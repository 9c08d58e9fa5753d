import { strategyFor } from '../../release-safety/deployment.js';
import type { ArtifactDisagreement, ReconciledSpanResult } from '../../release-safety/reconcile.js';
import type { SpanResult } from '../../release-safety/span.js';
import type { Version } from '../../release-safety/version.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { decisionWords } from '../words/decisions.js';
import { describeDisagreement } from '../words/disagreements.js';
import { describeDowntime } from '../words/downtime.js';
import { type JudgedBy, judgedByLine } from '../words/judged-by.js';
import { capped, longestList, renderVersionList } from '../words/lists.js';
import { nextOfCheck, whyAndNext } from '../words/next.js';
import { type Answer, answersOfSpan, describeVerdict, linesOfAnswer } from '../words/questions.js';
import { describeRange, reasonsOfKind } from '../words/reasons.js';

export interface UpgradeCheckTextOptions {
  readonly palette: Palette;
  /** Whether to list every release, however many. */
  readonly verbose: boolean;
  /** The drawing of the releases by `renderStrip`; undefined if the output is not a terminal. */
  readonly strip: readonly string[] | undefined;
  /** The newest release in the index. */
  readonly latestVersion: Version;
  /** What the facts of the instance say; undefined if none were seen. */
  readonly instance: Answer | undefined;
  readonly judgedBy: JudgedBy;
}

/** The answer for a person: the lines of the contract's text form, then what is allowed and what to do next. */
export function renderUpgradeCheckText(
  result: SpanResult | ReconciledSpanResult,
  options: UpgradeCheckTextOptions,
): string {
  const disagreements = 'disagreements' in result ? result.disagreements : undefined;
  const { palette, verbose, strip, instance, judgedBy } = options;
  const list = (versions: readonly string[]) => renderVersionList(versions, { whole: verbose });
  const paintVerdict = result.safe ? palette.good : palette.bad;
  const listed = (kind: 'unsafe-release' | 'unknown-release') =>
    list(reasonsOfKind(result.reasons, kind).map(({ version }) => version));

  const lines = [
    `Release safety check: ${result.fromVersion} -> ${result.toVersion}`,
    `Direction: ${result.direction}`,
    `Verdict: ${palette.bold(paintVerdict(describeVerdict(result)))}`,
    `Unsafe rolling-update safety: ${listed('unsafe-release')}`,
    `Unknown rolling-update safety: ${listed('unknown-release')}`,
    `Minimum previous version: ${result.minPreviousVersion ?? 'none'}`,
    `Covered releases: ${list(result.coveredVersions)}`,
  ];
  if (result.requiredStops.length > 0) lines.push(`Required stops: ${result.requiredStops.join(', ')}`);
  if (result.missingRanges.length > 0) {
    lines.push(
      'Missing release-safety index coverage:',
      ...result.missingRanges.map((range) => `  - ${describeRange(range)}`),
    );
  }
  if (disagreements !== undefined) lines.push(...describeDisagreements(disagreements, { whole: verbose }));
  if (strip !== undefined) lines.push('', ...strip);
  const disagree = disagreements !== undefined && disagreements.length > 0;
  lines.push(
    '',
    ...describeAnswers(result, disagree),
    ...(instance === undefined ? [] : linesOfAnswer(instance)),
    judgedByLine(judgedBy),
    ...whyAndNext(
      [...result.reasons, ...(disagreements ?? [])].map(({ kind }) => kind),
      instance?.answer === 'no'
        ? decisionWords.stop.next
        : nextOfCheck(result, options.latestVersion, disagree),
    ),
  );
  return `${lines.join('\n')}\n`;
}

function describeDisagreements(
  disagreements: readonly ArtifactDisagreement[],
  { whole }: { readonly whole: boolean },
): string[] {
  if (disagreements.length === 0) return ['Artifact disagreements: none'];
  const lines = disagreements.map(describeDisagreement);
  const shown = whole ? lines : capped(lines, longestList, ' (--verbose lists them)');
  return [`Artifact disagreements: ${lines.length}`, ...shown.map((line) => `  - ${line}`)];
}

function describeAnswers(result: SpanResult, disagree: boolean): string[] {
  const [direct, rolling] = answersOfSpan(
    result,
    (kind, { length }) => `${countOf(length, 'release is', 'releases are')} ${kind}`,
    disagree ? ['index and artifacts do not agree, so neither is proven'] : [],
  );
  const { coveredVersions, missingRanges } = result;
  const released = { releases: coveredVersions.length, whole: missingRanges.length === 0 };
  const downtime = result.rolling ? '' : `: ${describeDowntime(released)}`;
  return [
    ...linesOfAnswer(direct),
    `${rolling.question}: ${rolling.answer} (strategy ${strategyFor(result.rolling)}${downtime})`,
    ...rolling.why.map((line) => `  - ${line}`),
  ];
}
