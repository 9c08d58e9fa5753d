import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LightspanError } from '../errors.js';
import type { ArtifactFault } from '../release-safety/reconcile.js';
import type { Version } from '../release-safety/version.js';
import { type ArtifactSource, loadArtifact } from './artifacts.js';
import { inParallel } from './in-parallel.js';
import {
  artifactFolder,
  artifactPath,
  indexPath,
  knownIssuesPath,
  type Mirror,
  openSums,
  readKnownIssues,
  sumsPath,
} from './mirror.js';
import { describeFileFault, hasErrorCode } from './read-file.js';
import { sha256 } from './sha256.js';
import { beginFile, ifInterrupted, isNameAside, type NewFile, removeLeftovers } from './write-file.js';

export interface MirrorRequest {
  readonly folder: string;
  /** The bytes of a valid index. */
  readonly index: Uint8Array;
  /**
   * Makes a set of records, in the form of `formatKnownIssues`, from what the mirror contains. No other process changes
   * the mirror meanwhile. If it throws, the mirror stays as it is.
   */
  readonly knownIssues: (held: HeldFiles) => string | Promise<string>;
  /** The releases whose artifacts the mirror must contain. Its artifacts of other releases stay. */
  readonly versions: readonly Version[];
  readonly source: ArtifactSource;
  /** The maximum size of a file in the mirror. */
  readonly maxBytes: number;
  readonly now: Date;
  readonly onProgress?: (done: number, total: number) => void;
  /** Told of what a killed run had left, and is removed. */
  readonly onRemoved: (path: string) => void;
}

/** The content of a mirror, as far as it exists and matches the sums. */
export interface HeldFiles {
  readonly index: Uint8Array | undefined;
  readonly knownIssues: Uint8Array | undefined;
}

export interface WrittenMirror {
  /** How many artifacts it contains now, and how many of them are new. */
  readonly artifacts: number;
  readonly fetched: number;
  /** The requested releases without an artifact, and why. */
  readonly faults: ReadonlyMap<Version, ArtifactFault>;
}

/**
 * Writes a mirror, or updates one: valid files in it are not fetched again.
 *
 * An artifact is renamed into its place as soon as it is complete, and is not part of the mirror until the sums list
 * it. Known issues, index and sums are complete on the disk before the first of them is renamed, at the end and without
 * a pause. A run that is killed leaves the previous mirror, this one, or one whose sums do not match and that is refused.
 *
 * @throws {LightspanError} `usage` if the folder contains something else; `unwritable-output` if it cannot be written,
 *   or another process writes it; if there are known issues that cannot be trusted, the errors of reading them
 */
export async function writeMirror(request: MirrorRequest): Promise<WrittenMirror> {
  const { folder } = request;
  try {
    await openExisting(request);
    mkdirSync(join(folder, artifactFolder), { recursive: true });
    const lock = lockFolder(request);
    try {
      return await update(request, lock.requireHeld);
    } finally {
      lock.unlock();
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new LightspanError(
      'unwritable-output',
      `cannot write the mirror ${folder}: ${describeFileFault(error)}`,
      { cause: error },
    );
  }
}

/** The folder that exists while a process writes the mirror. */
const lockName = '.lightspan-lock';
/** Whoever holds the lock keeps touching it. One that was not touched for a minute was left by a killed run. */
const touchEveryMs = 5000;
const staleAfterMs = 60_000;

/**
 * Locks the folder against other processes, on this machine or another: if several try, `mkdir` succeeds for one.
 *
 * @returns what throws if another process took the lock, as it may while this machine sleeps, and what unlocks
 */
function lockFolder({ folder, onRemoved }: MirrorRequest) {
  const path = join(folder, lockName);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > staleAfterMs) {
    rmSync(path, { recursive: true, force: true });
    onRemoved(path);
  }
  const isOfAnother = () =>
    new LightspanError('unwritable-output', `the mirror ${folder} is being written by another process`, {
      hint: `Run again when it has ended. If it was killed, its lock is dropped after a minute, or now if you remove ${path}.`,
    });
  const mark = join(path, crypto.randomUUID());
  try {
    mkdirSync(path);
    mkdirSync(mark);
  } catch (error) {
    throw hasErrorCode(error, 'EEXIST') ? isOfAnother() : error;
  }
  const isHeld = () => existsSync(mark);
  const remove = () => {
    if (isHeld()) rmSync(path, { recursive: true, force: true });
  };
  const interruption = ifInterrupted(remove);
  const touching = setInterval(() => {
    if (isHeld()) utimesSync(path, new Date(), new Date());
  }, touchEveryMs).unref();
  return {
    requireHeld: () => {
      if (!isHeld()) throw isOfAnother();
    },
    unlock: () => {
      clearInterval(touching);
      remove();
      interruption.done();
    },
  };
}

async function update(request: MirrorRequest, requireHeld: () => void): Promise<WrittenMirror> {
  const { folder, index, versions, source, onProgress, onRemoved } = request;
  for (const path of ['', artifactFolder]) {
    removeLeftovers(join(folder, path), request.now.getTime(), onRemoved);
  }
  const mirror = await openExisting(request);
  const knownIssues = await request.knownIssues({
    index: await mirror?.read(indexPath).catch(ignoreRefusal),
    knownIssues: mirror && (await heldKnownIssues(mirror)),
  });
  const held = await verifiedArtifacts(mirror);
  const sums = new Map(held);
  const faults = new Map<Version, ArtifactFault>();
  let done = 0;
  await inParallel(versions, async (version) => {
    const path = artifactPath(version);
    if (!held.has(path)) {
      const loaded = await loadArtifactOf(version, source);
      if (loaded.kind === 'artifact') {
        await place(folder, [[path, loaded.bytes]]);
        sums.set(path, sha256(loaded.bytes));
      } else faults.set(version, loaded);
    }
    onProgress?.(++done, versions.length);
  });
  const artifacts = sums.size;
  sums.set(indexPath, sha256(index)).set(knownIssuesPath, sha256(Buffer.from(knownIssues)));
  requireHeld();
  await place(folder, [
    [indexPath, index],
    [knownIssuesPath, knownIssues],
    [sumsPath, formatSums(sums)],
  ]);
  return { artifacts, fetched: artifacts - held.size, faults };
}

/** Unlike the rest, they may exist nowhere else, so nothing replaces what cannot be read. */
async function heldKnownIssues(mirror: Mirror): Promise<Uint8Array | undefined> {
  try {
    return await readKnownIssues(mirror);
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    throw new LightspanError(error.code, error.message, {
      hint: `Restore its previous ${knownIssuesPath} and ${sumsPath}, or write a mirror into a new folder, with --known-issues for your own issues.`,
      cause: error,
    });
  }
}

const ofMirror = /^(?:release-safety-index|known-issues|artifacts\/\d+\.\d+\.\d+)\.json$/;
/** What may be there before a mirror: what a killed first run left, and what a volume has from the beginning. */
const mayPrecede = /^(?:artifacts(?:\/\d+\.\d+\.\d+\.json)?|\.lightspan-lock|lost\+found)$/;

/**
 * The mirror in the folder, beside which there may be other files; undefined if there is none yet.
 *
 * @throws {LightspanError} `usage` if there is none, and the folder serves another purpose
 */
async function openExisting({ folder, maxBytes }: MirrorRequest): Promise<Mirror | undefined> {
  const mirror = await openSums(folder, maxBytes).catch(ignoreRefusal);
  const listed = [...(mirror?.sums.keys() ?? [])];
  if (listed.includes(indexPath) && listed.every((path) => ofMirror.test(path))) return mirror;
  const other = [
    ...namesIn(folder),
    ...namesIn(join(folder, artifactFolder)).map((name) => `${artifactFolder}/${name}`),
  ].find((path) => !mayPrecede.test(path) && !isNameAside(basename(path)));
  if (other === undefined) return undefined;
  throw new LightspanError(
    'usage',
    `--out ${folder} is not a mirror, and contains something else: ${other}`,
    {
      hint: 'Name a new or empty folder, or one written by index mirror.',
    },
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** An artifact under another release's name would be treated as that release's. */
async function loadArtifactOf(version: string, source: ArtifactSource): ReturnType<typeof loadArtifact> {
  const loaded = await loadArtifact(version, source);
  if (loaded.kind !== 'artifact' || loaded.artifact.version === version) return loaded;
  return {
    kind: 'invalid-artifact',
    message: `${source.locate(version)} is the artifact of ${loaded.artifact.version}`,
  };
}

/** The artifacts in the current mirror that match its sums; all others are written again. */
async function verifiedArtifacts(mirror: Mirror | undefined): Promise<Map<string, string>> {
  const verified = new Map<string, string>();
  if (mirror === undefined) return verified;
  const artifacts = [...mirror.sums].filter(([path]) => path.startsWith(`${artifactFolder}/`));
  await inParallel(artifacts, async ([path, digest]) => {
    const bytes = await mirror.read(path).catch(ignoreRefusal);
    if (bytes !== undefined) verified.set(path, digest);
  });
  return verified;
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof LightspanError)) throw error;
  return undefined;
}

/** Writes files completely to the disk before the first of them gets its name. */
async function place(
  folder: string,
  contents: readonly (readonly [path: string, content: Uint8Array | string])[],
): Promise<void> {
  const files: NewFile[] = [];
  try {
    for (const [path, content] of contents) {
      const file = beginFile(join(folder, path));
      files.push(file);
      file.write(content);
      await file.sync();
    }
    for (const file of files) file.commit();
  } finally {
    for (const file of files) file.abandon();
  }
}

/** In the form of `sha256sum`, sorted. */
function formatSums(sums: ReadonlyMap<string, string>): string {
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');
}
