import type { DeployedHelm } from '../../facts/deployed.js';
import { isOtherChart } from '../../facts/publisher-names.js';
import type { KnownInstance } from './confirm.js';

/** What is known of a deployment. Unknown values are undefined, and the commands require them as variables. */
export interface DeploymentFacts {
  readonly instance: KnownInstance | undefined;
  /** The tag of a release in the file's form. */
  readonly tagOf: (version: string) => string;
  /** Whether the file also pins the digest of the current tag. */
  readonly pinsDigest: boolean;
  readonly helm: HelmFacts;
  readonly compose: ComposeFacts;
}

/** The facts of a Helm release, after the command line was compared with them. */
export interface HelmFacts extends Omit<DeployedHelm, 'migrationJob' | 'notStopped'> {
  /** The file for the new tag. */
  readonly valuesFile: string | undefined;
  /** All of them, in the order in which Helm merges them; empty if there is only that one. */
  readonly valuesFiles: readonly string[];
  /** Whether it is known that no job migrates, unless the command line says that one does. */
  readonly migratesAtBoot: boolean;
}

/** Whether Helm uses a chart of someone else: one that has Lightdash as a dependency, or that has another name. */
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
  /** The file for the new tag. */
  readonly file: string | undefined;
  /** All of them, if there are more than that one. */
  readonly joined: JoinedFiles | undefined;
  readonly project: string | undefined;
  /** The services that run the image; empty if not known. */
  readonly services: readonly string[];
  /** Registry and repository. */
  readonly image: string | undefined;
  /** The service of the database, if it is reached through its container. */
  readonly database: string | undefined;
}

/** The files that compose merges, in its order, relative to the folder of the first. */
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
