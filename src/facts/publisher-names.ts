/** The publisher's chart, as its objects name it. */
export const chartName = 'lightdash';

/** The variable of the licence key: with it an instance runs enterprise migrations, and without it none. */
export const licenceVariable = 'LIGHTDASH_LICENSE_KEY';
