import { readPublishedForm } from '../../core/index/published-form.js';
import type { ReleaseSafetyIndex } from '../../core/index/release-safety-index.js';
import { LightspanError, namingSource } from '../../core/lightspan-error.js';
import { decodeUtf8, hasErrorCode, largerThan, readFileAtMost, unreadable } from '../files/read-file.js';
import { describeAddress, isWrittenAsUrl, looksLikeUrl } from '../http/address.js';
import { collectAtMost } from '../http/collect.js';
import type { FetchedBody, FetchOptions } from './fetch-cached.js';
import { checkIndexAge, requireNotOlder } from './index-age.js';

export interface IndexRequest extends FetchOptions {
  readonly source: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly maxAgeMs: number | undefined;
}

export interface LoadedIndex {
  readonly source: string;
  readonly index: ReleaseSafetyIndex;
  readonly bytes: Uint8Array;
}

/** @throws {LightspanError} if it cannot be trusted; the message names the source */
export async function loadIndex(request: IndexRequest): Promise<LoadedIndex> {
  const { source, maxAgeMs, notify } = request;
  const { bytes, keep, before } = await readIndexSource(request);
  const name = describeSource(source);
  try {
    const index = await parseIndex(bytes);
    checkIndexAge(index, { source: name, now: request.now(), maxAgeMs, notify });
    requireNotOlder(index, before?.bytes, {
      message: (came, before) =>
        `the index ${name} was generated ${came}, but the one read from there before was generated ${before}`,
      orElse: `remove ${before?.file}`,
    });
    keep();
    return { source, index, bytes };
  } catch (error) {
    throw namingSource(name, error);
  }
}

/** What checks any other form is loaded only for it. In the published form, every byte is a character of ASCII. */
async function parseIndex(bytes: Uint8Array): Promise<ReleaseSafetyIndex> {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const published = readPublishedForm(latin1);
  if (published !== undefined) return published;
  const text = decodeUtf8(bytes, 'the index');
  return (await import('../../core/index/parse-index.js')).parseOtherForm(text);
}

/** The source for display, without its password and its query. */
export function describeSource(source: string): string {
  if (source === '-') return 'standard input';
  return looksLikeUrl(source) ? describeAddress(source) : source;
}

export async function readIndexSource(request: IndexRequest): Promise<FetchedBody> {
  const { source, stdin, maxBytes } = request;
  const url = source === '-' ? undefined : readSourceUrl(source, 'an index', howToName);
  if (url !== undefined) {
    const { fetchCached } = await import('./fetch-cached.js');
    return fetchCached(url, request).catch((error: unknown) => Promise.reject(withOtherSources(error)));
  }
  const tooLarge = () => largerThan(describeSource(source), maxBytes);
  try {
    const read =
      source === '-' ? collectAtMost(stdin, maxBytes, tooLarge) : readFileAtMost(source, maxBytes, tooLarge);
    return { bytes: await read, keep: () => {} };
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR')) throw unreadable(`the index ${source}`, error);
    // A folder is a mirror, which has an index once it is open.
    const { indexPath, openMirror } = await import('./mirror.js');
    const bytes = await (await openMirror(source, maxBytes)).read(indexPath);
    if (bytes === undefined) throw new LightspanError('unreadable-source', `${source} has no ${indexPath}`);
    return { bytes, keep: () => {} };
  }
}

/** What to give instead, where a server cannot be reached. */
function withOtherSources(error: unknown): unknown {
  if (!(error instanceof LightspanError) || !/^(network|timeout)$/.test(error.code)) return error;
  const { summary, code, cause, message, details } = error;
  const hint = error.hint === undefined ? orOtherSources : `${error.hint} ${orOtherSources}`;
  return new LightspanError(code, message, { cause, summary, details, hint });
}

const orOtherSources =
  'Without a network: --index <file or folder>, where the folder is what lightspan index mirror wrote on ' +
  'a machine with one; or --offline, for an index that was read here before.';

const howToName =
  '--index takes a URL such as https://example.org/index.json, a file (./ before an unusual name), a ' +
  'mirror folder, or - for standard input.';

export function readSourceUrl(source: string, what: string, hint: string): URL | undefined {
  if (!looksLikeUrl(source)) return undefined;
  const url = isWrittenAsUrl(source) && URL.canParse(source) ? new URL(source) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new LightspanError(
    'usage',
    isWrittenAsUrl(source)
      ? `${describeSource(source)} is not a URL that ${what} can be fetched from`
      : `${describeSource(source)} is not written as a URL`,
    { hint },
  );
}
