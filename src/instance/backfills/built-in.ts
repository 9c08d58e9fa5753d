import builtIn from './built-in.json' with { type: 'json' };
import type { Backfills } from './records.js';

/** `backfills/records.yaml`. `npm run generate -- backfills` checks it when it writes it here: no schema is loaded for it. */
export const { records: backfills } = builtIn as unknown as Backfills;
