import type { IndexAudit } from '../../release-safety/index-faults.js';
import type { Palette } from '../palette.js';
import { number } from '../phrase.js';
import { printable } from '../printable.js';
import { describeIndexFault } from '../words/index-faults.js';
import { pointToExplain } from '../words/next.js';

/**
 * Further faults are counted but not shown: nobody reads on, and a hostile index has a quarter of a million of them.
 */
export const mostShown = 1000;

/** The faults of an index by name, for a person. */
export function renderIndexVerifyText(
  { entries, faults, faultCount }: IndexAudit,
  { source, palette }: { readonly source: string; readonly palette: Palette },
): string {
  const verdict = faults.length === 0 ? palette.good('none') : palette.bad(String(faultCount));
  const shown = faults.slice(0, mostShown);
  const lines = [
    `Index: ${printable(source)}`,
    `Releases: ${entries}`,
    `Faults: ${verdict}`,
    ...shown.map((fault) => `  - ${palette.bold(fault.kind)}: ${describeIndexFault(fault)}`),
    ...(faultCount > shown.length ? [`  and ${number(faultCount - shown.length)} more`] : []),
    ...pointToExplain(shown.map(({ kind }) => kind)),
  ];
  return `${lines.join('\n')}\n`;
}
