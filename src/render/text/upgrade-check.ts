import { strategyFor } from '../../release-safety/deployment.js';
import type { ArtifactDisagreement, ReconciledSpanResult } from '../../release-safety/reconcile.js';
import { questionOf, type SpanResult } from '../../release-safety/span.js';
import { compareVersions } from '../../release-safety/version.js';
import type { Palette } from '../palette.js';
import { describeDisagreement } from './artifact-disagreement.js';
import { describeRange, describeReason, pointToExplain, reasonsOfKind } from './reasons.js';
import { renderStrip } from './strip.js';
import { longestList, renderVersionList } from './version-list.js';

export interface UpgradeCheckTextOptions {
  readonly palette: Palette;
  /** List every release, however many. */
  readonly verbose: boolean;
  /** Columns of the terminal; undefined where the output is no terminal, and then no strip is drawn. */
  readonly width: number | undefined;
  /** The newest release in the index. */
  readonly latestVersion: string;
}

/**
 * The answer for a person: the lines of the contract's text form, then what may be done and what to do next.
 */
export function renderUpgradeCheckText(
  result: SpanResult | ReconciledSpanResult,
  options: UpgradeCheckTextOptions,
): string {
  const disagreements = 'disagreements' in result ? result.disagreements : undefined;
  const disagree = disagreements !== undefined && disagreements.length > 0;
  const { palette, verbose, width } = options;
  const list = (versions: readonly string[]) => renderVersionList(versions, { whole: verbose });
  const paintVerdict = result.safe ? palette.good : palette.bad;

  const unsafe = reasonsOfKind(result.reasons, 'unsafe-release').map((reason) => reason.version);
  const unknown = reasonsOfKind(result.reasons, 'unknown-release').map((reason) => reason.version);

  const lines = [
    `Release safety check: ${result.fromVersion} -> ${result.toVersion}`,
    `Direction: ${result.direction}`,
    `Verdict: ${palette.strong(paintVerdict(result.safe ? 'SAFE' : 'UNSAFE'))}`,
    `Unsafe rolling-update safety: ${list(unsafe)}`,
    `Unknown rolling-update safety: ${list(unknown)}`,
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
  if (width !== undefined) lines.push('', ...renderStrip(result, palette, width));
  lines.push(
    '',
    ...describeJump(result, disagree),
    ...describeRolling(result, { unsafe: unsafe.length, unknown: unknown.length, disagree }),
    ...pointToExplain([...result.reasons, ...(disagreements ?? [])].map(({ kind }) => kind)),
    `Next: ${describeNextStep(result, options.latestVersion, disagree)}`,
  );
  return `${lines.join('\n')}\n`;
}

function describeDisagreements(
  disagreements: readonly ArtifactDisagreement[],
  { whole }: { readonly whole: boolean },
): string[] {
  if (disagreements.length === 0) return ['Artifact disagreements: none'];
  const shown = disagreements.slice(0, whole ? undefined : longestList);
  const hidden = disagreements.length - shown.length;
  return [
    `Artifact disagreements: ${disagreements.length}`,
    ...shown.map((disagreement) => `  - ${describeDisagreement(disagreement)}`),
    ...(hidden === 0 ? [] : [`  - and ${hidden} more (--verbose lists them)`]),
  ];
}

function describeJump({ jump, reasons, fromVersion }: SpanResult, disagree: boolean): string[] {
  if (jump === true) return ['Direct upgrade: yes'];
  const why = reasons.filter(({ kind }) => questionOf[kind] === 'jump');
  return [
    `Direct upgrade: ${jump === false ? 'no' : 'unknown'}`,
    ...why.map((reason) => `  - ${describeReason(reason, fromVersion)}`),
    ...(disagree ? [disagreementLine] : []),
  ];
}

const disagreementLine = '  - index and artifacts do not agree, so that neither is proven';

function describeRolling(
  result: SpanResult,
  { unsafe, unknown, disagree }: { unsafe: number; unknown: number; disagree: boolean },
): string[] {
  const strategy = strategyFor(result.rolling);
  if (result.rolling) return [`Rolling update: yes (strategy ${strategy})`];
  const lines = [`Rolling update: no (strategy ${strategy}, which means a short downtime)`];
  if (unsafe > 0) lines.push(`  - ${count(unsafe)} unsafe to roll (span rule 2)`);
  if (unknown > 0) lines.push(`  - ${count(unknown)} unknown, which counts as unsafe (span rule 1)`);
  if (result.missingRanges.length > 0)
    lines.push('  - the index does not cover the whole span (span rule 7)');
  if (disagree) lines.push(disagreementLine);
  return lines;
}

/** The one thing to do now; where several rules stand in the way, the one that must be met first. */
function describeNextStep(result: SpanResult, latestVersion: string, disagree: boolean): string {
  const { fromVersion, toVersion, reasons, missingRanges } = result;
  const hops = `lightspan upgrade-plan --from ${fromVersion} --to ${toVersion}`;
  if (result.safe) {
    if (result.direction === 'same-version') return `nothing; ${toVersion} is what runs.`;
    return `upgrade to ${toVersion} in one step, old and new pods may overlap (Helm: upgrade.mode=RollingUpdate).`;
  }
  const [belowFloor] = reasonsOfKind(reasons, 'below-index-floor');
  if (belowFloor?.floor === toVersion) {
    return `test the step on a copy, for no index covers it; then upgrade to ${toVersion} with Recreate, and let its migrations run.`;
  }
  if (belowFloor !== undefined) {
    return `upgrade to ${belowFloor.floor} first, with Recreate (no index covers that step); ${hops} lists the hops.`;
  }
  const absent = absentEnd(result);
  if (absent !== undefined) {
    return compareVersions(absent, latestVersion) > 0
      ? `wait until the index lists ${absent} (it ends at ${latestVersion}), or choose a release that it lists.`
      : `check the version: ${absent} is not a release in this index.`;
  }
  const [stop] = reasonsOfKind(reasons, 'required-stop')
    .map((reason) => reason.stop)
    .sort(compareVersions);
  if (stop === toVersion) {
    return `go as ${hops} says; ${stop} is a stop itself, so let its migrations run before a later release.`;
  }
  if (stop !== undefined) return `upgrade to ${stop} first, let its migrations run; ${hops} lists the hops.`;
  const [minimum] = reasonsOfKind(reasons, 'below-minimum-version');
  if (minimum !== undefined)
    return `upgrade to ${minimum.minimum} or a later release first; ${hops} lists the hops.`;
  if (missingRanges.length > 0) {
    return `get a complete index; with this one nothing certifies the step from ${fromVersion} to ${toVersion}.`;
  }
  const otherwise = disagree ? 'check again later, when index and artifacts may agree; or ' : '';
  return (
    `${otherwise}back up the database, plan a short downtime, and stop the old pods before the new ones start ` +
    '(Helm: upgrade.mode=Recreate; docker compose: down, change the tag, up).'
  );
}

/** The end of the span that the index does not hold; the start, where it holds neither. */
function absentEnd({
  fromVersion,
  toVersion,
  coveredVersions,
  missingRanges,
}: SpanResult): string | undefined {
  if (missingRanges.some((range) => range.afterVersion === range.beforeVersion)) return fromVersion;
  const reached = coveredVersions.at(-1) ?? fromVersion;
  return reached === toVersion ? undefined : toVersion;
}

function count(releases: number): string {
  return `${releases} ${releases === 1 ? 'release is' : 'releases are'}`;
}
