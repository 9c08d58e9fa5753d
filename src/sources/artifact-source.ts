import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { describeUrl } from '../http/address.js';
import { artifactUrl } from './artifact-url.js';
import { artifactPath, openSums } from './mirror.js';

/** A source of artifacts. */
export interface ArtifactSource {
  /** The place of a release's artifact, for messages: a URL, or a file of a mirror. */
  readonly locate: (version: string) => string;
  /**
   * @returns undefined if the source states that it has none
   * @throws {LightspanError} if it is unavailable
   */
  readonly read: (version: string) => Promise<FoundArtifact | undefined>;
}

export interface FoundArtifact {
  readonly bytes: Uint8Array;
  /** Stores it in the cache; called once the artifact is known to be valid. */
  readonly keep?: () => void;
}

/** Artifacts at the URLs that a template yields for each release. */
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
 * Artifacts in a mirror folder, each verified when it is read.
 *
 * @param maxBytes the maximum size of a file
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
