import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../shared/is-record.js';
import type { StoredResponse } from './freshness.js';
import { requireOwnFolder } from './own-folder.js';
import { describeFileFault, hasErrorCode, readOwnFile } from './read-file.js';
import { sha256 } from './sha256.js';
import { beginFile, removeLeftovers } from './write-file.js';

/** One stored answer: what HTTP needs to know of it, and its body. */
export interface CacheEntry {
  readonly response: StoredResponse;
  readonly body: Uint8Array;
}

export type CacheLookup =
  | { readonly kind: 'hit'; readonly entry: CacheEntry }
  | { readonly kind: 'miss' }
  /** There is a file, but not an entry that can be trusted. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The folder itself cannot be trusted, or cannot be read. */
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * A folder of answers, one file each: the digest of all that follows it, a line of JSON, the body. Head and body are
 * one file, written under a temporary name and renamed, so a reader sees the complete entry of one writer. Nobody else
 * can have changed it: the folder belongs to this user alone, and so does every entry.
 */
export interface Cache {
  readonly folder: string;
  /** @param maxBytes the maximum size of an answer */
  readonly read: (url: string, maxBytes?: number) => CacheLookup;
  /** @throws the error of the file system if the folder cannot be written, or does not belong to this user alone */
  readonly write: (url: string, entry: CacheEntry) => void;
}

export function openCache(folder: string): Cache {
  return {
    folder,
    read: (url, maxBytes = 64 * 1024 ** 2) => {
      let ownFolder: string;
      try {
        ownFolder = requireOwnFolder(folder);
      } catch (error) {
        return isMissing(error) ? miss : { kind: 'unusable', reason: describeFileFault(error) };
      }
      const tooLarge = () => new Error(`it is larger than ${maxBytes} bytes`);
      let bytes: Uint8Array;
      try {
        bytes = readOwnFile(join(ownFolder, keyOf(url)), maxBytes + maxHeadBytes, tooLarge);
      } catch (error) {
        if (isMissing(error)) return miss;
        return {
          kind: 'refused',
          reason: hasErrorCode(error, 'ELOOP') ? 'it is a link' : describeFileFault(error),
        };
      }
      const entry = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), url);
      return entry === undefined
        ? { kind: 'refused', reason: 'it is damaged, or was not written by this lightspan' }
        : { kind: 'hit', entry };
    },
    write: (url, entry) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const ownFolder = requireOwnFolder(folder);
      const file = beginFile(join(ownFolder, keyOf(url)), { ours: true });
      try {
        file.write(encode(url, entry));
        file.commit();
      } catch (error) {
        file.abandon();
        throw error;
      }
      if (!swept.has(folder)) removeLeftovers(ownFolder, entry.response.answeredAt);
      swept.add(folder);
    },
  };
}

/** Cleaning a large folder takes longer than a write: once per process is enough. */
const swept = new Set<string>();

const miss = { kind: 'miss' } as const;

function isMissing(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
}

/** A new format gets a new name, and older entries are fetched again. */
const format = 'lightspan-cache-1';
const digestLength = 64;
/** Far more than a digest and the stored headers need. */
const maxHeadBytes = 64 * 1024;
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

/** An address may contain a password: only its digest is stored. */
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

/** A file with a valid digest and our format's name was written by `encode`, which writes only whole responses. */
function isHead(head: unknown): head is Head {
  return isRecord(head) && head.format === format;
}
