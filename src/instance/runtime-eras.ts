import { compareVersions, requireVersion, type Version } from '../release-safety/version.js';
import { startsOnNewerDatabase } from '../release-safety/way-back.js';

/** The first release with each part of the upgrade machinery. */
export const firstWith = {
  /** An image with pnpm in place of yarn, for good (#13258; without yarn already from 0.1446.0 to 0.1447.1). */
  noYarn: requireVersion('0.1456.1'),
  /** `migration_lease`, and `migrate up`, `status`, `wait` and `unlock`. */
  lease: startsOnNewerDatabase,
  /** `migrate preflight`, which every start of a migration runs first. */
  startCheck: requireVersion('1.125.0'),
  /** `/api/v1/readyz`, which fails during a park. */
  readyz: requireVersion('1.129.0'),
  /** A start check that no longer aborts on `minPreviousVersion` (PR#27219). */
  startCheckWithoutMinimum: requireVersion('1.134.1'),
  /** `/api/v1/readyz` stays ready during a park, and warns. */
  readyzWarns: requireVersion('1.169.1'),
  /** The start check of an older image no longer takes back-dated migrations of a newer one for a divergence. */
  startOnBackDated: requireVersion('1.259.1'),
} as const;

export function isOlder(version: Version, than: Version): boolean {
  return compareVersions(version, than) < 0;
}
