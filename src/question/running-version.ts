import type { Version } from '../core/version.js';
import type { Network } from './network.js';

/** How the running version is found; one way, since two may differ. */
export type RunningVersionQuestion = StatedVersionQuestion | { readonly by: 'database' };

/** The ways that need no facts. */
export type StatedVersionQuestion = (
  | { readonly by: 'version'; readonly version: Version }
  | {
      readonly by: 'instance';
      readonly address: string;
      readonly network: Pick<Network, 'timeoutMs' | 'allowHttp'>;
    }
  | {
      readonly by: 'pins';
      /** Files that pin it, each with the path of the tag if it needs one; all must agree. */
      readonly files: readonly string[];
    }
) & {
  /** What stands behind the version in the tags of this deployment, whichever file they are read from or written to. */
  readonly tagSuffix: string | undefined;
};
