import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredResponse } from './freshness.js';
import { describeFileFault, hasErrorCode } from './local-file.js';
import { sha256 } from './sha256.js';

/** One answer as it was kept: what HTTP needs to know of it, and its body. */
export interface CacheEntry {
  readonly response: StoredResponse;
  readonly body: Uint8Array;
}

export type CacheLookup =
  | { readonly kind: 'hit'; readonly entry: CacheEntry }
  | { readonly kind: 'miss' }
  /** Something is there, and it is not an entry that can be trusted. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * A folder of answers, one file each: the digest of all that follows it, a line of JSON, the body. Since head and body
 * are one file, written aside and renamed, a reader sees one writer's entry or another's, whole.
 */
export interface Cache {
  readonly folder: string;
  readonly read: (url: string) => CacheLookup;
  /** @throws the error of the file system where the folder cannot be written */
  readonly write: (url: string, entry: CacheEntry) => void;
}

export function openCache(folder: string): Cache {
  const fileOf = (url: string) => join(folder, keyOf(url));
  return {
    folder,
    read: (url) => {
      let bytes: Buffer;
      try {
        bytes = readOwnFile(fileOf(url));
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return { kind: 'miss' };
        return { kind: 'refused', reason: describeFileFault(error) };
      }
      const entry = decode(bytes, url);
      return entry === undefined
        ? { kind: 'refused', reason: 'it is damaged, or was not written by this lightspan' }
        : { kind: 'hit', entry };
    },
    write: (url, entry) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(url);
      const aside = `${file}.${randomUUID()}.tmp`;
      try {
        writeFileSync(aside, encode(url, entry), { mode: 0o600, flag: 'wx' });
        renameSync(aside, file);
      } catch (error) {
        rmSync(aside, { force: true });
        throw error;
      }
      removeAbandoned(folder, entry.response.answeredAt);
    },
  };
}

const nameAside = /^[0-9a-f]{64}\.[0-9a-f-]{36}\.tmp$/;
const dayMs = 86_400_000;
/** A look into a large folder takes longer than a write: once is enough. */
const swept = new Set<string>();

/** Removes what processes that were killed while they wrote have left; a write that is under way is younger than a day. */
function removeAbandoned(folder: string, now: number): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of readdirSync(folder)) {
    if (!nameAside.test(name)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && now - stats.mtimeMs > dayMs) rmSync(path, { force: true });
  }
}

/** Nobody else may have had a hand in an entry: it is a file, ours, and writable by us alone. */
function readOwnFile(path: string): Buffer {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a file');
  const self = process.getuid?.();
  if (self !== undefined && (stats.uid !== self || (stats.mode & 0o022) !== 0)) {
    throw new Error('another user owns it or may write it');
  }
  return readFileSync(path);
}

/** Another format gets another word, and what it finds is fetched again. */
const format = 'lightspan-cache-1';
const digestLength = 64;
const newline = 0x0a;

function encode(url: string, { response, body }: CacheEntry): Uint8Array {
  const head = Buffer.from(`${JSON.stringify({ format, key: keyOf(url), response })}\n`);
  return Buffer.concat([Buffer.from(`${sha256(head, body)}\n`), head, body]);
}

function decode(bytes: Buffer, url: string): CacheEntry | undefined {
  const content = bytes.subarray(digestLength + 1);
  if (bytes[digestLength] !== newline || sha256(content) !== bytes.toString('latin1', 0, digestLength)) {
    return undefined;
  }
  const end = content.indexOf(newline);
  const head = parseJson(content.toString('utf8', 0, end));
  if (!isHead(head) || head.key !== keyOf(url)) return undefined;
  return { response: head.response, body: content.subarray(end + 1) };
}

/** An address may hold a password: only its digest is written. */
function keyOf(url: string): string {
  return sha256(Buffer.from(url));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Head {
  readonly format: typeof format;
  readonly key: string;
  readonly response: StoredResponse;
}

/** What carries our digest and our format's name was written by `encode`, which writes only whole responses. */
function isHead(head: unknown): head is Head {
  return (
    typeof head === 'object' &&
    head !== null &&
    'format' in head &&
    head.format === format &&
    'key' in head &&
    'response' in head
  );
}
