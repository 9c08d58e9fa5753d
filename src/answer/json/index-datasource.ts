import type { IndexEntry } from '../../release-safety/index-schema.js';
import type { ReleaseSafetyIndex } from '../../release-safety/release-safety-index.js';
import type { Version } from '../../release-safety/version.js';
import { renderDocument } from './document.js';
import type { IndexDatasourceResult } from './index-schemas.js';

/** The running version and the proven targets, in the form that Renovate reads from a custom datasource. */
export function renderIndexDatasource(
  { entries, generatedAt }: ReleaseSafetyIndex,
  { from, targets }: { readonly from: Version; readonly targets: readonly IndexEntry[] },
): string {
  const running = entries.find(({ version }) => version === from);
  return renderDocument<IndexDatasourceResult>({
    generatedAt,
    fromVersion: from,
    releases: [
      // In the list whether or not the index contains it: with rollbackPrs, Renovate rolls back a version that is
      // missing.
      running === undefined ? { version: from, changelogUrl: releaseNotesUrl(from) } : releaseOf(running),
      ...targets.map(releaseOf),
    ],
  });
}

const releaseOf = ({ version, releaseDate }: IndexEntry) => ({
  version,
  releaseTimestamp: releaseDate,
  changelogUrl: releaseNotesUrl(version),
});

/** Where the publisher has the notes of a release. */
const releaseNotesUrl = (version: Version) =>
  `https://github.com/lightdash/lightdash/releases/tag/${version}`;
