import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../../core/lightspan-error.js';
import { inParallel } from '../files/in-parallel.js';
import { hasErrorCode, largerThan, readFileAtMost, unreadable } from '../files/read-file.js';
import { sha256 } from '../files/sha256.js';

/**
 * A mirror: a folder with an index as it was published, artifacts of its releases, known issues, and the digests of all
 * of them in the form of `sha256sum`. A file that is not listed there, or differs from its digest, is not read.
 */
export interface Mirror {
  readonly folder: string;
  readonly sums: ReadonlyMap<string, string>;
  /** @returns undefined if the mirror has no such file */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

export const indexPath = 'release-safety-index.json';
export const knownIssuesPath = 'known-issues.json';
export const artifactFolder = 'artifacts';
export const artifactPath = (version: string) => `${artifactFolder}/${version}.json`;
export const sumsPath = 'SHA256SUMS';

/** Opens a mirror and verifies every file in it, each at most `maxBytes`. */
export async function openMirror(folder: string, maxBytes: number): Promise<Mirror> {
  const mirror = await openSums(folder, maxBytes);
  await inParallel([...mirror.sums.keys()], async (path) => {
    if ((await mirror.read(path)) !== undefined) return;
    throw untrusted(folder, `${path} is listed in ${sumsPath}, but does not exist`);
  });
  return mirror;
}

/** A mirror whose files are verified when they are read. */
export async function openSums(folder: string, maxBytes: number): Promise<Mirror> {
  const missing = [sumsPath, indexPath].find((path) => !existsSync(join(folder, path)));
  const listed = missing === undefined ? await readIfThere(folder, sumsPath, maxBytes) : undefined;
  if (listed === undefined) {
    throw new LightspanError('unreadable-source', `${folder} is not a mirror: it has no ${missing}`, {
      hint: 'lightspan index mirror --out <folder> writes a mirror.',
    });
  }
  const sums = parseSums(Buffer.from(listed).toString('latin1'), folder);
  return {
    folder,
    sums,
    read: async (path) => {
      const bytes = await readIfThere(folder, path, maxBytes);
      const listed = sums.get(path);
      // A run that was killed leaves artifacts that no sums list yet: they are no part of the mirror.
      if (bytes === undefined || (path.startsWith(`${artifactFolder}/`) && listed === undefined))
        return undefined;
      if (listed === undefined) throw untrusted(folder, `${path} is not listed in ${sumsPath}`);
      if (sha256(bytes) === listed) return bytes;
      throw untrusted(folder, `${path} is not the file that ${sumsPath} lists: it was altered`);
    },
  };
}

export async function readKnownIssues({ folder, sums, read }: Mirror): Promise<Uint8Array | undefined> {
  const bytes = await read(knownIssuesPath);
  if (bytes !== undefined || !sums.has(knownIssuesPath)) return bytes;
  throw untrusted(folder, `${knownIssuesPath} is listed in ${sumsPath}, but does not exist`);
}

/** A path inside the folder has names joined by slashes, none of them hidden, `.` or `..`. */
const sumsLine = /^([0-9a-f]{64}) [ *]([A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)$/;

function parseSums(text: string, folder: string): Map<string, string> {
  const sums = new Map<string, string>();
  // Tools on Windows end lines with CR LF.
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    const [, digest, path] = sumsLine.exec(line) ?? [];
    if (digest === undefined || path === undefined) {
      throw untrusted(folder, `line ${i + 1} of ${sumsPath} is not a SHA-256 and a path in the folder`);
    }
    if (sums.has(path)) throw untrusted(folder, `${sumsPath} lists ${path} twice`);
    sums.set(path, digest);
  }
  return sums;
}

async function readIfThere(folder: string, path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const name = `${path} of the mirror ${folder}`;
  try {
    return await readFileAtMost(join(folder, path), maxBytes, () => largerThan(name, maxBytes));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw unreadable(name, error);
  }
}

function untrusted(folder: string, what: string): LightspanError {
  return new LightspanError('untrusted-mirror', `the mirror ${folder} cannot be trusted: ${what}`, {
    hint: 'Copy it again, or write it again with lightspan index mirror.',
  });
}
