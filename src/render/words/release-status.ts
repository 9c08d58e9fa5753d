import type { ReleaseStatus } from '../../release-safety/kinds.js';
import type { Word } from './word.js';

/** The status of a release in a report, by index and artifact together. */
export const releaseStatusWords: Record<
  ReleaseStatus,
  Word & { readonly label: string; readonly brief: string }
> = {
  proven: {
    label: 'proven',
    brief: 'true in the index, and no artifact contradicts it',
    meaning:
      'The index says true, and the artifact says the same or was not read. Only such a release counts as safe to roll.',
    rule: 1,
  },
  unsafe: {
    label: 'unsafe',
    brief: 'the index or the artifact says false',
    meaning:
      'The index or the artifact says false. Old and new pods may not overlap while the release is rolled out.',
    rule: 2,
    remedy: 'Plan a downtime and use Recreate, or choose a target before that release.',
  },
  'unknown-recent': {
    label: 'unknown, recent',
    brief: 'published with an unknown verdict, which counts as unsafe',
    meaning: 'The release was published with an unknown verdict. It counts as unsafe.',
    rule: 1,
    remedy: 'Plan a downtime and use Recreate, or wait: the verdict may still come.',
  },
  'unknown-backfilled': {
    label: 'unknown, backfilled',
    brief: 'recorded afterwards: its verdict stays unknown, which counts as unsafe',
    meaning: 'The entry was generated after the release, and its verdict stays unknown. It counts as unsafe.',
    rule: 6,
    remedy: 'Plan a downtime and use Recreate.',
  },
  'not-borne-out': {
    label: 'not confirmed',
    brief: 'true in the index, and the artifact contradicts it',
    meaning:
      'The index says true, and its artifact says otherwise, cannot be trusted or is of another release.',
    remedy: 'The report names the disagreement; lightspan explain says what to do about each.',
  },
};
