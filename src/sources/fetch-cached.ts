import { LightspanError } from '../errors.js';
import { describeUrl, requireAllowedScheme } from '../http/address.js';
import type { HttpRequest, HttpResponse } from '../http/client.js';
import type { Notify } from '../notice.js';
import type { Cache, CacheEntry } from './cache.js';
import { cacheFolder } from './cache-folder.js';
import { isFresh, keptHeaders, mayBeStored, revalidationHeaders, type StoredResponse } from './freshness.js';
import { describeFileFault } from './read-file.js';

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
  /** The previous valid body from there, if this one differs. */
  readonly before?: Uint8Array | undefined;
}

/**
 * Fetches a URL through the cache, by the rules of HTTP: a fresh answer is used, any other is revalidated. A failed
 * fetch is a failure, whatever the cache contains.
 *
 * @throws {LightspanError} `not-cached` with `offline` if the cache has no answer, and all that a request throws
 */
export async function fetchCached(url: URL, options: FetchOptions): Promise<FetchedBody> {
  requireAllowedScheme(url, options.allowHttp);
  const folder = options.cache ? cacheFolder(options.env) : undefined;
  if (folder === undefined && !options.offline)
    return { bytes: (await ask(url, options)).body, keep: () => {} };
  const { openCache } = await import('./cache.js');
  const cache = folder === undefined ? undefined : openCache(folder);
  const source = describeUrl(url);
  const lookup = cache?.read(url.href, options.maxBytes) ?? { kind: 'miss' as const };
  if (lookup.kind === 'refused' && !options.offline) {
    options.notify({ kind: 'cache-entry-refused', source, reason: lookup.reason });
  }
  const cached = lookup.kind === 'hit' ? lookup.entry : undefined;
  const now = options.now().getTime();

  if (options.offline) {
    if (cached === undefined) {
      const why =
        lookup.kind === 'refused'
          ? `the cached answer is not used (${lookup.reason})`
          : lookup.kind === 'unusable'
            ? `the cache ${folder} is not used (${lookup.reason})`
            : 'it is not in the cache';
      throw new LightspanError('not-cached', `${source} is not contacted with --offline, and ${why}`, {
        hint: 'Run once without --offline and --no-cache, or give --index a file.',
      });
    }
    options.notify({ kind: 'offline', source, ageMs: now - cached.response.answeredAt });
    return { bytes: cached.body, keep: () => {} };
  }
  if (cached !== undefined && isFresh(cached.response, now)) return { bytes: cached.body, keep: () => {} };

  const entry = await refresh(url, cached, options);
  return {
    bytes: entry.body,
    keep: () => keep(cache, url, entry, options.notify),
    before: cached?.body === entry.body ? undefined : cached?.body,
  };
}

/** Revalidates the cached answer, and fetches another if it is no longer valid. */
async function refresh(url: URL, cached: CacheEntry | undefined, options: FetchOptions): Promise<CacheEntry> {
  const validators = cached === undefined ? undefined : revalidationHeaders(cached.response);
  if (cached !== undefined && validators !== undefined) {
    const requestedAt = options.now().getTime();
    const answer = await ask(url, options, {
      headers: validators,
      acceptStatus: (status) => status === 200 || status === 304,
    });
    const response = storedResponse(answer, url, requestedAt, options);
    if (answer.status === 200) return { response, body: answer.body };
    if (isAbout(cached.response, response)) {
      const headers = { ...cached.response.headers, ...response.headers };
      // The age of the cached answer is not that of the revalidation.
      if (response.headers.age === undefined) delete headers.age;
      return { response: { ...response, headers }, body: cached.body };
    }
  }
  const requestedAt = options.now().getTime();
  const answer = await ask(url, options);
  return { response: storedResponse(answer, url, requestedAt, options), body: answer.body };
}

/**
 * Whether a 304 is about the stored answer: a redirect may have led to another, and its validators may be of another.
 */
function isAbout(cached: StoredResponse, notModified: StoredResponse): boolean {
  if (cached.address !== notModified.address) return false;
  return (['etag', 'last-modified'] as const).every((name) => {
    const named = notModified.headers[name];
    return named === undefined || opaqueTag(named) === opaqueTag(cached.headers[name] ?? '');
  });
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, '');
}

async function ask(url: URL, options: FetchOptions, more: Partial<HttpRequest> = {}): Promise<HttpResponse> {
  const { createHttpClient, timeoutsWithin } = await import('../http/client.js');
  const waiting = setTimeout(() => options.notify({ kind: 'waiting', host: url.host }), silentMs);
  try {
    return await createHttpClient({ env: options.env, userAgent: options.userAgent }).request({
      url,
      timeouts: timeoutsWithin(options.timeoutMs),
      maxBytes: options.maxBytes,
      allowHttp: options.allowHttp,
      ...more,
    });
  } finally {
    clearTimeout(waiting);
  }
}

/** How long a person waits without being told for what. */
const silentMs = 2_000;

function storedResponse(
  { url, headers }: HttpResponse,
  asked: URL,
  requestedAt: number,
  { now }: FetchOptions,
): StoredResponse {
  const kept = keptHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  // Its query may contain a signature, and is not stored.
  const address = `${url.origin}${url.pathname}`;
  return {
    address,
    redirected: `${address}${url.search}` !== `${asked.origin}${asked.pathname}${asked.search}`,
    requestedAt,
    answeredAt: now().getTime(),
    headers: Object.fromEntries(kept),
  };
}

/** A cache that cannot be written does not prevent an answer. */
function keep(cache: Cache | undefined, url: URL, entry: CacheEntry, notify: Notify): void {
  if (cache === undefined || !mayBeStored(entry.response)) return;
  try {
    cache.write(url.href, entry);
  } catch (error) {
    notify({ kind: 'cache-unavailable', folder: cache.folder, reason: describeFileFault(error) });
  }
}
