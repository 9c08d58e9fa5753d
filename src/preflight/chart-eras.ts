import { compareVersions, isVersion, requireVersion, type Version } from '../release-safety/version.js';

/** The first version of the chart with something; by the history of the chart unless said otherwise. */
export const chartWith = {
  /** A job that migrates, before it upgrades: on by default in this version alone. */
  migrationJob: requireVersion('2.6.0'),
  /** Objects of hooks that an interrupted upgrade leaves, and that the next one collides with (helm PR#141). */
  collidingHooks: requireVersion('2.7.0'),
  /** `migrationJob.existingSecret`. */
  jobSecret: requireVersion('2.8.0'),
  /** Pods that leave the migration to the job, where it is on (helm #134). */
  jobAlone: requireVersion('2.9.1'),
  /** A version of the chart for each release of Lightdash. */
  releaseEach: requireVersion('2.10.1'),
  /** Hooks that take away what is left of them before they run (helm PR#141). */
  hooksReplaced: requireVersion('2.10.175'),
  /** `lightdashBackend.strategy`. */
  strategy: requireVersion('2.13.0'),
  /** A bundled PostgreSQL that an upgrade leaves alone (helm PR#154). */
  lastingDatabase: requireVersion('2.14.0'),
  /** `migrationJob.inheritGlobalEnv` (helm PR#155). */
  inheritedVariables: requireVersion('2.15.0'),
  /** Recreate stops the workloads before the job migrates (the contract's chart rules 2 and 3). */
  scaleDown: requireVersion('2.16.284'),
  /** `upgrade.mode`: absent in 2.16.101, seen in this version; the first to have it is not known. */
  upgradeModeSeen: requireVersion('2.16.361'),
} as const;

/** What charts before `releaseEach` deploy, and what that one does, where `image.tag` is not set. */
export const defaultApps = {
  before: requireVersion('0.2248.0'),
  from: requireVersion('0.3486.1'),
} as const;

/** Withdrawn on its day, between 2.16.0 and 2.16.12. Its job is on by default; it refuses older releases than `minimum`. */
export const withdrawnChart = {
  version: '3.0.0-beta.1',
  instead: requireVersion('2.16.7'),
  minimum: requireVersion('1.169.1'),
} as const;

/** Charts whose migration job is on where values do not say. */
const jobByDefault: ReadonlySet<string> = new Set([chartWith.migrationJob, withdrawnChart.version]);

/** A version of the chart, where it stands in its history. */
export interface Chart {
  /** As written. */
  readonly text: string;
  /** The version that it is, or the one that it leads to. */
  readonly version: Version;
  readonly preRelease: boolean;
}

/** @returns undefined for what is no version */
export function chartOf(text: string | null | undefined): Chart | undefined {
  if (text === withdrawnChart.version) return { text, version: withdrawnChart.instead, preRelease: true };
  const [, version, preRelease] = /^v?(\d+[.]\d+[.]\d+)(-[^+]+)?(?:[+].*)?$/.exec(text ?? '') ?? [];
  if (text == null || !isVersion(version)) return undefined;
  return { text, version, preRelease: preRelease !== undefined };
}

export function isChartBefore({ version, preRelease }: Chart, than: Version): boolean {
  const order = compareVersions(version, than);
  return order < 0 || (order === 0 && preRelease);
}

/** Whether the migration job is on where values do not say. */
export function hasJobByDefault({ text }: Chart): boolean {
  return jobByDefault.has(text);
}
