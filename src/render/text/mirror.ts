import type { ReleaseSafetyIndex } from '../../release-safety/index-schema.js';
import { printable } from '../printable.js';

export interface MirrorSummary {
  readonly folder: string;
  readonly index: ReleaseSafetyIndex;
  /** How many it holds, and how many of those are new. */
  readonly artifacts: number;
  readonly fetched: number;
}

/** What a mirror holds once it is written, for a person. */
export function renderMirrorText({ folder, index, artifacts, fetched }: MirrorSummary): string {
  return [
    `Mirror: ${printable(folder)}`,
    `Index: ${index.entries.length} releases, generated ${index.generatedAt}`,
    `Artifacts: ${artifacts}, ${fetched} of them new`,
    '',
  ].join('\n');
}
