import type { Preflight } from '../../preflight/preflight-of.js';
import type { FindingFields } from '../json/answer-schemas.js';
import { decisionWords, describeCounts } from '../words/decisions.js';
import type { Answer } from '../words/questions.js';

/** What stops an upgrade, one line each, with what to do about it. What several checks say alike is said once. */
export function linesOfStops(stops: readonly FindingFields[]): string[] {
  const lines = stops.flatMap(({ check, description, remedy }) => [
    `${decisionWords.stop.label}: ${check}: ${description}`,
    ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
  ]);
  return [...new Set(lines)];
}

/** What the facts of an instance say to an answer about releases: only a stop is a no there. */
export function answerOfInstance({ checks, counts }: Preflight, stops: readonly FindingFields[]): Answer {
  const open = checks.some(({ canStop, whole }) => canStop && !whole);
  return {
    question: 'Preflight',
    answer: stops.length > 0 ? 'no' : open ? 'unknown' : 'yes',
    why: [
      ...linesOfStops(stops),
      `${describeCounts(counts)}${open && stops.length === 0 ? `. ${decisionWords['not-known'].meaning}` : ''}`,
    ],
  };
}
