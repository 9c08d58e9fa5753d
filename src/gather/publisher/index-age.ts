import { isInFuture } from '../../core/common/in-future.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Notify } from '../../core/notice.js';
import { decodeUtf8 } from '../files/read-file.js';
import { oldIndexMs } from '../limits.js';

/** Refuses an index that is older than the previous valid one. */
export function requireNotOlder(
  { generatedAt }: { readonly generatedAt: string },
  before: Uint8Array | undefined,
  words: { readonly message: (came: string, before: string) => string; readonly orElse: string },
): void {
  const later = before && generationOf(before);
  if (later === undefined || !(Date.parse(later) > Date.parse(generatedAt))) return;
  throw new LightspanError('too-old', words.message(generatedAt, later), {
    hint:
      'Run again later: a cache in between may return an old one. If the publisher withdrew the newer one, ' +
      `${words.orElse}.`,
  });
}

function generationOf(bytes: Uint8Array): string | undefined {
  try {
    const index: unknown = JSON.parse(decodeUtf8(bytes, 'the index'));
    return isRecord(index) && typeof index.generatedAt === 'string' ? index.generatedAt : undefined;
  } catch {
    return undefined;
  }
}

interface AgeLimits {
  readonly source: string;
  readonly now: Date;
  /** If undefined, no index is refused, and one older than `oldIndexMs` causes a warning. */
  readonly maxAgeMs: number | undefined;
  readonly notify: Notify;
}

/** By the clock of this machine. Of an index from the future, it is not known which releases are missing. */
export function checkIndexAge(
  { generatedAt }: { readonly generatedAt: string },
  { source, now, maxAgeMs, notify }: AgeLimits,
): void {
  if (isInFuture(generatedAt, now)) {
    throw new LightspanError(
      'invalid-index',
      `generatedAt is in the future: ${generatedAt}, but it is ${now.toISOString()} here`,
      { hint: 'Check the clock of this machine.' },
    );
  }
  const ageMs = now.getTime() - Date.parse(generatedAt);
  if (maxAgeMs === undefined && ageMs > oldIndexMs) notify({ kind: 'old-index', source, generatedAt, ageMs });
  if (maxAgeMs === undefined || ageMs <= maxAgeMs) return;
  const oldest = new Date(now.getTime() - maxAgeMs).toISOString();
  throw new LightspanError(
    'too-old',
    `${source}: the index was generated at ${generatedAt}, but --max-age requires ${oldest} or later`,
    { hint: 'Fetch it again, or allow an older one with --max-age.' },
  );
}
