import { majorsCrossed } from '../core/span.js';
import { upgradeNotesUrl } from '../core/words/release.js';
import { defineCheck, ok, stop, warn } from './check.js';

export const majors = defineCheck({
  id: 'majors',
  needs: [],
  *judge({ from, to, failOnMajor }) {
    for (const major of majorsCrossed({ from, to })) {
      yield (failOnMajor === true ? stop : warn)(major, { kind: 'crosses-major', major });
    }
    return ok({ kind: 'no-major-crossed' });
  },
})({
  label: 'Majors',
  meaning:
    'Whether the upgrade crosses a major. What it looks at: The two versions alone. The publisher says that a ' +
    'major asks you to act, but its index and artifacts do not mark majors. This is a warning; with --fail-on ' +
    'major, it stops the upgrade.',
  finds: {
    'crosses-major': {
      meaning: 'The upgrade crosses a major, which asks you to act. No verdict says how.',
      remedy:
        `Read the upgrade notes of the publisher (${upgradeNotesUrl}), do what they ask for, and accept it by ` +
        'name.',
      describe: ({ major }) => `${major} is a major: the publisher asks you to act`,
      advise: ({ major }) =>
        `Read ${upgradeNotesUrl}, and what changes for you in this answer; once that is done, say so with ` +
        `--accept majors/${major}.`,
    },
    'no-major-crossed': () => 'the upgrade crosses no major',
  },
});
