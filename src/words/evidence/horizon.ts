import type { Horizon } from '../../known-issues/records.js';

/** How far the known issues reach: `known issues end at 1.156.0, as of 2026-11-27`. */
export function describeHorizon({ version, asOf }: Horizon): string {
  return `known issues end at ${version}, as of ${asOf}`;
}
