import type { DrawnRelease } from './span-picture.js';

const runs: DrawnRelease = { version: '2.0.0', verdict: true };
const yes = (version: string): DrawnRelease => ({ version, verdict: true });

/** What each span rule is about, as releases in a row. */
export const scenes: Readonly<Record<string, readonly DrawnRelease[]>> = {
  'all-true': [runs, yes('2.1.0'), yes('2.2.0'), yes('2.3.0')],
  'rule-1': [runs, yes('2.1.0'), { version: '2.2.0', verdict: 'unknown' }, yes('2.3.0')],
  'rule-2': [runs, yes('2.1.0'), { version: '2.2.0', verdict: false }, yes('2.3.0')],
  'rule-3': [runs, yes('2.1.0'), yes('2.2.0'), { ...yes('2.3.0'), requires: '2.1.0' }],
  'rule-4': [runs, yes('2.1.0'), yes('2.2.0'), { ...yes('2.3.0'), minimum: '2.2.0' }],
  'rule-5': [
    { version: '1.9.0', verdict: 'not in the index' },
    { version: '2.0.0', verdict: 'unknown', backfilled: true, floor: true },
    yes('2.1.0'),
    yes('2.2.0'),
  ],
  'rule-6': [runs, { version: '2.1.0', verdict: 'unknown', backfilled: true }, yes('2.2.0'), yes('2.3.0')],
  'rule-7': [runs, yes('2.1.0'), yes('2.2.0'), { version: '2.9.9', verdict: 'not in the index' }],
};
