import type { ErrorCode } from '../../errors.js';
import type { Fact } from './fact.js';

/** Each code of a failure: what kept the command from an answer. */
export const errorFacts: Record<ErrorCode, Fact> = {
  usage: {
    meaning: 'The command line is wrong.',
    toDo: 'Correct what the message names; --help of the command lists its flags.',
  },
  'invalid-version': {
    meaning: 'What was given as a version is none.',
    toDo: 'Write it as 1.121.0; a leading v, blanks and quotes around it are dropped, ranges and suffixes are refused.',
  },
  downgrade: {
    meaning: 'The target is older than the version that runs. The index certifies forward steps only.',
    toDo: 'To go back, restore the database backup that was taken before the upgrade.',
  },
  'invalid-pin': {
    meaning:
      'The place in the file does not tell one release: there is no version, or another place, or a digest, contradicts it.',
    toDo: 'Check <file#path>; pin the same tag everywhere; where a tag has more behind the version, give --tag-suffix.',
  },
  'unreadable-source': {
    meaning: 'A file or folder could not be read.',
    toDo: 'Check that it is there and may be read.',
  },
  'unwritable-output': {
    meaning: 'A file, or standard output, could not be written.',
    toDo: 'Check that the folder is there, may be written and has room, and that what reads the output is still there.',
  },
  'changed-meanwhile': {
    meaning:
      'Another program changed the file after it was read; what would be written is not what it asks for now.',
    toDo: 'Nothing was written. Run the command again.',
  },
  network: {
    meaning: 'A server could not be reached.',
    toDo: 'Check the address, name resolution and proxy (HTTPS_PROXY); where there is no network, use a mirror.',
  },
  timeout: { meaning: 'An answer took too long.', toDo: 'Try again, or wait longer with --timeout.' },
  'http-status': {
    meaning: 'A server answered with a status that is no success.',
    toDo: 'The message has status and address: check both, and the token where one is sent.',
  },
  'too-large': {
    meaning: 'A source is larger than what is read of one.',
    toDo: 'Check that the address is the right one; --max-bytes allows more.',
  },
  'too-old': {
    meaning: 'The index is older than --max-age allows.',
    toDo: 'Fetch it anew, or bring the mirror up to date with lightspan index mirror.',
  },
  'not-cached': {
    meaning: 'No server may be asked (--offline), and the cache does not hold the answer.',
    toDo: 'Run once without --offline, or name a mirror with --index.',
  },
  'api-error': {
    meaning: 'The Lightdash instance refused the request, and said why.',
    toDo: 'The message has what it said; --json has it whole, in error.response.',
  },
  'invalid-json': {
    meaning: 'What came is not JSON.',
    toDo: 'Check that the source is the right one; a login page or an error page is the usual cause.',
  },
  'invalid-index': {
    meaning: 'What came as an index is not one that can be trusted. Nothing is concluded from it.',
    toDo: 'lightspan index verify names every fault; fetch it anew with --no-cache.',
  },
  'invalid-artifact': {
    meaning: 'What came as the artifact of a release is not one that can be trusted.',
    toDo: 'Fetch it anew with --no-cache, or check --artifact-url.',
  },
  'untrusted-mirror': {
    meaning: 'A file of the mirror is not what its SHA256SUMS says.',
    toDo: 'Write the mirror anew with lightspan index mirror, and copy it whole.',
  },
  'invalid-response': {
    meaning: 'What the Lightdash instance answered is off the contract.',
    toDo: 'Check that the address is that of a Lightdash instance, and its version.',
  },
  'unsupported-schema-version': {
    meaning: 'The data is of a format newer than this lightspan reads. It is not guessed at.',
    toDo: 'Upgrade lightspan.',
  },
  internal: {
    meaning: 'A fault of lightspan itself. It is never an answer.',
    toDo: 'Run again with --debug for the stack trace, and report it.',
  },
};
