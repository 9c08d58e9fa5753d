import type { ReplacedIssue } from '../../known-issues/join-records.js';
import { describeNotice } from './notices.js';

/** Which known issues were excluded on request, and which built-in ones a source of records replaced. */
export interface LeftOut {
  /** Whether no known issue was considered: then none is accepted by name. */
  readonly publisherOnly: boolean;
  /** The ids of those that the user accepted. */
  readonly acceptedIssues: readonly string[];
  readonly replacedIssues: readonly ReplacedIssue[];
}

/** One sentence each, for output that is read without standard error. */
export function describeLeftOut({
  publisherOnly,
  replacedIssues,
}: Pick<LeftOut, 'publisherOnly' | 'replacedIssues'>): string[] {
  return [
    ...(publisherOnly ? [describeNotice({ kind: 'publisher-only' })] : []),
    ...replacedIssues.map((issue) => describeNotice({ kind: 'replaced-issue', ...issue })),
  ];
}
