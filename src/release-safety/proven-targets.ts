import type { IndexEntry } from './index-schema.js';
import type { ReleaseSafetyIndex } from './parse-index.js';
import { evaluateSpan, firstNewerThan } from './span.js';
import type { Version } from './version.js';

/** The releases that are proven safe to roll to from a version in one step, oldest first. */
export function findProvenTargets(index: ReleaseSafetyIndex, from: Version): readonly IndexEntry[] {
  const targets: IndexEntry[] = [];
  for (const entry of index.entries.slice(firstNewerThan(index.entries, from))) {
    const { safe, verdict } = evaluateSpan(index, { from, to: entry.version });
    if (safe) targets.push(entry);
    // Verdicts compose by AND: no longer span is true again. But a stop or an issue may apply to this landing alone.
    if (verdict !== true) break;
  }
  return targets;
}
