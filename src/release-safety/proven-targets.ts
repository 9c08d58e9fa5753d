import type { IndexEntry } from './index-schema.js';
import type { ReleaseSafetyIndex } from './parse-index.js';
import { evaluateSpan, firstNewerThan } from './span.js';
import type { Version } from './version.js';

/** The releases that one step from a version is proven safe to roll to, oldest first. */
export function findProvenTargets(index: ReleaseSafetyIndex, from: Version): readonly IndexEntry[] {
  const targets: IndexEntry[] = [];
  for (const entry of index.entries.slice(firstNewerThan(index.entries, from))) {
    const { safe, verdict } = evaluateSpan(index, { from, to: entry.version });
    if (safe) targets.push(entry);
    // Verdicts compose by AND: no longer span is true again. A stop or an issue may hold of this landing alone.
    if (verdict !== true) break;
  }
  return targets;
}
