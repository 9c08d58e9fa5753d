/**
 * What plain.cjs loads when it is asked for: of what a check of a file or a URL, answered as text or as JSON, imports
 * lazily, only this is in it. Any other module that is imported lazily is left out, and where it is asked for, the check
 * is left to the whole program. So plain.cjs never answers with less than the whole program knows: it answers alike, or
 * not at all, and what is missing here costs time, never a verdict.
 */
export const lazyInPlain = [
  // Notices, what was accepted and what known issues ask for, in words; the log of a GitHub job.
  'src/answer/formats/log-text.ts',
  'src/words/evidence/notices.ts',
  'src/words/evidence/accepted.ts',
  'src/words/evidence/demands.ts',
  // An answer as text.
  'src/answer/builders/check.ts',
  'src/answer/builders/no-release.ts',
  'src/answer/builders/questions.ts',
  'src/answer/formats/text.ts',
  'chalk',
  // An index behind a URL.
  'src/gather/publisher/fetch-cached.ts',
  'src/gather/http/client.ts',
  'src/gather/files/sha256.ts',
  'src/launch/waiting.ts',
  'node:http',
  'node:https',
  'node:zlib',
  'node:stream',
  'node:timers/promises',
];

/** Of a record, no answer tells these. What joins records from elsewhere, and compares them, is no part of it either. */
export function withoutProse({
  schemaVersion,
  aliases,
  details,
  evidence,
  published,
  references,
  ...record
}) {
  return record.kind === undefined ? record : { ...record, references };
}
