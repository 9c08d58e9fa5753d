import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { IndexMirrorResult } from '../json/index-result-schemas.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';

/** The content of a mirror after it was written, for a person. */
export function renderMirrorText(
  mirror: Pick<
    DeepReadonly<IndexMirrorResult>,
    'folder' | 'generatedAt' | 'releases' | 'knownIssues' | 'artifacts' | 'fetched'
  >,
): string {
  const { folder, generatedAt, releases, knownIssues, artifacts, fetched } = mirror;
  return [
    `Mirror: ${printable(folder)}`,
    `Index: ${countOf(releases, 'release')}, generated ${generatedAt}`,
    `Known issues: ${knownIssues}`,
    `Artifacts: ${artifacts}, ${fetched} of them new`,
    '',
  ].join('\n');
}
