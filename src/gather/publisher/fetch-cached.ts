import { mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Notify } from '../../core/notice.js';
import { cacheFolder, compiledFolder, requireOwnFolder } from '../files/cache-folder.js';
import { describeFileFault, hasErrorCode, readFileAtMost } from '../files/read-file.js';
import { openNewFile } from '../files/write-file.js';
import { describeUrl, requireAllowedScheme } from '../http/address.js';
import type { HttpResponse } from '../http/client.js';

export interface FetchOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly allowHttp: boolean;
  readonly cache: boolean;
  /** If true, the network is never used: the answer comes from the cache, however old, or is an error. */
  readonly offline: boolean;
  readonly env: Env;
  readonly now: () => Date;
  readonly notify: Notify;
  /** How old a stored body may be before it is revalidated with its server; by default it always is. */
  readonly freshForMs?: number | undefined;
}

export interface FetchedBody {
  readonly bytes: Uint8Array;
  /** Stores the body in the cache. Call it once the body is known to be valid: an invalid one must not stay. */
  readonly keep: () => void;
  /** The previous valid body of the URL, if the server sent another one, and the file that has it. */
  readonly before?: { readonly bytes: Uint8Array; readonly file: string } | undefined;
}

/**
 * Fetches a URL. A stored body is used if it is fresh enough, or if the server confirms its ETag (304). A failed fetch
 * is a failure, even if the cache has a body.
 */
export async function fetchCached(url: URL, options: FetchOptions): Promise<FetchedBody> {
  requireAllowedScheme(url, options.allowHttp);
  const folder = options.cache ? cacheFolder(options.env) : undefined;
  if (options.offline) return readOffline(url, folder, options);
  if (folder === undefined) return { bytes: (await request(url, options)).body, keep: () => {} };

  const isEmpty = !entriesIn(folder).some((name) => name !== compiledFolder);
  const stored = isEmpty ? undefined : await readEntry(folder, url, options.maxBytes).catch(() => undefined);
  if (stored !== undefined && isFresh(stored.file, options)) return { bytes: stored.body, keep: () => {} };
  const { status, headers, body } = await request(url, options, stored?.etag);
  const isStored = status === 304 && stored !== undefined;
  const mayBeStored = !/\bno-store\b/.test((headers.get('cache-control') ?? '').toLowerCase());
  const write = mayBeStored && !isStored ? await entryWriter(folder, url) : undefined;
  const keep = () => {
    const now = options.now();
    try {
      if (isStored) utimesSync(stored.file, now, now);
      else write?.({ etag: headers.get('etag') ?? '', body }, now);
    } catch (error) {
      // A cache that cannot be written does not prevent an answer.
      options.notify({ kind: 'cache-unavailable', folder, reason: describeFileFault(error) });
    }
  };
  if (isStored) return { bytes: stored.body, keep };
  return { bytes: body, keep, before: stored && { bytes: stored.body, file: stored.file } };
}

/** By when its server last sent or confirmed it. A date after the clock is none. */
function isFresh(file: string, { freshForMs = 0, now }: FetchOptions): boolean {
  const ageMs = now().getTime() - statSync(file).mtimeMs;
  return ageMs >= 0 && ageMs < freshForMs;
}

async function readOffline(
  url: URL,
  folder: string | undefined,
  { maxBytes, now, notify }: FetchOptions,
): Promise<FetchedBody> {
  const source = describeUrl(url);
  const refuse = (why: string, cause?: unknown) =>
    new LightspanError('not-cached', `${source} is not contacted with --offline, and ${why}`, {
      hint: 'Run once without --offline and --no-cache, or name a file with --index.',
      cause,
    });
  if (folder === undefined) throw refuse('it is not in the cache');
  try {
    const { body, file } = await readEntry(folder, url, maxBytes);
    notify({ kind: 'offline', source, ageMs: now().getTime() - statSync(file).mtimeMs });
    return { bytes: body, keep: () => {} };
  } catch (error) {
    const isMissing = hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR');
    const unused = `the cache ${folder} is not used (${describeFileFault(error)})`;
    throw refuse(isMissing ? 'it is not in the cache' : unused, error);
  }
}

async function request(url: URL, options: FetchOptions, etag = ''): Promise<HttpResponse> {
  const { createHttpClient } = await import('../http/client.js');
  const waiting = setTimeout(() => options.notify({ kind: 'waiting', host: url.host }), silentMs);
  try {
    return await createHttpClient({ env: options.env }).request({
      url,
      headers: etag === '' ? {} : { 'if-none-match': etag },
      acceptStatus: (status) => status === 200 || (status === 304 && etag !== ''),
      timeoutMs: options.timeoutMs,
      maxBytes: options.maxBytes,
      allowHttp: options.allowHttp,
    });
  } finally {
    clearTimeout(waiting);
  }
}

const silentMs = 2_000;

/**
 * A stored answer is one file: a digest of the URL and of everything after it, the ETag, and the body. A file under the
 * name of another URL thus fails its digest.
 */
type Entry = Readonly<{ etag: string; body: Uint8Array }>;

const maxHeadBytes = 64 * 1024;

/** Nobody else can have written it: the folder belongs to this user alone. */
async function readEntry(
  folder: string,
  url: URL,
  maxBytes: number,
): Promise<Entry & { readonly file: string }> {
  const { sha256 } = await import('../files/sha256.js');
  const file = fileOf(requireOwnFolder(folder), url, sha256);
  const tooLarge = () => new Error(`it is larger than ${maxBytes} bytes`);
  const bytes = Buffer.from(await readFileAtMost(file, maxBytes + maxHeadBytes, tooLarge));
  const digest = bytes.indexOf('\n');
  const etag = bytes.indexOf('\n', digest + 1);
  if (bytes.toString('latin1', 0, digest) !== sha256(nameOf(url), bytes.subarray(digest + 1))) {
    throw new Error('the cached answer is damaged, or was not written by this lightspan');
  }
  return { etag: bytes.toString('latin1', digest + 1, etag), body: bytes.subarray(etag + 1), file };
}

/** Written under a temporary name and renamed, so that a reader sees the complete entry of one writer. */
async function entryWriter(folder: string, url: URL): Promise<(entry: Entry, now: Date) => void> {
  const { sha256 } = await import('../files/sha256.js');
  return ({ etag, body }, now) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = fileOf(requireOwnFolder(folder), url, sha256);
    const head = Buffer.from(`${etag}\n`, 'latin1');
    const file = openNewFile(path);
    try {
      file.write(Buffer.concat([Buffer.from(`${sha256(nameOf(url), head, body)}\n`), head, body]));
      file.commit();
    } finally {
      file.abandon();
    }
    utimesSync(path, now, now);
  };
}

function entriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** An address may contain a password: only its digest is stored. */
function fileOf(folder: string, url: URL, sha256: (bytes: Uint8Array) => string): string {
  return join(folder, sha256(nameOf(url)));
}

function nameOf({ href }: URL): Uint8Array {
  return Buffer.from(href);
}
