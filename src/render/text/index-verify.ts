import type { IndexAudit, IndexFault } from '../../release-safety/index-faults.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import { pointToExplain } from './reasons.js';

/** More are counted and not shown: nobody reads on, and a hostile index has a quarter of a million of them. */
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
    ...shown.map((fault) => `  - ${palette.strong(fault.kind)}: ${printable(describeFault(fault))}`),
    ...(faultCount > shown.length ? [`  and ${faultCount - shown.length} more`] : []),
    ...pointToExplain(shown.map(({ kind }) => kind)),
  ];
  return `${lines.join('\n')}\n`;
}

function describeFault(fault: IndexFault): string {
  switch (fault.kind) {
    case 'duplicate-key':
      return `an object holds the key ${JSON.stringify(fault.key)} twice`;
    case 'invalid-field':
      return `${fault.field}: ${fault.fault}`;
    case 'duplicate':
      return `${fault.version} stands in the index ${fault.positions.length} times, as ${describePositions(fault.positions)}`;
    case 'disorder':
      return `${fault.version} (entries[${fault.position}]) stands behind ${fault.after}, which is newer`;
    case 'gap':
      return `${fault.version} follows ${fault.before}, but names ${fault.previousVersion ?? 'no release'} as the release before it`;
    case 'unknown-stop':
      return `${fault.version} requires the stop ${fault.stop}, which is not in the index`;
    case 'later-stop':
      return `${fault.version} requires the stop ${fault.stop}, which is newer than itself`;
    case 'unknown-minimum':
      return `${fault.version} sets the minimum ${fault.minimum}, which is not in the index`;
    case 'later-minimum':
      return `${fault.version} sets the minimum ${fault.minimum}, which is not older than itself`;
    case 'floor-missing':
      return `the floor ${fault.floor} is not in the index`;
    case 'floor-not-marked':
      return `the floor ${fault.floor} is not marked (syntheticRequiredStop)`;
    case 'marked-beside-floor':
      return `${fault.version} is marked as the floor (syntheticRequiredStop), ${fault.floor === null ? 'and the index has none' : `which is ${fault.floor}`}`;
    case 'below-floor':
      return `${fault.version} is older than the floor ${fault.floor}`;
    case 'backfilled-true':
      return `${fault.version} is backfilled and true, which nothing bears out`;
    case 'date-backwards':
      return `${fault.version} is dated ${fault.releaseDate}, before ${fault.before} of ${fault.dateBefore}`;
    case 'dated-after-index':
      return `${fault.version} is dated ${fault.releaseDate}, after the index was generated (${fault.generatedAt})`;
  }
}

function describePositions(positions: readonly number[]): string {
  const shown = positions.slice(0, 10).map((position) => `entries[${position}]`);
  const more = positions.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
