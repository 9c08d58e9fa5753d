import type { RenderedHop } from './deployment/hop-block.js';
import type { LeastDowntime } from './words/least-downtime.js';

/** What every form of a plan shows besides its route. */
export interface PlanDetails {
  /** The running version is not in the index, which should contain it. */
  readonly startIsNoRelease: boolean;
  /** The maximum number of hops for a yes; undefined if there is no limit. */
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined if not requested. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files with the scripts, one per hop. */
  readonly scripts: readonly string[] | undefined;
  /** Undefined if this is not the preference, or there is no route. */
  readonly leastDowntime?: LeastDowntime | undefined;
}
