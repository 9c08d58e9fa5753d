import { decisionWords } from '../../checks/decision.js';
import type { FindingFields } from '../json/answer-schemas.js';

/** What stops an upgrade, one line each, with what to do about it. What several checks say alike is said once. */
export function linesOfStops(stops: readonly FindingFields[]): string[] {
  const lines = stops.flatMap(({ check, description, remedy }) => [
    `${decisionWords.stop.label}: ${check}: ${description}`,
    ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
  ]);
  return [...new Set(lines)];
}
