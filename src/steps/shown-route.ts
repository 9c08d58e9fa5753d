import type { TimeRange } from '../instance/forecast/work.js';
import type { Route } from '../release-safety/route.js';
import type { HopWithWayBack } from '../release-safety/way-back.js';

/** A hop of a route, with what is shown of it besides its verdict. */
export interface ShownHop extends HopWithWayBack {
  /** How long its migrations take, without waits for locks; undefined without facts of a database. */
  readonly time?: TimeRange | undefined;
}

export interface ShownRoute extends Omit<Route, 'hops'> {
  readonly hops: readonly ShownHop[];
}

/** What is shown of a hop besides its verdict, if anything. */
export type HopDetails = Partial<Pick<ShownHop, 'time' | 'wayBack'>>;
