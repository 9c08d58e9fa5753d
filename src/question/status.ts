/** What is the migrator of a database doing? */
export interface StatusQuestion {
  /** A URL, `env` for the `PG*` variables, or the name of a variable with a URL. */
  readonly database: string;
  readonly migratingRole: string | undefined;
  readonly timeoutMs: number;
  /** How long a migration may wait for a lock before somebody has to look. */
  readonly stuckMs: number;
}
