import { writeFileSync } from 'node:fs';
import { builtInReleases, releasesFile } from './built-in-releases.js';

/** Writes the list of releases that is built in anew: `npm run generate -- releases`. A test fails where it differs from the index. */
writeFileSync(releasesFile, builtInReleases());
