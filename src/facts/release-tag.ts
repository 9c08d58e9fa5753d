import { isVersion, type Version } from '../release-safety/version.js';
import type { ContainerFact, ImageFact } from './deployment-facts.js';

/** The tag of a release: `1.2.3`, optionally with a leading `v` and a suffix. */
export interface ReleaseTag {
  readonly version: Version;
  readonly suffix: string;
}

/**
 * Undefined if the tag does not name one release, such as `latest` or `1`. A suffix is of a variant of the release
 * (`-fips`), unless it is one of a pre-release, which comes before it, or of what was built between two releases.
 */
export function releaseTagOf({ tag }: Pick<ImageFact, 'tag'>): ReleaseTag | undefined {
  const [, version, suffix = ''] = /^v?(\d+[.]\d+[.]\d+)(?![.]\d)([-_.+].*)?$/i.exec(tag ?? '') ?? [];
  if (!isVersion(version) || suffix.split(/[-_.+]/).some((part) => ofAnotherBuild.test(part)))
    return undefined;
  return { version, suffix };
}

/** Words of pre-releases and branches, the hash of a commit, or a date. */
const ofAnotherBuild =
  /^(?:(?:alpha|beta|rc|pre|preview|prerelease|dev|snapshot|nightly|canary|edge|next|test|pr|main|master|sha|git)\d*|g?[\da-f]{7,40})$/i;

/** The release that a container runs; undefined if its image does not show it. */
export function versionOf({ image }: Pick<ContainerFact, 'image'>): Version | undefined {
  return releaseTagOf(image)?.version;
}
