/** Where the release-safety index is read from. */
export interface IndexPlace {
  /** A URL, a file, a mirror folder, or `-` for standard input. */
  readonly source: string;
  /** A mirror has artifacts and known issues beside its index, which cost no request. */
  readonly isFolder: boolean;
  /** An older index is refused; undefined: it is warned of. */
  readonly maxAgeMs: number | undefined;
  /** Whether standard error says where the index comes from. */
  readonly verbose: boolean;
}
