import { LightspanError } from '../errors.js';
import { describeUrl, requireAllowedScheme } from '../http/address.js';
import type { HttpRequest, HttpResponse } from '../http/client.js';
import type { Notify } from '../notice.js';
import type { Cache, CacheEntry } from './cache.js';
import { cacheFolder } from './cache-folder.js';
import { isFresh, keptHeaders, mayBeStored, revalidationHeaders, type StoredResponse } from './freshness.js';
import { describeFileFault } from './read-file.js';

/** How a source over HTTP is reached. Every source that fetches takes these as they are. */
export interface FetchOptions {
  /** Bounds the whole of a fetch. */
  readonly timeoutMs: number;
  /** The most that is read of a body, in bytes after decoding. */
  readonly maxBytes: number;
  /** Lets plain http go beyond loopback. */
  readonly allowHttp: boolean;
  /** False neither reads the cache nor writes it. */
  readonly cache: boolean;
  /** Never touches the network: the cache answers, however old, or nothing does. */
  readonly offline: boolean;
  /** Read for the proxy and the cache folder. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly now: () => Date;
  readonly notify: Notify;
}

export interface FetchedBody {
  readonly bytes: Uint8Array;
  /** Keeps it for the next time. To be called once the body is known to be good: a bad one must not stay. */
  readonly keep: () => void;
  /** What came from there before and was good, where another has come now. */
  readonly before?: Uint8Array | undefined;
}

/**
 * Fetches a URL through the cache, by the rules of HTTP: an answer that is fresh is used, any other is asked about
 * again. A fetch that fails is a failure, whatever the cache holds.
 *
 * @throws {LightspanError} `not-cached` with `offline` where the cache has no answer, and all that a request throws
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
      throw new LightspanError('not-cached', `${source} is not asked with --offline, and ${why}`, {
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

/** Asks whether the cached answer still holds, and for another if it does not. */
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
      // The age of an answer is not that of the question whether it holds.
      if (response.headers.age === undefined) delete headers.age;
      return { response: { ...response, headers }, body: cached.body };
    }
  }
  const requestedAt = options.now().getTime();
  const answer = await ask(url, options);
  return { response: storedResponse(answer, url, requestedAt, options), body: answer.body };
}

/** Whether a 304 speaks of the answer we hold: a redirect may have led to another, and so may what it names be. */
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
  return createHttpClient({ env: options.env, userAgent: options.userAgent }).request({
    url,
    timeouts: timeoutsWithin(options.timeoutMs),
    maxBytes: options.maxBytes,
    allowHttp: options.allowHttp,
    ...more,
  });
}

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
  // Its query may hold a signature, and is not kept.
  const address = `${url.origin}${url.pathname}`;
  return {
    address,
    redirected: `${address}${url.search}` !== `${asked.origin}${asked.pathname}${asked.search}`,
    requestedAt,
    answeredAt: now().getTime(),
    headers: Object.fromEntries(kept),
  };
}

/** A cache that cannot be written is no reason to give no answer. */
function keep(cache: Cache | undefined, url: URL, entry: CacheEntry, notify: Notify): void {
  if (cache === undefined || !mayBeStored(entry.response)) return;
  try {
    cache.write(url.href, entry);
  } catch (error) {
    notify({ kind: 'cache-unavailable', folder: cache.folder, reason: describeFileFault(error) });
  }
}
