import { mkdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { describeUrl, requireAllowedScheme } from '../http/address.js';
import type { HttpResponse } from '../http/client.js';
import type { Notify } from '../notice.js';
import { cacheFolder, requireOwnFolder } from './cache-folder.js';
import { describeFileFault, hasErrorCode, readFileAtMost } from './read-file.js';
import { sha256 } from './sha256.js';
import { beginFile } from './write-file.js';

/** How to reach a source over HTTP. Every source that fetches takes these options. */
export interface FetchOptions {
  /** The time limit of the whole fetch. */
  readonly timeoutMs: number;
  /** The maximum size of a body, in bytes after decoding. */
  readonly maxBytes: number;
  /** Allows plain http beyond loopback. */
  readonly allowHttp: boolean;
  /** If false, the cache is neither read nor written. */
  readonly cache: boolean;
  /** If true, the network is never used: the answer comes from the cache, however old, or is an error. */
  readonly offline: boolean;
  /** For the proxy and the cache folder. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly now: () => Date;
  readonly notify: Notify;
}

export interface FetchedBody {
  readonly bytes: Uint8Array;
  /** Stores the body in the cache. Call it once the body is known to be valid: an invalid one must not stay. */
  readonly keep: () => void;
  /** The previous valid body from there, if this one differs, and the file that has it. */
  readonly before?: { readonly bytes: Uint8Array; readonly file: string } | undefined;
}

/**
 * Fetches a URL. The server is always asked; if it says that the stored body is still the one of its ETag, that is used.
 * A failed fetch is a failure, whatever the cache contains.
 *
 * @throws {LightspanError} `not-cached` with `offline` if the cache has no answer, and all that a request throws
 */
export async function fetchCached(url: URL, options: FetchOptions): Promise<FetchedBody> {
  requireAllowedScheme(url, options.allowHttp);
  const folder = options.cache ? cacheFolder(options.env) : undefined;
  if (options.offline) return readOffline(url, folder, options);
  if (folder === undefined) return { bytes: (await ask(url, options)).body, keep: () => {} };

  const stored = await readEntry(folder, url, options.maxBytes).catch(() => undefined);
  const { status, headers, body } = await ask(url, options, stored?.etag);
  const keep = (write: () => void) => () => {
    try {
      write();
    } catch (error) {
      // A cache that cannot be written does not prevent an answer.
      options.notify({ kind: 'cache-unavailable', folder, reason: describeFileFault(error) });
    }
  };
  if (status === 304 && stored !== undefined) {
    const now = options.now();
    return { bytes: stored.body, keep: keep(() => utimesSync(stored.file, now, now)) };
  }
  const mayBeStored = !/\bno-store\b/i.test(headers.get('cache-control') ?? '');
  return {
    bytes: body,
    keep: mayBeStored
      ? keep(() => writeEntry(folder, url, { etag: headers.get('etag') ?? '', body }, options.now()))
      : () => {},
    before: stored && { bytes: stored.body, file: stored.file },
  };
}

async function readOffline(
  url: URL,
  folder: string | undefined,
  { maxBytes, now, notify }: FetchOptions,
): Promise<FetchedBody> {
  const source = describeUrl(url);
  const refuse = (why: string, cause?: unknown) =>
    new LightspanError('not-cached', `${source} is not contacted with --offline, and ${why}`, {
      hint: 'Run once without --offline and --no-cache, or give --index a file.',
      cause,
    });
  if (folder === undefined) throw refuse('it is not in the cache');
  try {
    const { body, file } = await readEntry(folder, url, maxBytes);
    notify({ kind: 'offline', source, ageMs: now().getTime() - statSync(file).mtimeMs });
    return { bytes: body, keep: () => {} };
  } catch (error) {
    throw refuse(
      hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')
        ? 'it is not in the cache'
        : `the cache ${folder} is not used (${describeFileFault(error)})`,
      error,
    );
  }
}

/** @param etag of the stored body, empty if the server gave none */
async function ask(url: URL, options: FetchOptions, etag = ''): Promise<HttpResponse> {
  const { createHttpClient } = await import('../http/client.js');
  const waiting = setTimeout(() => options.notify({ kind: 'waiting', host: url.host }), silentMs);
  try {
    return await createHttpClient({ env: options.env, userAgent: options.userAgent }).request({
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

/** How long a person waits without being told for what. */
const silentMs = 2_000;

/** A stored answer: one file, which is the digest of all that follows it, the ETag, and the body. */
interface Entry {
  readonly etag: string;
  readonly body: Uint8Array;
}

const digestLength = 64;
/** Far more than a digest and an ETag need. */
const maxHeadBytes = 64 * 1024;

/**
 * Nobody else can have written it: the folder belongs to this user alone.
 *
 * @throws an error that says why there is no entry that can be used, and the errors of the file system
 */
async function readEntry(
  folder: string,
  url: URL,
  maxBytes: number,
): Promise<Entry & { readonly file: string }> {
  const file = fileOf(requireOwnFolder(folder), url);
  const tooLarge = () => new Error(`it is larger than ${maxBytes} bytes`);
  const bytes = Buffer.from(await readFileAtMost(file, maxBytes + maxHeadBytes, tooLarge));
  const content = bytes.subarray(digestLength + 1);
  if (bytes.toString('latin1', 0, digestLength + 1) !== `${sha256(content)}\n`) {
    throw new Error('the answer in it is damaged, or was not written by this lightspan');
  }
  const end = content.indexOf('\n');
  return { etag: content.toString('latin1', 0, end), body: content.subarray(end + 1), file };
}

/** Written under a temporary name and renamed, so that a reader sees the complete entry of one writer. */
function writeEntry(folder: string, url: URL, { etag, body }: Entry, now: Date): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = fileOf(requireOwnFolder(folder), url);
  const content = Buffer.concat([Buffer.from(`${etag}\n`, 'latin1'), body]);
  const file = beginFile(path);
  try {
    file.write(Buffer.concat([Buffer.from(`${sha256(content)}\n`), content]));
    file.commit();
  } finally {
    file.abandon();
  }
  utimesSync(path, now, now);
}

/** An address may contain a password: only its digest is stored. */
function fileOf(folder: string, url: URL): string {
  return join(folder, sha256(Buffer.from(url.href)));
}
