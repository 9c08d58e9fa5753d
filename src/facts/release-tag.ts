import { isVersion, type Version } from '../release-safety/version.js';
import type { ContainerFact, ImageFact } from './deployment-facts.js';

/** The tag of a release: `1.2.3`, perhaps with a `v` before it and a suffix behind it. */
export interface ReleaseTag {
  readonly version: Version;
  readonly suffix: string;
}

/** Undefined where the tag is not that of one release, such as `latest` or `1`. */
export function releaseTagOf({ tag }: Pick<ImageFact, 'tag'>): ReleaseTag | undefined {
  const [, version, suffix = ''] = /^v?(\d+[.]\d+[.]\d+)([-_.+].*)?$/i.exec(tag ?? '') ?? [];
  return isVersion(version) ? { version, suffix } : undefined;
}

/** The release that a container runs; undefined where its image does not tell. */
export function versionOf({ image }: Pick<ContainerFact, 'image'>): Version | undefined {
  return releaseTagOf(image)?.version;
}
