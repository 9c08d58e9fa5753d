import { latestVersionOf } from '../release-safety/index-summary.js';
import type { ReportDocument } from '../render/json/documents.js';
import { sha256 } from '../sources/bytes.js';
import { describeSource, type LoadedIndex } from '../sources/index-source.js';

/** The index that an answer is based on. */
export function describeUsedIndex({ index, source, bytes }: LoadedIndex): ReportDocument['index'] {
  return {
    source: describeSource(source),
    generatedAt: index.generatedAt,
    latestVersion: latestVersionOf(index),
    sha256: sha256(bytes),
  };
}
