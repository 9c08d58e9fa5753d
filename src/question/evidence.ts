import type { Acceptance } from '../core/accepted.js';
import type { LightspanError } from '../core/lightspan-error.js';
import type { FactName, FactValue } from '../instance/facts/fact-names.js';
import type { Network } from './network.js';

/** What an upgrade is judged by: the part that the questions of all judging commands share. */
export interface EvidenceQuestion {
  readonly network: Network;
  readonly index: IndexPlace;
  readonly records: RecordsQuestion;
  readonly artifacts: ArtifactsQuestion;
  readonly facts: FactsInFile;
  readonly accepting: Accepting;
  readonly checks: ChecksQuestion;
  readonly settings: SettingsOfEvidence;
}

/** Where the release-safety index is read from. */
export interface IndexPlace {
  /** A URL, a file, a mirror folder, or `-` for standard input. */
  readonly source: string;
  /** A mirror: its artifacts and known issues lie beside the index, and cost no request. */
  readonly isFolder: boolean;
  /** An older index is refused; undefined: it is warned of. */
  readonly maxAgeMs: number | undefined;
  /** Whether standard error says where the index comes from. */
  readonly verbose: boolean;
}

/** Which known issues and notes count. */
interface RecordsQuestion {
  /** URLs, files and folders of records, besides the built-in ones and those of a mirror. */
  readonly sources: readonly string[];
  /** Whether no known issue counts, only the publisher's verdicts. */
  readonly publisherOnly: boolean;
}

/** Which artifacts are read. Where that costs no request, and for facts of an instance, they always are. */
export interface ArtifactsQuestion {
  /** A URL with `{version}` in it, or a mirror folder; undefined: the mirror of the index, else the publisher. */
  readonly place: string | undefined;
  /** Whether a yes needs every artifact of the span. */
  readonly everyOne: boolean;
  /** Whether the answer is about them anyway. */
  readonly isWanted: boolean;
}

/** Facts of the instance from a file and from the command line, before any are collected. */
export interface FactsInFile {
  /** A facts file, or `-` for standard input. */
  readonly file: string | undefined;
  /** What a person states; it takes precedence over the file. */
  readonly stated: ReadonlyMap<FactName, FactValue>;
  /** A folder with the YAML of the dbt project, which shows one fact more. */
  readonly project: string | undefined;
  /** A file that `upgrade-rehearse --out` has written. */
  readonly rehearsal?: string | undefined;
  /** Older facts are refused; undefined: they are warned of. */
  readonly maxAgeMs: number | undefined;
}

/** Risks that are accepted. */
export interface Accepting {
  /** By name alone, in this very question. */
  readonly names: readonly string[];
  /** By settings, with a reason and an end. */
  readonly bySettings: readonly Acceptance[];
}

/** How facts of an instance are judged. */
interface ChecksQuestion {
  /** Ids or groups of checks; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Bytes on the disk of the database. */
  readonly diskFree: number | undefined;
  /** Whether a major that is not accepted stops. */
  readonly failOnMajor: boolean;
}

/** What a file of settings decided of a question. */
interface SettingsOfEvidence {
  /** The file, as an answer shows it; undefined if it decided nothing. */
  readonly used: string | undefined;
  /** Why evidence may not be read that it names, or whatever else does: a change brings it itself. */
  readonly refused: LightspanError | undefined;
}
