import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { describeUrl } from '../http/address.js';
import { artifactUrl } from './artifact-url.js';
import { artifactPath, openSums } from './mirror.js';

/** A place that has artifacts. */
export interface ArtifactSource {
  /** Where the artifact of a release is, for messages: a URL, or a file of a mirror. */
  readonly locate: (version: string) => string;
  /**
   * @returns undefined where the source says that it has none
   * @throws {LightspanError} where it is unavailable
   */
  readonly read: (version: string) => Promise<FoundArtifact | undefined>;
}

export interface FoundArtifact {
  readonly bytes: Uint8Array;
  /** Keeps it in the cache; called once the artifact is known to be good. */
  readonly keep?: () => void;
}

/** Artifacts at the URL that a template makes of each release. */
export function artifactsByUrl(
  template: string,
  fetchUrl: (url: URL) => Promise<FoundArtifact>,
): ArtifactSource {
  return {
    locate: (version) => describeUrl(artifactUrl(template, version)),
    read: async (version) => {
      try {
        return await fetchUrl(artifactUrl(template, version));
      } catch (error) {
        if (error instanceof LightspanError && (error.status === 404 || error.status === 410))
          return undefined;
        throw error;
      }
    },
  };
}

/**
 * Artifacts in a mirror folder, each verified as it is read.
 *
 * @param maxBytes the most to read of a file
 * @throws {LightspanError} `unreadable-source`, `untrusted-mirror` or `too-large`
 */
export async function artifactsInMirror(folder: string, maxBytes: number): Promise<ArtifactSource> {
  const mirror = await openSums(folder, maxBytes);
  return {
    locate: (version) => join(folder, artifactPath(version)),
    read: async (version) => {
      const bytes = await mirror.read(artifactPath(version));
      return bytes && { bytes };
    },
  };
}
