import isBefore from 'semver/functions/lt.js';
import parse from 'semver/functions/parse.js';
import { LightspanError } from '../core/lightspan-error.js';
import { startsOnNewerDatabase } from '../core/route/way-back.js';
import { quote } from '../core/text/quote.js';
import { isVersion, requireVersion, type Version } from '../core/version.js';
import { isOtherChart } from './facts/lightdash-containers.js';

/**
 * From this version of the chart on, Recreate stops the workloads before the migration hook (contract, "Versioning").
 */
export const firstChartThatStopsWorkloads = '2.16.284';
export const lastChartThatNeedsScaleDown = '2.16.283';

/** The first version of the chart with a feature; by the history of the chart unless stated otherwise. */
export const chartWith = {
  /** A job that migrates before the upgrade: on by default in this version only. */
  migrationJob: requireVersion('2.6.0'),
  /** Hook objects that an interrupted upgrade leaves behind, and that the next one collides with (helm PR#141). */
  collidingHooks: requireVersion('2.7.0'),
  /** `migrationJob.existingSecret`. */
  jobSecret: requireVersion('2.8.0'),
  /** Pods that leave migrating to the job if it is on (helm #134). */
  jobAlone: requireVersion('2.9.1'),
  /** A version of the chart for each release of Lightdash. */
  releaseEach: requireVersion('2.10.1'),
  /** Hooks that remove their leftovers before they run (helm PR#141). */
  hooksReplaced: requireVersion('2.10.175'),
  /** `NATS_URL` for the job, which has `NATS_ENABLED` from the values already (helm #142). */
  jobNatsUrl: requireVersion('2.10.181'),
  /** `lightdashBackend.strategy`. */
  strategy: requireVersion('2.13.0'),
  /** A bundled PostgreSQL that an upgrade does not touch (helm PR#154). */
  lastingDatabase: requireVersion('2.14.0'),
  /** `migrationJob.inheritGlobalEnv` (helm PR#155). */
  inheritedVariables: requireVersion('2.15.0'),
  /** Recreate stops the workloads before the job migrates (the contract's chart rules 2 and 3). */
  scaleDown: requireVersion(firstChartThatStopsWorkloads),
  /** `upgrade.mode`: absent in 2.16.101, present in this version; the first version with it is not known. */
  upgradeModeSeen: requireVersion('2.16.361'),
} as const;

/** The release that charts before `releaseEach`, and that one, deploy if `image.tag` is not set. */
export const defaultApps = {
  before: requireVersion('0.2248.0'),
  from: requireVersion('0.3486.1'),
} as const;

/** A version of the chart, for comparison with its history. */
export interface Chart {
  readonly text: string;
  /** The version itself or, for a pre-release, the version it leads to. */
  readonly version: Version;
}

/** @returns undefined if the text is not a version, as Helm reads one strictly: with blanks around it, it is none */
export function chartOf(text: string | null | undefined): Chart | undefined {
  const read = text?.trim() === text ? parse(text) : null;
  if (text == null || read === null) return undefined;
  const version = `${read.major}.${read.minor}.${read.patch}`;
  return isVersion(version) ? { text, version } : undefined;
}

/** The publisher's chart of a release; undefined for another chart, whose version tells nothing here. */
export function chartOfRelease(
  helm: { readonly chart: string | null; readonly chartVersion: string | null } | null | undefined,
): Chart | undefined {
  return isOtherChart(helm?.chart) ? undefined : chartOf(helm?.chartVersion);
}

/**
 * A version of the chart that a person gives.
 *
 * @throws {LightspanError} `invalid-version`
 */
export function requireChart(text: string): Chart {
  const chart = chartOf(text);
  if (chart !== undefined) return chart;
  throw new LightspanError('invalid-version', `${quote(text)} is not a chart version`, {
    hint: `Write it as "helm list" shows it behind the name of the chart, for example ${firstChartThatStopsWorkloads}.`,
  });
}

/** A pre-release comes before the version it leads to. */
export function isChartBefore({ text }: Chart, than: Version): boolean {
  return isBefore(text, than);
}

/** The values that say how pods are replaced: the mode of all, the strategy of each, or none that this chart knows. */
export type StrategySetBy = 'upgrade-mode' | 'strategies' | 'nothing';

export function strategySetBy(chart: Chart): StrategySetBy {
  if (!isChartBefore(chart, chartWith.scaleDown)) return 'upgrade-mode';
  return isChartBefore(chart, chartWith.strategy) ? 'nothing' : 'strategies';
}

export function hasJobByDefault({ text }: Chart): boolean {
  return text === chartWith.migrationJob;
}

/** The first release with each part of the upgrade machinery. */
export const firstWith = {
  /** An image with pnpm in place of yarn, for good (#13258; without yarn already from 0.1446.0 to 0.1447.1). */
  noYarn: requireVersion('0.1456.1'),
  /** `migration_lease`, and `migrate up`, `status`, `wait` and `unlock`. */
  lease: startsOnNewerDatabase,
  /** `migrate preflight`, which every start of a migration runs first. */
  startCheck: requireVersion('1.125.0'),
  /** `/api/v1/readyz`, which fails during a park. */
  readyz: requireVersion('1.129.0'),
  /** A start check that no longer aborts on `minPreviousVersion` (PR#27219). */
  startCheckWithoutMinimum: requireVersion('1.134.1'),
  /** `/api/v1/readyz` stays ready during a park, and warns. */
  readyzWarns: requireVersion('1.169.1'),
  /** The start check of an older image no longer takes back-dated migrations of a newer one for a divergence. */
  startOnBackDated: requireVersion('1.259.1'),
} as const;
