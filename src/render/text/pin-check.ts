import { isChange, type JudgedPin, type PinCheck } from '../../release-safety/pin-change.js';
import type { Version } from '../../release-safety/version.js';
import type { FindingFields } from '../json/answer-schemas.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { linesOfStops } from '../preflight/stops.js';
import { printable } from '../printable.js';
import { decisionWords } from '../words/decisions.js';
import { type JudgedBy, judgedByLine } from '../words/judged-by.js';
import { nextOfCheck, pointToExplain } from '../words/next.js';
import { describePinFinding, remedyOfPin, summaryOfPins, whyOfPin } from '../words/pin-changes.js';

export interface PinCheckTextOptions {
  readonly palette: Palette;
  /** Whether to list unchanged pins too, and every release. */
  readonly verbose: boolean;
  /** The newest release in the index; undefined if the index was not read. */
  readonly latestVersion: Version | undefined;
  readonly judgedBy: JudgedBy;
}

/** The answer for a person, beginning with what is a no, and what to do about it. */
export function renderPinCheckText(check: PinCheck<FindingFields>, options: PinCheckTextOptions): string {
  const { palette, verbose, judgedBy } = options;
  const { before, after, pins, passes } = check;
  const shown = pins.filter((pin) => verbose || isChange(pin));
  const verdict = passes ? palette.good('yes') : palette.bad('no');
  const lines = [
    `Pin check: ${describeSide(before)} -> ${describeSide(after)}`,
    ...shown
      .toSorted((a, b) => Number(a.passes) - Number(b.passes))
      .flatMap((pin) => describePin(pin, options)),
    `Answer: ${palette.bold(verdict)} (${summaryOfPins(check)})`,
    judgedByLine(judgedBy),
    ...pointToExplain(shown.filter((pin) => !pin.passes).map(({ finding }) => finding.kind)),
  ];
  return `${lines.join('\n')}\n`;
}

function describeSide({ name, commit }: PinCheck['before']): string {
  return printable(commit === undefined || name === commit ? name : `${name} (${commit.slice(0, 12)})`);
}

function describePin(
  pin: JudgedPin<FindingFields>,
  { palette, latestVersion }: PinCheckTextOptions,
): string[] {
  const { file, path, line, previousFile, finding, stops, passes } = pin;
  const place = `${file}${line === undefined ? '' : `:${line}`} ${path.join('.')}`;
  const renamed = previousFile === undefined ? '' : `, renamed from ${previousFile}`;
  const list = (kind: string, { length }: readonly string[]) =>
    `${countOf(length, 'release is', 'releases are')} ${kind}`;
  const disagree =
    'check' in finding && 'disagreements' in finding.check && finding.check.disagreements.length > 0;
  const next =
    stops.length > 0
      ? decisionWords.stop.next
      : finding.kind === 'not-proven' && latestVersion !== undefined
        ? nextOfCheck(finding.check, latestVersion, disagree)
        : remedyOfPin(finding);
  const text = `${place}${renamed}: ${describePinFinding(finding)}`;
  return [
    `${passes ? palette.good('yes') : palette.bad('no ')}  ${printable(text)}`,
    ...[...whyOfPin(finding, list), ...linesOfStops(stops)].map((line) => `     - ${printable(line)}`),
    ...(passes ? [] : [`     Next: ${printable(next)}`]),
  ];
}
