import type { IndexFault } from '../../release-safety/index-faults.js';
import type { Fact } from './fact.js';

/** What `index verify` finds in an index. The publisher alone can mend it; a copy can be fetched again. */
export const indexFaultFacts: Record<IndexFault['kind'], Fact> = {
  'duplicate-key': { meaning: 'A key stands twice in one object. JSON leaves open which of the two holds.' },
  'invalid-field': { meaning: 'A field is not as documented.' },
  duplicate: { meaning: 'A release stands more than once.' },
  disorder: { meaning: 'A release stands behind a newer one. The index is to be oldest first.' },
  gap: {
    meaning:
      'A release does not name the one before it as its previous version. Releases between the two are missing.',
    rule: 7,
  },
  'unknown-stop': { meaning: 'A required stop is no release of the index.', rule: 3 },
  'later-stop': { meaning: 'A required stop is newer than the release that requires it.', rule: 3 },
  'unknown-minimum': { meaning: 'A minimum previous version is no release of the index.', rule: 4 },
  'later-minimum': { meaning: 'A minimum previous version is not older than its own release.', rule: 4 },
  'floor-missing': { meaning: 'The index floor is no release of the index.', rule: 5 },
  'floor-not-marked': {
    meaning: 'The release at the index floor is not marked as one (syntheticRequiredStop).',
    rule: 5,
  },
  'marked-beside-floor': { meaning: 'A release is marked as the index floor and is not it.', rule: 5 },
  'below-floor': { meaning: 'A release is older than the index floor.', rule: 5 },
  'backfilled-true': { meaning: 'A backfilled release is true, which counts as unknown.', rule: 6 },
  'date-backwards': { meaning: 'A release is dated before the one it follows.' },
  'dated-after-index': { meaning: 'A release is dated after the index was generated.' },
};
