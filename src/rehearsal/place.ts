import type { Env } from '../core/common/env.js';
import type { Version } from '../core/version.js';
import type { Dump, RestoreProgram } from './dump.js';
import type { MigratorCommand } from './migrator.js';
import type { Copy } from './prepare.js';
import type { CopyServer } from './restore.js';

/** A server of our own, for one rehearsal. */
export interface RehearsalServer extends CopyServer {
  /** 15 of PostgreSQL 15.18. */
  readonly major: number;
  /** Whether it has no network. */
  readonly isIsolated: boolean;
  /** Calls for each line of its log, until the result is called. */
  readonly onLog: (line: (text: string) => void) => () => void;
  /** Why it has ended, if it has. */
  readonly failure: () => string | undefined;
  /** What migrates a copy on it to a release. */
  readonly migrator: (copy: Copy, version: Version) => Omit<MigratorCommand, 'limitMs'>;
  /** The digest of what migrated to a release. */
  readonly imageOf: (version: Version) => string | undefined;
  /** Ends it at once, and removes all of it. It waits for nothing, so that it can be called when a signal comes. */
  readonly remove: () => void;
}

/** Where copies are made. */
export interface Place {
  readonly by: 'programs' | 'docker' | 'podman';
  readonly restore: RestoreProgram;
  /** Removes what rehearsals have left whose process is gone, and names it. Those that run are left alone. */
  readonly removeLeftovers: () => readonly string[];
  /** @throws {LightspanError} `unreadable-source` if it does not start, or is older than the dump */
  readonly start: (dump: Dump) => Promise<RehearsalServer>;
}

/** What a place needs to know of a rehearsal. */
export interface PlaceRequest {
  readonly env: Env;
  /** The folder of temporary files. */
  readonly tmp: string;
  /** Stands in the names of what is made for it. */
  readonly suffix: string;
  /** Whether rows are restored: then the server syncs to the disk, as one in production does. */
  readonly full: boolean;
  /** The names of variables that the migrator gets. */
  readonly variables: readonly string[];
}
