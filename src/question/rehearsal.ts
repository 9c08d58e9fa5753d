import type { Version } from '../core/version.js';
import type { EvidenceQuestion } from './evidence.js';
import type { TargetQuestion } from './target.js';

/** Do the migrations of an upgrade go through on a copy of the database, and how long do they take? */
export interface RehearsalQuestion {
  /** Undefined: as the ledger in the dump shows it. */
  readonly from: Version | undefined;
  readonly target: TargetQuestion;
  readonly evidence: EvidenceQuestion;
  readonly copy: CopyQuestion;
}

/** How the copy is made, and what migrates it. Nothing in it is the address of a server. */
export interface CopyQuestion {
  /** A file or folder that `pg_dump` has written. */
  readonly dump: string;
  /** Whether all rows are restored. */
  readonly full: boolean;
  /** A file of `pg_dumpall --roles-only`. */
  readonly roles: string | undefined;
  /** The role that migrates; undefined: the owner of `knex_migrations`. */
  readonly role: string | undefined;
  /** Of one run of a migrator. */
  readonly limitMs: number;
  /** The names of variables that the migrator gets of this environment. */
  readonly variables: readonly string[];
  readonly where: CopyPlace;
}

/** Where the copy is made. */
export type CopyPlace = ProgramsPlace | ContainersPlace;

/** Programs of this machine, with a command that migrates to `{version}`. */
export interface ProgramsPlace {
  readonly by: 'programs';
  /** Undefined: as the PATH finds them. */
  readonly folder: string | undefined;
  readonly migrate: string;
}

/** Containers of this machine: the migrator is that of the image. */
export interface ContainersPlace {
  readonly by: 'containers';
  /** Undefined: docker, or else podman. */
  readonly program: 'docker' | 'podman' | undefined;
  /** Without its tag, which is the release. */
  readonly image: string;
  readonly tagSuffix: string;
  /** That of the server; undefined: one of the dump's version. */
  readonly serverImage: string | undefined;
}
