import type { TimeRange } from '../preflight/forecast/range.js';
import type { Route } from '../release-safety/route.js';
import type { ToldHop } from '../release-safety/way-back.js';

/** A hop of a route, and what is told of it beside its verdict. */
export interface ShownHop extends ToldHop {
  /** How long its migrations take, lock waits left out; undefined where no database tells. */
  readonly time?: TimeRange | undefined;
}

export interface ShownRoute extends Omit<Route, 'hops'> {
  readonly hops: readonly ShownHop[];
}

/** What is told of a hop beside its verdict, where anything is. */
export type ToldOfHop = Partial<Pick<ShownHop, 'time' | 'wayBack'>>;
