import type { IndexFault } from '../../core/index/index-faults.js';
import { listNames } from '../phrase.js';
import { describeBy, type Words } from '../word.js';

export const indexFaultWords: Words<IndexFault> = {
  'duplicate-key': {
    meaning: 'A key appears twice in one object. JSON does not define which one counts.',
    describe: ({ key }) => `an object contains the key ${JSON.stringify(key)} twice`,
  },
  'invalid-field': {
    meaning: 'A field is not as documented.',
    describe: ({ field, fault }) => `${field}: ${fault}`,
  },
  duplicate: {
    meaning: 'A release appears more than once.',
    describe: ({ version, positions }) =>
      `${version} appears ${positions.length} times: ${listNames(
        positions.map((at) => `entries[${at}]`),
        10,
      )}`,
  },
  disorder: {
    meaning: 'A release follows a newer one. The index must be sorted oldest first.',
    describe: ({ version, position, after }) =>
      `${version} (entries[${position}]) follows ${after}, which is newer`,
  },
  gap: {
    meaning:
      'A release does not name the one before it as its previous version, so some in between are missing.',
    rule: 7,
    describe: ({ version, before, previousVersion }) =>
      `${version} follows ${before}, but names ${previousVersion ?? 'no release'} as the release before it`,
  },
  'unknown-stop': {
    meaning: 'A required stop is not in the index.',
    rule: 3,
    describe: ({ version, stop }) => `${version} requires the stop ${stop}, which is not in the index`,
  },
  'later-stop': {
    meaning: 'A required stop is newer than the release that requires it.',
    rule: 3,
    describe: ({ version, stop }) => `${version} requires the stop ${stop}, which is newer than ${version}`,
  },
  'unknown-minimum': {
    meaning: 'A minimum previous version is not in the index.',
    rule: 4,
    describe: ({ version, minimum }) => `${version} sets the minimum ${minimum}, which is not in the index`,
  },
  'later-minimum': {
    meaning: 'A minimum previous version is not older than its own release.',
    rule: 4,
    describe: ({ version, minimum }) =>
      `${version} sets the minimum ${minimum}, which is not older than ${version}`,
  },
  'floor-missing': {
    meaning: 'The index floor is not in the index.',
    rule: 5,
    describe: ({ floor }) => `the floor ${floor} is not in the index`,
  },
  'floor-not-marked': {
    meaning: 'The release at the index floor is not marked as one (syntheticRequiredStop).',
    rule: 5,
    describe: ({ floor }) => `the floor ${floor} is not marked (syntheticRequiredStop)`,
  },
  'marked-beside-floor': {
    meaning: 'A release is wrongly marked as the index floor.',
    rule: 5,
    describe: ({ version, floor }) =>
      `${version} is marked as the floor (syntheticRequiredStop), ` +
      `${floor === null ? 'and the index has none' : `which is ${floor}`}`,
  },
  'below-floor': {
    meaning: 'A release is older than the index floor.',
    rule: 5,
    describe: ({ version, floor }) => `${version} is older than the floor ${floor}`,
  },
  'backfilled-true': {
    meaning: 'A backfilled release is true, which counts as unknown.',
    rule: 6,
    describe: ({ version }) => `${version} is backfilled and true, but nothing confirms it`,
  },
  'date-backwards': {
    meaning: 'A release is dated before the one it follows.',
    describe: ({ version, releaseDate, before, dateBefore }) =>
      `${version} is dated ${releaseDate}, before ${before} of ${dateBefore}`,
  },
  'dated-after-index': {
    meaning: 'A release is dated after the index was generated.',
    describe: ({ version, releaseDate, generatedAt }) =>
      `${version} is dated ${releaseDate}, after the index was generated (${generatedAt})`,
  },
};

export function describeIndexFault(fault: IndexFault): string {
  return describeBy(indexFaultWords, fault);
}
