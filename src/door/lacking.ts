/** What a command line lacks, or has twice, where what to do about it depends on the command and on the settings. */
export interface LackingDetails {
  readonly kind: 'lacking';
  readonly what: 'running-version' | 'one-running-version' | 'pinned-file';
  /** Whether the command has `--from-database`, too. */
  readonly mayBeInDatabase?: boolean;
}
