import { writeFileSync } from 'node:fs';
import { backfillsFile, builtInBackfills } from './built-in-backfills.js';

/** Writes the backfills that are built in anew: `npm run generate -- backfills`. A test fails where they differ from the source. */
writeFileSync(backfillsFile, builtInBackfills());
