import type { DeployedHelm } from '../../facts/deployed.js';
import { isOtherChart } from '../../facts/publisher-names.js';
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

/** What facts tell of a release of Helm, once the command line was held against it. */
export interface HelmFacts extends Omit<DeployedHelm, 'migrationJob'> {
  /** The one that the tag is put into. */
  readonly valuesFile: string | undefined;
  /** All of them, in the order in which Helm joins them; none where that one is all. */
  readonly valuesFiles: readonly string[];
  /** It is known that no job migrates. */
  readonly migratesAtBoot: boolean;
}

/** Whether Helm is given a chart of another: one that has Lightdash as a dependency, or of another name. */
export function deploysOtherChart({ valuesPath, chart }: Pick<HelmFacts, 'valuesPath' | 'chart'>): boolean {
  return valuesPath.length > 0 || isOtherChart(chart);
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
