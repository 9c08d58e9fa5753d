import { LightspanError } from '../errors.js';
import { artifactPath, openSums } from './mirror.js';

/** Where the publisher attaches the artifact of a release. */
export const publicArtifactUrl =
  'https://github.com/lightdash/lightdash/releases/download/{version}/release-safety.json';

/** A place that has artifacts. */
export interface ArtifactSource {
  /** Where the artifact of a release is, for messages: a URL, or a file of a mirror. */
  readonly locate: (version: string) => string;
  /**
   * @returns undefined where the source says that it has none
   * @throws {LightspanError} where it cannot be had
   */
  readonly read: (version: string) => Promise<FoundArtifact | undefined>;
}

export interface FoundArtifact {
  readonly bytes: Uint8Array;
  /** Keeps it in the cache; called once the artifact is known to be good. */
  readonly keep?: () => void;
}

/** Artifacts at the URL that a template with `{version}` makes of each release. */
export function artifactsByUrl(
  template: string,
  fetchUrl: (url: URL) => Promise<FoundArtifact>,
): ArtifactSource {
  requireTemplate(template);
  const urlOf = (version: string) => new URL(template.replaceAll('{version}', version));
  return {
    locate: (version) => {
      const { origin, pathname, search } = urlOf(version);
      return `${origin}${pathname}${search}`;
    },
    read: async (version) => {
      try {
        return await fetchUrl(urlOf(version));
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
 * @throws {LightspanError} `unreadable-source` or `untrusted-mirror`
 */
export async function artifactsInMirror(folder: string): Promise<ArtifactSource> {
  const mirror = await openSums(folder);
  return {
    locate: (version) => `${folder}/${artifactPath(version)}`,
    read: async (version) => {
      const bytes = await mirror.read(artifactPath(version));
      return bytes && { bytes };
    },
  };
}

/** Whether a source is written as a URL, and not as the path of a folder. */
export function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

function requireTemplate(template: string): void {
  const example = template.replaceAll('{version}', '1.0.0');
  const url = URL.canParse(example) ? new URL(example) : undefined;
  if (template !== example && (url?.protocol === 'https:' || url?.protocol === 'http:')) return;
  throw new LightspanError('usage', `${template} is not an address that artifacts can be fetched from`, {
    hint: `--artifact-url takes an http or https URL with {version} in it, such as ${publicArtifactUrl}, or a mirror folder.`,
  });
}
