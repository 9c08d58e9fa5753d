/** What the help of several commands says, word for word: each stands here once. */

export const fileOrInput = 'a file, or - for standard input';
export const filesOrInput = 'files, or - for standard input';
export const wholeFile = 'to a file, complete or not at all';

/** @param what comes from somewhere: `the answer` */
export const whereFrom = (what: string) => `say on standard error where ${what} comes from`;

// The plain check needs no help: the bundler has to know that these do nothing else.

/** @param what is waited for: `a fetch` */
export const longestWait = /* @__NO_SIDE_EFFECTS__ */ (what: string) =>
  `longest wait for ${what}, such as 30, 30s or 10m`;

/** @param rolling what a command without routes does not have */
export const describeTarget = /* @__NO_SIDE_EFFECTS__ */ (rolling = '') =>
  `the target version; latest is the newest in the index, ${rolling}recommended the newest that is old enough ` +
  '(--min-age) and has no known issue';

/** @param tags which: `that tag`, `the tags` */
export const suffixIn = /* @__NO_SIDE_EFFECTS__ */ (tags: string) =>
  `the suffix after the version in ${tags}, such as -custom`;

/** Parts of what an exit code means. */
export const endings = {
  noIndexOrInstance: 'no index or no answer from the instance is available',
  untrusted: 'the index, or an answer of the instance, cannot be trusted',
  noRecords: 'a source of known issues is unavailable',
  nothingSent: 'the request is wrong; nothing was sent',
  noResult:
    'no answer is available: network, timeout, login, an error of the server, or the wait ended first',
  notTheContract: 'an answer does not match the contract',
} as const;

/** @param what may be stopped: `it`, `the hop` */
export function factsUnread(what: string): string {
  return `a check that can stop ${what} could not read what it needs in --facts`;
}
