import { isMajorWithoutNote, majorsCrossed, majorsWithoutNote } from '../core/span.js';
import { upgradeNotesUrl } from '../words/evidence/release.js';
import { defineCheck, ok, stop, warn } from './check.js';

export const majors = defineCheck({
  id: 'majors',
  needs: [],
  *judge({ from, to, failOnMajor }) {
    for (const major of majorsCrossed({ from, to })) {
      if (isMajorWithoutNote(major)) yield ok({ kind: 'major-without-note', major }, major);
      else yield (failOnMajor === true ? stop : warn)(major, { kind: 'crosses-major', major });
    }
    if (majorsCrossed({ from, to }).length === 0) return ok({ kind: 'no-major-crossed' });
  },
})({
  label: 'Majors',
  meaning:
    'Whether the upgrade crosses a major. What it looks at: The two versions, and for which majors the notes of the ' +
    'publisher list something to do. The publisher says that a major asks you to act, but its index and artifacts ' +
    'do not mark majors. A major with a note, or of which nothing is known, is a warning; with --fail-on major, it ' +
    'stops the upgrade.',
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
    'major-without-note': ({ major }) =>
      `${major} is a major for which the publisher's notes list nothing to do (read ${majorsWithoutNote.readOn})`,
    'no-major-crossed': () => 'the upgrade crosses no major',
  },
});
