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

/**
 * What the facts of an instance say to an answer about releases: only a stop is a no there.
 *
 * @param stops those of its findings; a route settles others
 */
export function answerOfInstance({ checks, counts }: Preflight, stops: readonly FindingFields[]): Answer {
  const stopping = new Set(stops.map(({ check }) => check));
  const settled = checks.filter(({ id, status }) => status === 'stop' && !stopping.has(id));
  const open = checks.some(({ canStop, whole }) => canStop && !whole);
  const answer = stops.length > 0 ? 'no' : open ? 'unknown' : 'yes';
  return {
    question: 'Preflight',
    answer,
    why: [
      ...linesOfStops(stops),
      ...(settled.length === 0 ? [] : [`the route settles ${settled.map(({ id }) => id).join(' and ')}`]),
      describeCounts(counts),
      ...(answer === 'unknown' ? ['not everything that can stop the upgrade was checked'] : []),
    ],
  };
}
