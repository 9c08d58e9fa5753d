import type { ErrorCode } from '../../errors.js';
import type { Word } from './word.js';

/** Each code of a failure: what kept the command from an answer. */
export const errorWords: Record<ErrorCode, Word> = {
  usage: {
    meaning: 'The command line is wrong.',
    remedy: 'Correct what the message names; --help of the command lists its flags.',
  },
  'invalid-version': {
    meaning: 'What was given as a version is none.',
    remedy:
      'Write it as 1.121.0; a leading v, blanks and quotes around it are dropped, ranges and suffixes are refused.',
  },
  downgrade: {
    meaning: 'The target is older than the version that runs. The index certifies forward steps only.',
    remedy: 'To go back, restore the database backup that was taken before the upgrade.',
  },
  'invalid-pin': {
    meaning:
      'The place in the file does not tell one release: there is no version, or another place, or a digest, contradicts it.',
    remedy:
      'Check <file#path>; pin the same tag everywhere; where a tag has more behind the version, give --tag-suffix.',
  },
  'unreadable-source': {
    meaning: 'A file or folder could not be read.',
    remedy: 'Check that it is there and may be read.',
  },
  'unwritable-output': {
    meaning: 'A file, or standard output, could not be written.',
    remedy:
      'Check that the folder is there, may be written and has room, and that what reads the output is still there.',
  },
  'changed-meanwhile': {
    meaning:
      'Another program changed the file after it was read; what would be written is not what it asks for now.',
    remedy: 'Nothing was written. Run the command again.',
  },
  network: {
    meaning: 'A server could not be reached.',
    remedy:
      'Check the address, name resolution and proxy (HTTPS_PROXY); where there is no network, use a mirror.',
  },
  timeout: { meaning: 'An answer took too long.', remedy: 'Try again, or wait longer with --timeout.' },
  'http-status': {
    meaning: 'A server answered with a status that is no success.',
    remedy: 'The message has status and address: check both, and the token where one is sent.',
  },
  'too-large': {
    meaning: 'A source is larger than what is read of one.',
    remedy: 'Check that the address is the right one; --max-bytes allows more.',
  },
  'too-old': {
    meaning: 'The index is older than --max-age allows.',
    remedy: 'Fetch it anew, or bring the mirror up to date with lightspan index mirror.',
  },
  'not-cached': {
    meaning: 'No server may be asked (--offline), and the cache does not hold the answer.',
    remedy: 'Run once without --offline, or name a mirror with --index.',
  },
  'api-error': {
    meaning: 'The Lightdash instance refused the request, and said why.',
    remedy: 'The message has what it said; --json has it whole, in error.response.',
  },
  'invalid-json': {
    meaning: 'What came is not JSON.',
    remedy: 'Check that the source is the right one; a login page or an error page is the usual cause.',
  },
  'invalid-index': {
    meaning: 'What came as an index is not one that can be trusted. Nothing is concluded from it.',
    remedy: 'lightspan index verify names every fault; fetch it anew with --no-cache.',
  },
  'invalid-artifact': {
    meaning: 'What came as the artifact of a release is not one that can be trusted.',
    remedy: 'Fetch it anew with --no-cache, or check --artifact-url.',
  },
  'untrusted-mirror': {
    meaning: 'A file of the mirror is not what its SHA256SUMS says.',
    remedy: 'Write the mirror anew with lightspan index mirror, and copy it whole.',
  },
  'invalid-response': {
    meaning: 'What the Lightdash instance answered is off the contract.',
    remedy: 'Check that the address is that of a Lightdash instance, and its version.',
  },
  'unsupported-schema-version': {
    meaning: 'The data is of a format newer than this lightspan reads. It is not guessed at.',
    remedy: 'Upgrade lightspan.',
  },
  internal: {
    meaning: 'A fault of lightspan itself. It is never an answer.',
    remedy: 'Run again with --debug for the stack trace, and report it.',
  },
};
