import type { Entry } from '../entries.js';
import type { FoundPin } from '../found-pin.js';

/** One side of a touched file: what stands in it, and its pins. */
export interface SideOfFile {
  readonly entries: readonly Entry[];
  readonly pins: readonly FoundPin[];
}

/** Whether something pins Lightdash there; pins of other programs are among those of a pattern with a `*`. */
export function hasPins({ pins }: Pick<SideOfFile, 'pins'>): boolean {
  return pins.some(({ isOther }) => !isOther);
}

export interface SidesOfFile {
  readonly was: SideOfFile;
  readonly is: SideOfFile;
  /** Whether nothing but the versions of pins differs: then what else stands there was not read. */
  readonly differInPinsAlone: boolean;
}

/** A move of a pin, which is judged: what moves in the same way beside it is judged with it. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Calls a function for both sides of a change, 0 before and 1 after, and gives both results. */
export function ofBoth<T>(read: (side: 0 | 1) => T): readonly [T, T] {
  return [read(0), read(1)];
}
