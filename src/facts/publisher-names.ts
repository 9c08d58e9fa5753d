import type { HelmReleaseFact } from './deployment-facts.js';

/** The name of the publisher's chart in its objects. */
export const chartName = 'lightdash';

/** Whether a chart is known not to be the publisher's. The values of such a chart mean what its own author says. */
export function isOtherChart(name: string | null | undefined): name is string {
  return name != null && name !== chartName;
}

/** Whether Helm upgrades the release, run by a person or by Flux; anything else renders the chart as for an install. */
export function isUpgradedByHelm({ appliedBy }: Pick<HelmReleaseFact, 'appliedBy'>): boolean {
  return appliedBy === undefined || appliedBy === 'flux';
}

/** The variable of the licence key: with it an instance runs enterprise migrations, without it none. */
export const licenceVariable = 'LIGHTDASH_LICENSE_KEY';

/** The variables of the object storage, without which releases that require it do not start. */
export const storageVariables = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'] as const;
