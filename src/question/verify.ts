import type { Version } from '../core/version.js';
import type { ConnectionQuestion } from './connection.js';
import type { IndexPlace } from './evidence.js';
import type { FactsQuestion } from './facts.js';
import type { Network } from './network.js';

/** Is the release that was deployed served, and is all else as it should be? */
export interface VerifyQuestion {
  readonly instance: URL;
  readonly version: Version;
  readonly polling: Polling;
  /** Whether a newer version is a yes too. */
  readonly allowNewer: boolean;
  /** Undefined if only the instance itself is looked at, without checks of its database and deployment. */
  readonly look: InstanceChecksQuestion | undefined;
  readonly canary: CanaryQuestion | undefined;
}

/** Durations in milliseconds. */
export interface Polling {
  /** 0 for one look. */
  readonly windowMs: number;
  readonly intervalMs: number;
  /** How many times in a row the instance must be ready. */
  readonly polls: number;
  readonly network: Pick<Network, 'timeoutMs' | 'allowHttp'>;
}

/** The checks after an upgrade. */
export interface InstanceChecksQuestion {
  readonly facts: FactsQuestion;
  readonly index: IndexPlace;
  /** Where artifacts are, as for other evidence. */
  readonly artifacts: string | undefined;
  readonly network: Network;
}

/** One query through the instance, which must return rows. */
export interface CanaryQuestion {
  /** A merge file, `-` for standard input, or the UUID of a chart. */
  readonly query: string;
  readonly connection: ConnectionQuestion;
  /** The longest wait for its rows. */
  readonly windowMs: number;
}
