import { describeNotice } from './notices.js';

/** What of the known issues counted for nothing, as it was asked for. */
export interface LeftOut {
  /** No known issue was looked at: then none is accepted by name. */
  readonly publisherOnly: boolean;
  /** The ids of those that the user has dealt with. */
  readonly acceptedIssues: readonly string[];
}

/** A sentence each, for what is read without standard error beside it. */
export function describeLeftOut({ publisherOnly, acceptedIssues }: LeftOut): string[] {
  return [
    ...(publisherOnly ? [describeNotice({ kind: 'publisher-only' })] : []),
    ...acceptedIssues.map((id) => describeNotice({ kind: 'accepted-issue', id })),
  ];
}
