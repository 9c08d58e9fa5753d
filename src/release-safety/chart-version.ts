import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import type { ChartRecreate } from './deployment.js';
import { quoteForMessage, ReleaseSafetyError } from './errors.js';

/** From this version of the chart on, Recreate stops the workloads before the migration hook (contract, "Versioning"). */
export const firstChartThatStopsWorkloads = '2.16.284';

/**
 * What a version of the chart does for a Recreate. Charts have SemVer 2 versions; a pre-release of the first chart
 * that stops the workloads counts as older than it.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function chartRecreateOf(chartVersion: string): ChartRecreate {
  const version = parse(chartVersion);
  if (version === null || /\s/.test(chartVersion)) {
    throw new ReleaseSafetyError(
      'invalid-version',
      `${quoteForMessage(chartVersion)} is not a chart version`,
      'Write it as "helm list" shows it behind the name of the chart, for example 2.16.284.',
    );
  }
  return compare(version, firstChartThatStopsWorkloads) >= 0 ? 'stops-workloads' : 'needs-scale-down';
}
