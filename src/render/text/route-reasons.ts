import type { RouteBlock, RouteHop } from '../../release-safety/route.js';
import { describeHole, describeUnknown } from './reasons.js';

/** Why a hop lands where it lands, short enough for a table. */
export function describeLanding({ reason, demandedBy }: RouteHop): string {
  switch (reason) {
    case 'target':
      return 'the target';
    case 'index-floor':
      return 'the index floor';
    case 'required-stop':
      return `required stop of ${shorten(demandedBy)}`;
    case 'minimum-previous-version':
      return `minimum of ${shorten(demandedBy)}`;
  }
}

/** What stands in the way of a route, without a full stop. */
export function describeBlock(block: RouteBlock): string {
  const { version } = block;
  switch (block.kind) {
    case 'missing-coverage':
      return block.range.afterVersion === block.range.beforeVersion
        ? `${describeHole(block.range)} (span rule 7)`
        : `${version}: ${describeHole(block.range)} (span rule 7)`;
    case 'required-stop':
      return `${version}: the stop ${block.stop} must be installed on the way, required by ${shorten(block.demandedBy)}, and the index does not hold it (span rule 3)`;
    case 'below-index-floor':
      return `${version}: the index floor ${block.floor} must be installed first, and the index does not hold it (span rule 5)`;
    case 'below-minimum-version':
      return `${version} may be jumped to from ${block.minimum} or later only, and no release before it is (span rule 4)`;
    case 'unsafe-release':
      return `${version} is unsafe to roll (span rule 2)`;
    case 'unknown-release':
      return `${version} is ${describeUnknown(block)}`;
  }
}

function shorten([first, ...others]: readonly string[]): string {
  if (first === undefined) return 'the index';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
