/** How long is waited, how much is read, and how old it may be, unless an option says otherwise. */

/** For one request, one connection to a database, or one run of a program. */
export const usualTimeoutMs = 30_000;
/** The same in the form that an option takes, for the help; so with what follows. */
export const usualTimeout = '30s';

const dayMs = 86_400_000;

/** An older index is warned of: newer releases may be missing. */
export const oldIndexMs = 7 * dayMs;
export const oldIndex = '7d';
/** Older facts count as old: locks and sessions change quickly. */
export const oldFactsMs = dayMs;
/** An older rehearsal is refused: an upgrade is rehearsed some days before it is made. */
export const oldRehearsalMs = 14 * dayMs;
export const oldRehearsal = '14d';

const mebibyte = 1024 ** 2;

/** The most bytes of a source, after decoding. */
export const mostBytes = {
  /** Of a file of settings or logins, a file that may pin, or an answer of a registry. */
  small: mebibyte,
  /** Of an answer of a running instance about itself. */
  state: 4 * mebibyte,
  /** Of all that a database answers. */
  database: 8 * mebibyte,
  /** Of a file or standard input that a command reads. */
  input: 16 * mebibyte,
  /** Of an index, an artifact or known issues: thirty times the public index of 2026. */
  source: 24 * mebibyte,
  /** Of an answer of the API: a page of rows. */
  page: 64 * mebibyte,
} as const;
