import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';
import { type ChartRecreate, firstChartThatStopsWorkloads } from './deployment.js';
import { quoteForMessage, ReleaseSafetyError } from './errors.js';

/**
 * What a version of the chart does in a Recreate. Charts have SemVer 2 versions. A pre-release of the first chart that
 * stops the workloads counts as older than that chart.
 *
 * @throws {ReleaseSafetyError} `invalid-version`
 */
export function chartRecreateOf(chartVersion: string): ChartRecreate {
  const version = parse(chartVersion);
  if (version === null || /\s/.test(chartVersion)) {
    throw new ReleaseSafetyError(
      'invalid-version',
      `${quoteForMessage(chartVersion)} is not a chart version`,
      `Write it as "helm list" shows it behind the name of the chart, for example ${firstChartThatStopsWorkloads}.`,
    );
  }
  return compare(version, firstChartThatStopsWorkloads) >= 0 ? 'stops-workloads' : 'needs-scale-down';
}
