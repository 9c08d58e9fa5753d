import { parseReleaseSafetyIndexText } from '../src/core/index/parse-index.js';
import { LightspanError, namingSource } from '../src/core/lightspan-error.js';
import { mostBytes } from '../src/gather/limits.js';
import { checkIndexAge } from '../src/gather/publisher/index-age.js';
import { publicIndexUrl } from '../src/gather/publisher/publisher-urls.js';
import { readDatedFacts } from '../src/instance/facts/read-facts.js';
import { describeAge } from '../src/words/phrase.js';
import { type Data, isDeployed, type UsedIndex } from './plan.js';

/** As in the program: locks and sessions change quickly. */
const oldFactsMs = 86_400_000;

/** A warning above the answer. That of an old index can be settled on the page. */
interface Notice {
  readonly text: string;
  readonly isOfOldIndex?: true;
}

/**
 * What must be known of index and facts before anything else, by their age.
 *
 * @throws {LightspanError} `invalid-index` for one from the future
 */
export function noticesOf({ used: { index, source }, facts }: Data, now: Date): Notice[] {
  const notices: Notice[] = [];
  checkIndexAge(index, {
    ...{ source, now, maxAgeMs: undefined },
    notify: (notice) =>
      notice.kind === 'old-index' &&
      notices.push({
        text: `This index is ${describeAge(notice.ageMs)}: newer releases may be missing.`,
        isOfOldIndex: true,
      }),
  });
  const ageMs = facts === undefined ? 0 : now.getTime() - Date.parse(facts.seenAt);
  if (ageMs > oldFactsMs) notices.push({ text: `The facts are ${describeAge(ageMs)}.` });
  if (isDeployed(facts?.file))
    notices.push({ text: 'For the deployment in the facts, use the commands of the program: see below.' });
  return notices;
}

/** The publisher's index of today: the only request that the page can make, and only when it is told to. */
export async function readToday({ used: { index: before } }: Data): Promise<{ readonly used: UsedIndex }> {
  const response = await fetch(publicIndexUrl, { credentials: 'omit', cache: 'no-store' }).catch((cause) => {
    throw new LightspanError('network', `${publicIndexUrl} could not be reached`, {
      hint: 'Fetch it elsewhere and drop the file here.',
      cause,
    });
  });
  if (!response.ok) {
    throw new LightspanError('http-status', `${publicIndexUrl} answered with status ${response.status}`);
  }
  const used = await readIndex(await response.blob(), publicIndexUrl);
  if (Date.parse(used.index.generatedAt) < Date.parse(before.generatedAt)) {
    throw new LightspanError(
      'too-old',
      `the index ${publicIndexUrl} was generated ${used.index.generatedAt}, but the one in this page ${before.generatedAt}`,
      { hint: 'Try again later: a cache in between may return an old one.' },
    );
  }
  return { used };
}

/**
 * An index, or the facts of an instance: these say when they were collected.
 *
 * @throws what the program says of such a file
 */
export async function readFile(file: File): Promise<Partial<Data>> {
  const start = await file.slice(0, 2000).text();
  if (!/^\s*\{[^[]*"collectedAt"/.test(start)) return { used: await readIndex(file, file.name) };
  const facts = readDatedFacts(decode(await bytesOf(file, file.name), 'the facts'), file.name, new Date());
  return { facts: { ...facts, source: file.name } };
}

async function readIndex(blob: Blob, source: string): Promise<UsedIndex> {
  const bytes = await bytesOf(blob, source);
  try {
    const used = {
      index: parseReleaseSafetyIndexText(decode(bytes, 'the index')),
      source,
      sha256: undefined,
    };
    noticesOf({ used, facts: undefined }, new Date());
    return { ...used, sha256: await sha256(bytes) };
  } catch (error) {
    throw namingSource(source, error);
  }
}

function bytesOf(blob: Blob, source: string): Promise<ArrayBuffer> {
  if (blob.size <= mostBytes.source) return blob.arrayBuffer();
  throw new LightspanError('too-large', `${source} is larger than ${mostBytes.source} bytes`);
}

function decode(bytes: ArrayBuffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new LightspanError('invalid-json', `${what} is not UTF-8 text`);
  }
}

/** Undefined where the page came by plain http: browsers have no checksums there. */
async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  const digest = await subtle?.digest('SHA-256', bytes);
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
