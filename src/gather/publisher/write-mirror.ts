import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactFault } from '../../core/artifact/reconcile.js';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import type { Version } from '../../core/version.js';
import { inParallel } from '../files/in-parallel.js';
import { describeFileFault, hasErrorCode } from '../files/read-file.js';
import { sha256 } from '../files/sha256.js';
import {
  type NewFile,
  onInterrupt,
  openNewFile,
  removeLeftovers,
  temporaryName,
} from '../files/write-file.js';
import { type ArtifactSource, loadArtifact } from './artifacts.js';
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

interface MirrorRequest {
  readonly folder: string;
  readonly index: Uint8Array;
  /**
   * Makes the set of known issues to write from the one that the mirror has; if it throws, the mirror stays as it is.
   */
  readonly knownIssues: (
    present: Record<'index' | 'knownIssues', Uint8Array | undefined>,
  ) => string | Promise<string>;
  /** The releases whose artifacts the mirror must contain. Its artifacts of other releases stay. */
  readonly versions: readonly Version[];
  readonly source: ArtifactSource;
  readonly maxBytes: number;
  readonly now: Date;
  readonly onProgress?: (done: number, total: number) => void;
  readonly onRemoved: (path: string) => void;
}

interface WrittenMirror {
  readonly artifacts: number;
  readonly fetched: number;
  readonly faults: ReadonlyMap<Version, ArtifactFault>;
}

/**
 * Writes a mirror, or updates one: valid files in it are not fetched again.
 *
 * An artifact is renamed into its place as soon as it is complete, and is not part of the mirror until the sums list
 * it. Known issues, index and sums are complete on the disk before the first of them is renamed, at the end and without
 * a pause. A run that is killed leaves the previous mirror, this one, or one whose sums do not match and that is
 * refused.
 *
 * @throws {LightspanError} `usage` if the folder contains something else; `unwritable-output` if it cannot be written,
 *   or another process writes it; if there are known issues that cannot be trusted, the errors of reading them
 */
export async function writeMirror(request: MirrorRequest): Promise<WrittenMirror> {
  const { folder } = request;
  try {
    mkdirSync(folder, { recursive: true });
    const unlock = lockFolder(request);
    try {
      return await update(request);
    } finally {
      unlock();
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const why = `cannot write the mirror ${folder}: ${describeFileFault(error)}`;
    throw new LightspanError('unwritable-output', why, { cause: error });
  }
}

const lockName = '.lightspan-lock';
/** The holder of the lock keeps touching it. A lock that was not touched for a minute was left by a killed run. */
const touchEveryMs = 5000;
const staleAfterMs = 60_000;

/** @returns what unlocks it; if several processes try, `mkdir` succeeds for one */
function lockFolder({ folder, onRemoved }: MirrorRequest): () => void {
  const path = join(folder, lockName);
  const stats = statSync(path, { throwIfNoEntry: false });
  const remove = () => rmSync(path, { recursive: true, force: true });
  if (stats !== undefined && Date.now() - stats.mtimeMs > staleAfterMs) {
    remove();
    onRemoved(path);
  }
  try {
    mkdirSync(path);
  } catch (error) {
    throw hasErrorCode(error, 'EEXIST') ? lockedByAnother(folder) : error;
  }
  const forget = onInterrupt(remove);
  const touching = setInterval(() => {
    if (existsSync(path)) utimesSync(path, new Date(), new Date());
  }, touchEveryMs).unref();
  return () => {
    clearInterval(touching);
    remove();
    forget();
  };
}

function lockedByAnother(folder: string): LightspanError {
  const busy = `the mirror ${folder} is being written by another process`;
  return new LightspanError('unwritable-output', busy, {
    hint:
      'Run again when it has ended. If it was killed, its lock expires after a minute, or remove it now: ' +
      `${join(folder, lockName)}.`,
  });
}

async function update(request: MirrorRequest): Promise<WrittenMirror> {
  const { folder, index, versions, source, onProgress, onRemoved } = request;
  const mirror = await openExisting(request);
  mkdirSync(join(folder, artifactFolder), { recursive: true });
  for (const path of ['', artifactFolder]) {
    removeLeftovers(join(folder, path), request.now.getTime(), onRemoved);
  }
  const knownIssues = await request.knownIssues({
    index: await mirror?.read(indexPath).catch(ignoreRefusal),
    knownIssues: mirror && (await heldKnownIssues(mirror)),
  });
  // An artifact that does not match its sum is written again.
  const sums = new Map<string, string>();
  await inParallel([...(mirror?.sums ?? [])], async ([path, digest]) => {
    if (!path.startsWith(`${artifactFolder}/`)) return;
    if ((await mirror?.read(path).catch(ignoreRefusal)) !== undefined) sums.set(path, digest);
  });
  const keptCount = sums.size;
  const faults = new Map<Version, ArtifactFault>();
  let done = 0;
  await inParallel(versions, async (version) => {
    const path = artifactPath(version);
    if (!sums.has(path)) {
      const loaded = await loadArtifactOf(version, source);
      if (loaded.kind === 'artifact') {
        await placeFile(folder, [[path, loaded.bytes]]);
        sums.set(path, sha256(loaded.bytes));
      } else faults.set(version, loaded);
    }
    onProgress?.(++done, versions.length);
  });
  const artifacts = sums.size;
  sums.set(indexPath, sha256(index)).set(knownIssuesPath, sha256(Buffer.from(knownIssues)));
  // While this machine slept, another process may have written it.
  if (!existsSync(join(folder, lockName))) throw lockedByAnother(folder);
  const lines = [...sums].map(([path, digest]) => `${digest}  ${path}\n`);
  await placeFile(folder, [
    [indexPath, index],
    [knownIssuesPath, knownIssues],
    [sumsPath, lines.toSorted((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1)).join('')],
  ]);
  return { artifacts, fetched: artifacts - keptCount, faults };
}

/** The known issues of the mirror. They may exist nowhere else, so nothing replaces them if they cannot be read. */
async function heldKnownIssues(mirror: Mirror): Promise<Uint8Array | undefined> {
  try {
    return await readKnownIssues(mirror);
  } catch (error) {
    if (!(error instanceof LightspanError)) throw error;
    throw new LightspanError(error.code, error.message, {
      hint:
        `Restore its previous ${knownIssuesPath} and ${sumsPath}, or write a mirror into a new folder, with ` +
        '--known-issues for your own issues.',
      cause: error,
    });
  }
}

const ofMirror = /^(?:release-safety-index|known-issues|artifacts\/\d+\.\d+\.\d+)\.json$/;

/** Entries that may be in the folder of a new mirror: left by a killed first run, or there on every new volume. */
const allowedBeforeMirror = new Set([artifactFolder, lockName, 'lost+found']);

/** The mirror in the folder, beside which there may be other files; undefined if there is none yet. */
async function openExisting({ folder, maxBytes }: MirrorRequest): Promise<Mirror | undefined> {
  const mirror = await openSums(folder, maxBytes).catch(ignoreRefusal);
  const listed = [...(mirror?.sums.keys() ?? [])];
  if (listed.includes(indexPath) && listed.every((path) => ofMirror.test(path))) return mirror;
  const stranger = readdirSync(folder).find(
    (name) => !allowedBeforeMirror.has(name) && !temporaryName.test(name),
  );
  if (stranger === undefined) return undefined;
  const refusal = `--out ${folder} is not a mirror, and contains something else: ${stranger}`;
  throw new LightspanError('usage', refusal, {
    hint: 'Name a new or empty folder, or one written by index mirror.',
  });
}

/** An artifact under another release's name would be treated as that release's. */
async function loadArtifactOf(version: string, source: ArtifactSource): ReturnType<typeof loadArtifact> {
  const loaded = await loadArtifact(version, source);
  if (loaded.kind !== 'artifact' || loaded.artifact.version === version) return loaded;
  const message = `${source.locate(version)} is the artifact of ${loaded.artifact.version}`;
  return { kind: 'invalid-artifact', message };
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof LightspanError) || isInputError(error)) throw error;
  return undefined;
}

async function placeFile(
  folder: string,
  contents: readonly (readonly [path: string, content: Uint8Array | string])[],
): Promise<void> {
  const files: NewFile[] = [];
  try {
    for (const [path, content] of contents) {
      const file = openNewFile(join(folder, path));
      files.push(file);
      file.write(content);
      await file.sync();
    }
    for (const file of files) file.commit();
  } finally {
    for (const file of files) file.abandon();
  }
}
