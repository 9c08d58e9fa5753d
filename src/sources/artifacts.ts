import { LightspanError } from '../errors.js';
import { parseReleaseArtifactText, type ReleaseArtifact } from '../release-safety/artifact.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import type { ArtifactFault, ArtifactOutcome } from '../release-safety/reconcile.js';
import type { ArtifactSource } from './artifact-source.js';
import { decodeUtf8 } from './bytes.js';
import { inParallel } from './in-parallel.js';

export interface LoadOptions {
  /** Called whenever an artifact arrives or fails. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Loads the artifacts of releases, sixteen at a time. A missing artifact, or one that cannot be trusted, is an outcome
 * like any other. Every requested version has an outcome.
 *
 * @throws {LightspanError} `usage` if the source may not be used at all
 */
export async function loadArtifacts(
  versions: readonly string[],
  source: ArtifactSource,
  { onProgress }: LoadOptions = {},
): Promise<Map<string, ArtifactOutcome>> {
  const outcomes = new Map<string, ArtifactOutcome>();
  await inParallel(versions, async (version) => {
    outcomes.set(version, await loadArtifact(version, source));
    onProgress?.(outcomes.size, versions.length);
  });
  return outcomes;
}

/** An artifact and the bytes it was read from. */
export interface LoadedArtifact {
  readonly kind: 'artifact';
  readonly artifact: ReleaseArtifact;
  readonly bytes: Uint8Array;
}

/**
 * Loads the artifact of one release.
 *
 * @throws {LightspanError} `usage` if the source may not be used at all
 */
export async function loadArtifact(
  version: string,
  source: ArtifactSource,
): Promise<LoadedArtifact | ArtifactFault> {
  const at = source.locate(version);
  try {
    const found = await source.read(version);
    if (found === undefined) return { kind: 'missing-artifact', message: `there is none at ${at}` };
    const { bytes, keep } = found;
    const artifact = parseReleaseArtifactText(decodeUtf8(bytes, 'the artifact'));
    if (artifact.version === version) keep?.();
    return { kind: 'artifact', artifact, bytes };
  } catch (error) {
    if (error instanceof ReleaseSafetyError) {
      return { kind: 'invalid-artifact', message: `${at}: ${error.message}` };
    }
    if (!(error instanceof LightspanError) || error.code === 'usage') throw error;
    const kind = error.code === 'untrusted-mirror' ? 'invalid-artifact' : 'unavailable-artifact';
    return { kind, message: error.message };
  }
}
