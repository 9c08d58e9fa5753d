import { isVersion, type Version } from '../release-safety/version.js';
import type { ContainerFact, ImageFact } from './deployment-facts.js';

/** The tag of a release: `1.2.3`, optionally with a leading `v` and a suffix. */
export interface ReleaseTag {
  readonly version: Version;
  readonly suffix: string;
}

/** Undefined if the tag does not name one release, such as `latest` or `1`. */
export function releaseTagOf({ tag }: Pick<ImageFact, 'tag'>): ReleaseTag | undefined {
  const [, version, suffix = ''] = /^v?(\d+[.]\d+[.]\d+)([-_.+].*)?$/i.exec(tag ?? '') ?? [];
  return isVersion(version) ? { version, suffix } : undefined;
}

/** The release that a container runs; undefined if its image does not show it. */
export function versionOf({ image }: Pick<ContainerFact, 'image'>): Version | undefined {
  return releaseTagOf(image)?.version;
}
