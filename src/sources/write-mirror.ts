import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
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
  readSums,
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
    await requireNothingElse(request);
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
 * @returns what throws if another process took the lock, because this one was silent for too long, and what unlocks
 */
function lockFolder({ folder, onRemoved }: MirrorRequest) {
  const path = join(folder, lockName);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > staleAfterMs) {
    rmSync(path, { recursive: true, force: true });
    onRemoved(path);
  }
  const refuse = (what: string, hint: string) =>
    new LightspanError('unwritable-output', `the mirror ${folder} is ${what}`, { hint });
  // Two may remove the same stale lock, and the second takes away what the first has made: only one mark remains.
  const mark = join(path, crypto.randomUUID());
  try {
    mkdirSync(path);
    mkdirSync(mark);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    throw refuse(
      'being written by another process',
      `Run again when it has ended. If it was killed, its lock is dropped after a minute, or now if you remove ${path}.`,
    );
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
      if (isHeld()) return;
      throw refuse(
        'left as it is: another process took its lock',
        'That happens if this process was silent for a minute, for example when a machine sleeps. Run again.',
      );
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
  const heldRecords = await heldKnownIssues(request);
  const mirror = await openIfMirror(folder, request.maxBytes);
  const knownIssues = await request.knownIssues({
    index: await mirror?.read(indexPath).catch(ignoreRefusal),
    knownIssues: heldRecords,
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

/**
 * The known issues of a mirror. Unlike the rest, they may exist nowhere else, so nothing replaces what cannot be read.
 */
async function heldKnownIssues({ folder, maxBytes }: MirrorRequest): Promise<Uint8Array | undefined> {
  const isThere = existsSync(join(folder, knownIssuesPath));
  try {
    return await readKnownIssues(await openSums(folder, maxBytes));
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    const isListed = (await openIfMirror(folder, maxBytes))?.sums.has(knownIssuesPath) === true;
    if (!isThere && !isListed) return undefined;
    throw new LightspanError(error.code, error.message, {
      hint: `Restore its previous ${knownIssuesPath} and ${sumsPath}, or write a mirror into a new folder, with --known-issues for your own issues.`,
      cause: error,
    });
  }
}

/** The files of a mirror; a separate volume has `lost+found` from the beginning. */
const ownNames = new Set([indexPath, knownIssuesPath, sumsPath, artifactFolder, lockName, 'lost+found']);
const artifactName = /^\d+\.\d+\.\d+\.json$/;

/**
 * Other files may be next to a mirror. If there is no mirror yet, a folder with files serves another purpose. Files
 * behind links, and sums of other files, are somebody's in any case.
 */
async function requireNothingElse({ folder, maxBytes }: MirrorRequest): Promise<void> {
  const names = namesIn(folder);
  const artifacts = namesIn(join(folder, artifactFolder));
  const isMirror = (await openIfMirror(folder, maxBytes))?.sums.has(indexPath) === true;
  const stranger = isMirror
    ? undefined
    : (names.find((name) => !ownNames.has(name) && !isNameAside(name)) ??
      artifacts.find((name) => !artifactName.test(name) && !isNameAside(name)));
  const paths = [
    ...names.filter((name) => ownNames.has(name)),
    ...artifacts.filter((name) => artifactName.test(name)).map((name) => `${artifactFolder}/${name}`),
  ];
  const isLink = (path: string) =>
    lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const link = paths.find(isLink);
  const other = stranger ?? (link && `${link}, a link`) ?? (await otherSums(folder, maxBytes));
  if (other === undefined) return;
  throw new LightspanError(
    'usage',
    `--out ${folder} is not a mirror, and contains something else: ${other}`,
    {
      hint: 'Name a new or empty folder, or one written by index mirror.',
    },
  );
}

/** Sums that are not those of a mirror. Damaged ones beside known issues are refused where those are read. */
async function otherSums(folder: string, maxBytes: number): Promise<string | undefined> {
  const size = statSync(join(folder, sumsPath), { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return undefined;
  const sums = await readSums(folder, maxBytes).catch(ignoreRefusal);
  if (sums === undefined) return existsSync(join(folder, knownIssuesPath)) ? undefined : sumsPath;
  const isOfMirror = (path: string) =>
    path.startsWith(`${artifactFolder}/`)
      ? artifactName.test(path.slice(artifactFolder.length + 1))
      : ownNames.has(path);
  const other = [...sums.keys()].find((path) => !isOfMirror(path));
  return other && `${sumsPath} with the sum of ${other}`;
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

async function openIfMirror(folder: string, maxBytes: number): Promise<Mirror | undefined> {
  return openSums(folder, maxBytes).catch(ignoreRefusal);
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
