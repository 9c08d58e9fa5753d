import type { Autoscaler } from '../../facts/deployed.js';
import type { KnownInstance } from './confirm.js';

/** What is known of a deployment. What nobody told is undefined, and the commands ask for it as a variable. */
export interface DeploymentFacts {
  readonly instance: KnownInstance | undefined;
  /** How the tag of a release is written. */
  readonly tagOf: (version: string) => string;
  /** The file pins the digest of the tag that runs, too. */
  readonly pinsDigest: boolean;
  readonly helm: HelmFacts;
  readonly compose: ComposeFacts;
}

export interface HelmFacts {
  /** Of kubectl, where a cluster was read by one. */
  readonly context: string | undefined;
  readonly release: string | undefined;
  readonly namespace: string | undefined;
  /** The name of the chart that has the workloads; the publisher's is `lightdash`. */
  readonly chart: string | undefined;
  readonly chartVersion: string | undefined;
  /** The one that the tag is put into. */
  readonly valuesFile: string | undefined;
  /** All of them, in the order in which Helm joins them; none where that one is all. */
  readonly valuesFiles: readonly string[];
  /** Under which keys the values of Lightdash stand; some where it is a dependency of another chart. */
  readonly valuesPath: readonly string[];
  /** The Deployments of Lightdash; none where they are not known. */
  readonly deployments: readonly string[];
  readonly backend: string | undefined;
  readonly autoscalers: readonly Autoscaler[];
  readonly migrationJobName: string | undefined;
  /** It is known that no job migrates. */
  readonly migratesAtBoot: boolean;
  /** What the backend has to start in, in seconds. */
  readonly startup: number | 'none' | undefined;
}

export const nothingOfHelm: HelmFacts = {
  context: undefined,
  release: undefined,
  namespace: undefined,
  chart: undefined,
  chartVersion: undefined,
  valuesFile: undefined,
  valuesFiles: [],
  valuesPath: [],
  deployments: [],
  backend: undefined,
  autoscalers: [],
  migrationJobName: undefined,
  migratesAtBoot: false,
  startup: undefined,
};

export interface ComposeFacts {
  /** The one that the tag is put into. */
  readonly file: string | undefined;
  /** All of them, where that one is not all. */
  readonly joined: JoinedFiles | undefined;
  readonly project: string | undefined;
  /** Those that run the image; none where they are not known. */
  readonly services: readonly string[];
  /** Registry and repository. */
  readonly image: string | undefined;
  /** The service of the database, where it is reached through its container. */
  readonly database: string | undefined;
}

/** Files that compose joins, in its order, as seen from the folder of the first. */
export interface JoinedFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

export const nothingOfCompose: ComposeFacts = {
  file: undefined,
  joined: undefined,
  project: undefined,
  services: [],
  image: undefined,
  database: undefined,
};
