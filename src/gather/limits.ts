/** How long is waited, and how much is read, unless an option says otherwise. */

/** For one request, one connection to a database, or one run of a program. */
export const usualTimeoutMs = 30_000;
/** The same in the form that an option takes, for the help. */
export const usualTimeout = '30s';

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
