import type { Horizon } from './records.js';

/** Whether somebody looked for known issues so recently. Where none count, or a date is none, nobody did. */
export function isLookedOver(horizon: Horizon | undefined, withinMs: number, now: Date): boolean {
  return horizon !== undefined && now.getTime() - Date.parse(horizon.asOf) <= withinMs;
}
