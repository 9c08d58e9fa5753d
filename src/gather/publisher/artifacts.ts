import { join } from 'node:path';
import { parseReleaseArtifactText } from '../../core/artifact/artifact.js';
import type { ArtifactFault, ArtifactOutcome } from '../../core/artifact/reconcile.js';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import { inParallel } from '../files/in-parallel.js';
import { decodeUtf8 } from '../files/read-file.js';
import { describeUrl } from '../http/address.js';
import { requestOf } from '../http/request-details.js';
import { artifactPath, openSums } from './mirror.js';
import { artifactUrl } from './publisher-urls.js';

/** Loads the artifacts of releases. One that is missing or cannot be trusted is an outcome like any other. */
export async function loadArtifacts(
  versions: readonly string[],
  source: ArtifactSource,
  { onProgress }: { readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<Map<string, ArtifactOutcome>> {
  const outcomes = new Map<string, ArtifactOutcome>();
  await inParallel(versions, async (version) => {
    outcomes.set(version, await loadArtifact(version, source));
    onProgress?.(outcomes.size, versions.length);
  });
  return outcomes;
}

export async function loadArtifact(
  version: string,
  source: ArtifactSource,
): Promise<
  (Extract<ArtifactOutcome, { kind: 'artifact' }> & { readonly bytes: Uint8Array }) | ArtifactFault
> {
  const at = source.locate(version);
  try {
    const bytesFound = await source.read(version);
    if (bytesFound === undefined) return { kind: 'missing-artifact', message: `there is none at ${at}` };
    const { bytes, keep } = bytesFound;
    const artifact = parseReleaseArtifactText(decodeUtf8(bytes, 'the artifact'));
    if (artifact.version === version) keep?.();
    return { kind: 'artifact', artifact, bytes };
  } catch (error) {
    if (isInputError(error)) {
      return { kind: 'invalid-artifact', message: `${at}: ${error.message}` };
    }
    if (!(error instanceof LightspanError) || error.code === 'usage') throw error;
    const kind = error.code === 'untrusted-mirror' ? 'invalid-artifact' : 'unavailable-artifact';
    return { kind, message: error.message };
  }
}

export interface ArtifactSource {
  readonly locate: (version: string) => string;
  /** @returns undefined if the source states that it has none */
  readonly read: (version: string) => Promise<FoundArtifact | undefined>;
}

interface FoundArtifact {
  readonly bytes: Uint8Array;
  readonly keep?: () => void;
}

/** After this many failures of one kind in a row, no more requests go to a host: each may take its whole timeout. */
const giveUpAfter = 3;

export interface TimeLimitOfAll {
  readonly totalMs: number;
  readonly monotonicMs: () => number;
}

/** @param fetchUrl its second argument limits its time, in milliseconds; without it, the network's limit counts */
export function artifactsByUrl(
  template: string,
  fetchUrl: (url: URL, timeoutMs?: number) => Promise<FoundArtifact>,
  limit?: TimeLimitOfAll,
): ArtifactSource {
  const locate = (version: string) => describeUrl(artifactUrl(template, version));
  let endsAt: number | undefined;
  let failure: LightspanError | undefined;
  let inARow = 0;
  return {
    locate,
    read: async (version) => {
      if (failure !== undefined && inARow >= giveUpAfter) {
        const { code, summary, details } = failure;
        const why = `${locate(version)} was not requested, after ${giveUpAfter} failures in a row: ${summary}`;
        throw new LightspanError(code, why, { cause: failure, details });
      }
      const now = limit?.monotonicMs() ?? 0;
      endsAt ??= limit && now + limit.totalMs;
      const timeoutMs = endsAt && endsAt - now;
      if (limit !== undefined && timeoutMs !== undefined && timeoutMs <= 0) {
        const why = `--timeout ended after ${limit.totalMs / 1000} s`;
        throw new LightspanError('timeout', `${locate(version)} was not requested: ${why}`);
      }
      try {
        const fetched = await fetchUrl(artifactUrl(template, version), timeoutMs);
        inARow = 0;
        return fetched;
      } catch (error) {
        if (!(error instanceof LightspanError)) throw error;
        const status = requestOf(error)?.status;
        const isMissing = status === 404 || status === 410;
        const isSameKind = failure?.code === error.code && requestOf(failure)?.status === status;
        inARow = isMissing ? 0 : isSameKind ? inARow + 1 : 1;
        failure = error;
        if (isMissing) return undefined;
        throw error;
      }
    },
  };
}

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
