import type { RoutePreference } from '../core/version.js';
import type { EvidenceQuestion } from './evidence.js';
import type { StatedVersionQuestion } from './running-version.js';
import type { TargetQuestion } from './target.js';

/** From where to where, and by which evidence. */
interface WayQuestion {
  readonly running: StatedVersionQuestion;
  readonly target: TargetQuestion;
  readonly evidence: EvidenceQuestion;
}

/** By which stops may the target be reached? */
export interface RouteQuestion extends WayQuestion {
  readonly prefer: RoutePreference;
  /** A route with a hop that does not roll is no yes. */
  readonly requireRolling: boolean;
  /** A route with more hops is no yes. */
  readonly maxHops: number | undefined;
  readonly steps: StepsQuestion | undefined;
}

/** What do the releases between two versions bring, and what does an instance say of them? */
export interface ReportQuestion extends WayQuestion {
  /** The environment variables that are set: a .env file, or `values.yaml#path`. Values are never shown. */
  readonly variables: string | undefined;
}

/** Which releases may a bot propose to whoever runs a version? */
export interface DatasourceQuestion extends WayQuestion {
  /** Whether a hop with downtime is listed, held, where nothing is proven to roll. */
  readonly listsDowntime: boolean;
}

/** For which deployment the steps of a route are written. */
export type StepsQuestion = HelmSteps | ComposeSteps;

interface StepsOfAnyKind {
  /** A folder for one script per hop. */
  readonly out: string | undefined;
}

export interface HelmSteps extends StepsOfAnyKind {
  readonly kind: 'helm';
  readonly release: string | undefined;
  /** Values files; later ones take precedence. */
  readonly values: readonly string[];
  readonly chartVersion: string | undefined;
  /** Whether `migrationJob.enabled` is set; without it, the facts say so. */
  readonly migrationJob: boolean;
}

export interface ComposeSteps extends StepsOfAnyKind {
  readonly kind: 'compose';
  readonly files: readonly string[];
  /** Files of variables in place of `.env`. */
  readonly envFiles: readonly string[] | undefined;
}
