import type { Verdict } from '../../release-safety/index-schema.js';
import { isChange, type PinCheck } from '../../release-safety/pin-change.js';
import type { FindingFields } from '../json/answer-schemas.js';
import { countOf } from '../phrase.js';
import { linesOfStops } from '../preflight/stops.js';
import { describePinFinding, remedyOfPin, summaryOfPins, whyOfPin } from '../words/pin-changes.js';
import { type GateAnswer, listReleases } from './answer.js';

/** One question for every pin that changed. */
export function gateAnswerOfPins(check: PinCheck<FindingFields>): GateAnswer {
  const changed = check.pins.filter(isChange);
  const questions = changed.map(({ file, path, finding, stops, passes }) => ({
    name: `${file}#${path.join('.')}`,
    yes: passes,
    why:
      finding.kind === 'proven'
        ? []
        : [describePinFinding(finding), ...whyOfPin(finding, listReleases), ...linesOfStops(stops)],
  }));
  return {
    title: `pin-check ${check.before.name} -> ${check.after.name}`,
    yes: check.passes,
    safe: check.safe,
    verdict: composeVerdict(check),
    strategy: check.safe ? 'RollingUpdate' : 'Recreate',
    hops: [],
    questions:
      questions.length > 0
        ? questions
        : [{ name: `No pin changes (${countOf(check.pins.length, 'pin')})`, yes: true, why: [] }],
    headline: summaryOfPins(check),
    places: changed
      .toSorted((a, b) => Number(a.passes) - Number(b.passes))
      .map(({ file, path, line, finding, stops, passes }) => ({
        file,
        line,
        yes: passes,
        title: path.join('.'),
        message: [
          describePinFinding(finding),
          ...whyOfPin(finding, listReleases),
          ...linesOfStops(stops),
          ...(passes ? [] : [remedyOfPin(finding)]),
        ].join('\n'),
      })),
  };
}

function composeVerdict({ pins, safe }: PinCheck): Verdict {
  if (safe) return true;
  return pins.some(({ finding }) => 'check' in finding && finding.check.verdict === false)
    ? false
    : 'unknown';
}
