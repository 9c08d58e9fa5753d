import type { Horizon } from './records.js';

/** Whether anybody looked for known issues that recently. False if no record counts, or if a date is invalid. */
export function isLookedOver(horizon: Horizon | undefined, withinMs: number, now: Date): boolean {
  return horizon !== undefined && now.getTime() - Date.parse(horizon.asOf) <= withinMs;
}
