/** The publisher's chart, as its objects name it. */
export const chartName = 'lightdash';

/** Whether a chart is known to be another than the publisher's, whose values mean what its own author says. */
export function isOtherChart(name: string | null | undefined): name is string {
  return name != null && name !== chartName;
}

/** The variable of the licence key: with it an instance runs enterprise migrations, and without it none. */
export const licenceVariable = 'LIGHTDASH_LICENSE_KEY';
