import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import type { ArtifactFault } from '../release-safety/reconcile.js';
import type { ArtifactSource } from './artifact-source.js';
import { loadArtifact } from './artifacts.js';
import { inParallel } from './in-parallel.js';
import { describeFileFault } from './local-file.js';
import {
  artifactFolder,
  artifactPath,
  indexPath,
  type Mirror,
  nextSumsPath,
  openSums,
  sumsPath,
} from './mirror.js';
import { sha256 } from './sha256.js';

export interface MirrorRequest {
  readonly folder: string;
  /** The bytes of an index that was found whole. */
  readonly index: Uint8Array;
  /** The releases whose artifacts the mirror is to hold. What it holds of others stays. */
  readonly versions: readonly string[];
  readonly source: ArtifactSource;
  /** The most to read of a file that the mirror holds. */
  readonly maxBytes: number;
  readonly now: Date;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface WrittenMirror {
  /** How many artifacts it holds now, and how many of them are new. */
  readonly artifacts: number;
  readonly fetched: number;
  /** The releases asked for that it has no artifact of, and why. */
  readonly faults: ReadonlyMap<string, ArtifactFault>;
}

/**
 * Writes a mirror, or brings one up to date: what it holds and is whole is not fetched again.
 *
 * An artifact is renamed into its place as soon as it is whole, and is no part of the mirror until the sums list it.
 * The sums of the new index are in place before it is, so that a run that ends at any moment leaves a mirror that
 * reads as whole: the last one, or this one.
 *
 * @throws {LightspanError} `unreadable-source` where the folder cannot be written
 */
export async function writeMirror(request: MirrorRequest): Promise<WrittenMirror> {
  const { folder, index, versions, source, onProgress } = request;
  try {
    await mkdir(join(folder, artifactFolder), { recursive: true });
    await removeAbandonedStages(folder, request.now);
    const stage = await mkdtemp(join(folder, stagePrefix));
    try {
      const held = await verifiedArtifacts(folder, request.maxBytes);
      const sums = new Map(held);
      const faults = new Map<string, ArtifactFault>();
      let done = 0;
      await inParallel(versions, async (version) => {
        const path = artifactPath(version);
        if (!held.has(path)) {
          const loaded = await loadArtifactOf(version, source);
          if (loaded.kind === 'artifact') {
            await place(folder, stage, path, loaded.bytes);
            sums.set(path, sha256(loaded.bytes));
          } else faults.set(version, loaded);
        }
        onProgress?.(++done, versions.length);
      });
      sums.set(indexPath, sha256(index));
      await place(folder, stage, nextSumsPath, formatSums(sums));
      await place(folder, stage, indexPath, index);
      await rename(join(folder, nextSumsPath), join(folder, sumsPath));
      return { artifacts: sums.size - 1, fetched: sums.size - 1 - held.size, faults };
    } finally {
      await rm(stage, { recursive: true, force: true });
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new LightspanError(
      'unreadable-source',
      `cannot write the mirror ${folder}: ${describeFileFault(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** An artifact under another release's name would be taken for that release's. */
async function loadArtifactOf(version: string, source: ArtifactSource): ReturnType<typeof loadArtifact> {
  const loaded = await loadArtifact(version, source);
  if (loaded.kind !== 'artifact' || loaded.artifact.version === version) return loaded;
  return {
    kind: 'invalid-artifact',
    message: `${source.locate(version)} is the artifact of ${loaded.artifact.version}`,
  };
}

/** The artifacts of the mirror as it stands that are the files it lists; anything else in it is written anew. */
async function verifiedArtifacts(folder: string, maxBytes: number): Promise<Map<string, string>> {
  const verified = new Map<string, string>();
  const mirror = await openIfMirror(folder, maxBytes);
  if (mirror === undefined) return verified;
  const artifacts = [...mirror.sums].filter(([path]) => path !== indexPath);
  await inParallel(artifacts, async ([path, digest]) => {
    const bytes = await mirror.read(path).catch(ignoreRefusal);
    if (bytes !== undefined) verified.set(path, digest);
  });
  return verified;
}

async function openIfMirror(folder: string, maxBytes: number): Promise<Mirror | undefined> {
  return openSums(folder, maxBytes).catch(ignoreRefusal);
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof LightspanError)) throw error;
  return undefined;
}

/** Writes a file aside, down to the disk, and renames it into its place. */
async function place(
  folder: string,
  stage: string,
  path: string,
  content: Uint8Array | string,
): Promise<void> {
  const aside = join(stage, sha256(Buffer.from(path)));
  const file = await open(aside, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, join(folder, path));
}

/** As `sha256sum` writes them, in an order of their own. */
function formatSums(sums: ReadonlyMap<string, string>): string {
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');
}

const stagePrefix = '.lightspan-writing-';
/** With the six characters of `mkdtemp`. */
const stageName = /^\.lightspan-writing-[A-Za-z0-9]{6}$/;
const dayMs = 86_400_000;

/** What runs that were killed left behind; one that is under way is younger than a day. */
async function removeAbandonedStages(folder: string, now: Date): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !stageName.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}
