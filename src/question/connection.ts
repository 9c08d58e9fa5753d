import type { Network } from './network.js';

/**
 * The Lightdash instance that requests with a token go to. Undefined members come from the environment, or from the
 * login of the Lightdash CLI.
 */
export interface ConnectionQuestion {
  readonly url: string | undefined;
  /** The UUID of a project. */
  readonly project: string | undefined;
  /** How the token is sent; undefined: by its kind. */
  readonly auth: 'apikey' | 'bearer' | undefined;
  readonly network: Pick<Network, 'timeoutMs' | 'allowHttp'>;
  /** Whether standard error says which instance, project and token are used. */
  readonly verbose: boolean;
}

export const rowFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type RowFormatName = (typeof rowFormats)[number];

/** How the rows of a query are written. */
export interface RowsQuestion {
  /** The format that was named; undefined: `format` follows from the file, or is the usual one. */
  readonly output: RowFormatName | undefined;
  readonly format: RowFormatName;
  /** A file; undefined: standard output. */
  readonly out: string | undefined;
  /** Whether CSV keeps what a spreadsheet would run as a formula. */
  readonly rawCsv: boolean;
  /** Rows to request at a time. */
  readonly pageSize: number | undefined;
  /** Whether standard output is one line of JSON, with the rows in it unless a file has them. */
  readonly json: boolean;
}
