import type { AcceptableFinding } from '../core/pins.js';
import type { EvidenceQuestion } from './evidence.js';
import type { IgnoredPath, PinsOfSides } from './settings.js';
import type { TargetQuestion } from './target.js';

/** May a change of files be merged, as far as it moves Lightdash? */
export interface ChangeQuestion {
  readonly sides: SidesQuestion;
  readonly pins: PinsQuestion;
  /** Files whose changes are not judged. */
  readonly ignored: readonly IgnoredPath[];
  /** The suffix after the version in tags. */
  readonly tagSuffix: string | undefined;
  /** Findings about the change itself that are accepted by name, such as `image-changed`. */
  readonly accepted: ReadonlySet<AcceptableFinding>;
  readonly evidence: EvidenceQuestion;
}

/** To which release may a pin be moved, one hop at a time? */
export interface BumpQuestion {
  /** Files that pin, each with the path of the tag if it needs one; all must pin the same, and all are moved. */
  readonly files: readonly string[];
  /** What follows the version in tags. */
  readonly tagSuffix: string;
  readonly target: TargetQuestion;
  /** Whether a hop that needs a downtime is pinned, too. */
  readonly allowRecreate: boolean;
  /** Whether the registry must have the image before anything is written. */
  readonly requireImage: boolean;
  /** Whether the files are changed; otherwise the answer only shows what would change. */
  readonly writes: boolean;
  readonly evidence: EvidenceQuestion;
}

/** What is compared with what. */
export type SidesQuestion =
  | {
      readonly by: 'commits';
      /** A folder of the repository. */
      readonly repo: string;
      readonly base: string;
      /** Undefined: what is staged for the next commit. */
      readonly head: string | undefined;
    }
  /** The change that pre-commit runs a hook for, as its variables say. */
  | { readonly by: 'pre-commit'; readonly repo: string }
  | { readonly by: 'files'; readonly before: string; readonly after: string };

/** Which pins are judged. */
export interface PinsQuestion {
  readonly named: readonly string[];
  /** A file that lists them, from the root of the repository. */
  readonly config: string | undefined;
  readonly bySettings: PinsOfSides | undefined;
}
