import type { FactName, FactValue } from '../instance/facts/fact-names.js';

/** Where the facts of an instance come from: its database or a file, and its deployment. */
export interface FactsQuestion {
  readonly database: DatabaseQuestion | undefined;
  /** A facts file, or `-` for standard input; it is not read if a database is. */
  readonly file: string | undefined;
  readonly deployment: DeploymentSources | undefined;
  /** What a person states; it takes precedence. */
  readonly stated: ReadonlyMap<FactName, FactValue>;
  /** Older facts of the file are refused; undefined: they are warned of. */
  readonly maxAgeMs: number | undefined;
  /** For a connection to the database, and for each request to a cluster. */
  readonly timeoutMs: number;
  /** A file to write them to. */
  readonly out: string | undefined;
}

export interface DatabaseQuestion {
  /** A URL, `env` for the PG* variables, or the name of a variable with the URL. */
  readonly url: string;
  /** Undefined: the owner of the ledger. */
  readonly migratingRole: string | undefined;
  /** Whether it is measured how fast the server reads and sorts. */
  readonly measure: boolean;
}

/** What to read of a deployment. */
export interface DeploymentSources {
  /** Files, or `-` for standard input. */
  readonly manifests?: readonly string[] | undefined;
  /** Values files of the chart; later ones take precedence. */
  readonly values?: readonly string[] | undefined;
  /** Compose files; or what docker compose printed of them, in a file or, as `-`, on standard input. */
  readonly compose?: readonly string[] | undefined;
  /** Env files for compose, in place of `.env`. */
  readonly composeEnvFile?: readonly string[] | undefined;
  /** Whether to read a cluster. */
  readonly kubernetes?: boolean | undefined;
  /** Whether to read the keys of Secrets of the cluster, too. */
  readonly secretKeys?: boolean | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly release?: string | undefined;
}
