import type { CountedBy, RecreateWork } from '../preflight/forecast/recreate-work.js';
import type { RenderedHop } from './deployment/hop-block.js';

/** What every form of a plan is told beside its route. */
export interface PlanDetails {
  /** The version that runs is none of the index, which ought to hold it. */
  readonly startIsNoRelease: boolean;
  /** The most hops that the answer may have to be a yes; undefined where any number will do. */
  readonly maxHops: number | undefined;
  /** What to do for each hop; undefined where it was not asked for. */
  readonly renderedHops: readonly RenderedHop[] | undefined;
  /** The files that hold the scripts, a hop each. */
  readonly scripts: readonly string[] | undefined;
  /** Undefined where that is not preferred, or no route leads there. */
  readonly leastDowntime?: LeastDowntime | undefined;
}

/** What a route of least downtime leaves to Recreate hops, and what the one with the fewest hops would. */
export interface LeastDowntime {
  readonly countedBy: CountedBy;
  readonly chosen: RecreateWork;
  readonly fewestHops: RecreateWork;
}
