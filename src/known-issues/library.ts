import { type Facts, factNames, factsOf, readFact } from '../facts/fact-names.js';
import { quoteForMessage, ReleaseSafetyError } from '../release-safety/errors.js';
import {
  withKnownIssues as holdAgainst,
  isParsedIndex,
  parseReleaseSafetyIndex,
  type ReleaseSafetyIndex,
} from '../release-safety/parse-index.js';
import { builtInKnownIssues, timeForRecords } from './built-in.js';
import { knownIssuesOf } from './known-issues.js';
import { parseKnownIssues } from './parse-records.js';
import type { KnownIssue } from './record-schema.js';

/** The function that the library exports: it checks what a program in JavaScript passes in. */

/** The input of `withKnownIssues`. */
export interface KnownIssueRequest {
  /** The records to use; those built in if absent. */
  readonly records?: readonly KnownIssue[];
  /**
   * What is known of the instance, by the names of `--fact`, such as `{ edition: 'community', 'rows.sessions': 12 }`.
   */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** What time it is: a record counts until it is withdrawn. If absent, it is the time at which the index was made. */
  readonly now?: Date;
}

/**
 * The index with what is known against its releases. `evaluateSpan`, `planRoute` and every other function that receives
 * an index take it into account. A condition whose fact is not known counts as met.
 *
 * @throws {ReleaseSafetyError} `invalid-known-issue`; `invalid-facts`; what `parseReleaseSafetyIndex` throws
 */
export function withKnownIssues(
  index: ReleaseSafetyIndex,
  { records = builtInKnownIssues.records, facts = {}, now }: KnownIssueRequest = {},
): ReleaseSafetyIndex {
  const read = records.flatMap((record) => parseKnownIssues(record));
  const parsed = isParsedIndex(index) ? index : parseReleaseSafetyIndex(index);
  const time = timeForRecords(now ?? new Date(parsed.generatedAt));
  return holdAgainst(parsed, knownIssuesOf(read, readFacts(facts), time));
}

function readFacts(facts: Readonly<Record<string, string | number>>): Facts {
  const known = Object.entries(facts).map(([name, written]) => {
    const fact = readFact(name, written);
    if (fact.ok) return [fact.name, fact.value] as const;
    throw invalid(
      fact.expected === undefined
        ? `there is no fact ${quoteForMessage(name)}; the facts are ${factNames.join(', ')}`
        : `${name} is ${fact.expected}, not ${quoteForMessage(written)}`,
    );
  });
  return factsOf(new Map(known));
}

function invalid(message: string): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-facts', message);
}
