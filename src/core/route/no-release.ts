import type { ReleaseSafetyIndex } from '../index/release-safety-index.js';
import { firstNewerThan, type Span } from '../span.js';
import type { Version } from '../version.js';
import { isNoRelease } from './route.js';

/** A version that the index would contain if it existed, with its neighbours there. */
export interface NoRelease {
  readonly version: Version;
  /** The newest that is older, and the oldest that is newer. */
  readonly before: Version | undefined;
  readonly after: Version | undefined;
  /** When the index was made, ISO 8601. */
  readonly generatedAt: string;
}

/** Of the ends of a span, the start first. */
export function findNoRelease(index: ReleaseSafetyIndex, { from, to }: Span): NoRelease | undefined {
  const version = [from, to].find((end) => isNoRelease(index, end));
  if (version === undefined) return undefined;
  const { versions, generatedAt } = index;
  const newer = firstNewerThan(versions, version);
  return {
    version,
    before: newer === 0 ? undefined : versions.at(newer - 1),
    after: versions.at(newer),
    generatedAt,
  };
}
