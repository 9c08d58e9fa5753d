/** How a command reaches servers, and how much it takes from one. */
export interface Network {
  /** For one request; for artifacts, for all that are requested together. */
  readonly timeoutMs: number;
  /** Of one source, after decoding. */
  readonly maxBytes: number;
  /** Whether plain http may leave this machine. */
  readonly allowHttp: boolean;
  /** Whether the cache is read and written. */
  readonly cache: boolean;
  /** Whether no server may be contacted: the cache answers, however old, or nothing does. */
  readonly offline: boolean;
}
