import type { VerifyDecision } from '../checks/after-upgrade/checks.js';
import type { Decision } from '../checks/decision.js';
import type { ErrorCode } from '../core/lightspan-error.js';
import type { Bump } from '../core/pins.js';
import type { Route } from '../core/route/route.js';
import { toGoBack } from '../core/span.js';
import type { FailedQuery } from '../gather/api/query-results.js';
import type { StatusOutcome } from '../instance/migration-status.js';
import type { Rehearsal } from '../instance/rehearsal.js';
import type { MergeCheck } from '../merge/merge-check.js';
import type { MergeResults } from '../merge/response.js';
import type { Word } from '../words/word.js';

/** The meaning of the exit status; the words for it are below. Only `yes` is ever 0. */
export const exitCodes = { yes: 0, no: 1, usage: 2, unavailable: 3, untrusted: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit codes are the same for every command; the help of each says what they mean for it. */
export const exitCodeWords: Record<ExitCode | 129 | 130 | 143, Word> = {
  0: {
    meaning:
      'Yes: proven, or done. A span check ends like this only if the whole span is proven safe to roll.',
  },
  1: { meaning: 'No: there is an answer, and it is not yes.' },
  2: { meaning: 'The request itself is wrong. At most the index and the running version were fetched.' },
  3: {
    meaning: 'No answer is available: network, timeout, an HTTP error, login, a file that cannot be read.',
  },
  4: {
    meaning: 'An answer cannot be trusted: it is not JSON, has another schema, or contradicts itself.',
  },
  129: { meaning: 'The terminal was closed (SIGHUP). No answer.' },
  130: { meaning: 'Interrupted (SIGINT, Ctrl-C). No answer.' },
  143: { meaning: 'Ended from outside (SIGTERM). No answer.' },
};

/** Parts of what an exit code means in the help of several commands. */
export const endings = {
  noIndexOrInstance: 'no index or no answer from the instance is available',
  untrusted: 'the index, or an answer of the instance, cannot be trusted',
  noRecords: 'a source of known issues is unavailable',
  nothingSent: 'the request is wrong; nothing was sent',
  noResult:
    'no answer is available: network, timeout, login, an error of the server, or the wait ended first',
  notTheContract: 'an answer does not match the contract',
} as const;

/** @param what may be stopped: `it`, `the hop` */
export function factsUnread(what: string): string {
  return `a check that can stop ${what} could not read what it needs in --facts`;
}

/** Exit 0 is a yes, and nothing but `true` is one (contract, "Errors"). */
export function exitCodeOfAnswer(yes: boolean): ExitCode {
  return yes === true ? exitCodes.yes : exitCodes.no;
}

/**
 * A route of Recreate hops is a plan too; one that the index does not cover from end to end, or that the instance
 * stops, is not.
 */
export function exitCodeOfPlan(
  { certified, rolling }: Pick<Route, 'certified' | 'rolling'>,
  wanted: Readonly<Record<'requireRolling' | 'tooManyHops' | 'stopped', boolean>>,
): ExitCode {
  const asWanted = (!wanted.requireRolling || rolling === true) && wanted.tooManyHops === false;
  return exitCodeOfAnswer(certified === true && asWanted && wanted.stopped === false);
}

/** If index and artifacts prove the span, a preflight has the last word, if there is one. */
export function exitCodeOfReport(proven: boolean, decision: Decision | undefined): ExitCode {
  return proven !== true || decision === undefined ? exitCodeOfAnswer(proven) : exitCodeOfOutcome(decision);
}

/** How a command can end if its answer is more than a yes or a no. */
type Outcome =
  | Bump['decision']
  | MergeCheck['status']
  | MergeResults['outcome']
  | FailedQuery['status']
  | Decision
  | VerifyDecision
  | Rehearsal['answer']
  | StatusOutcome
  | 'ready';

export function exitCodeOfOutcome(outcome: Outcome): ExitCode {
  // An unknown outcome is not a yes.
  return exitCodeByOutcome[outcome] ?? exitCodes.unavailable;
}

const exitCodeByOutcome: Record<Outcome, ExitCode> = {
  // What happened to a pin; a merge that the server did not accept is `refused` too.
  rolling: exitCodes.yes,
  recreate: exitCodes.yes,
  'at-target': exitCodes.yes,
  refused: exitCodes.no,
  // The decision of a preflight.
  go: exitCodes.yes,
  'go-with-care': exitCodes.yes,
  stop: exitCodes.no,
  'not-known': exitCodes.unavailable,
  // An instance after an upgrade; if something was not checked, it is `not-known` too.
  verified: exitCodes.yes,
  'not-verified': exitCodes.no,
  // A rehearsal; what could not be rehearsed is `not-known` too.
  yes: exitCodes.yes,
  no: exitCodes.no,
  // The migrator of a database; what could not be seen is unfinished too.
  'at-rest': exitCodes.yes,
  unfinished: exitCodes.unavailable,
  stuck: exitCodes.no,
  // A merge, checked without the server.
  valid: exitCodes.yes,
  'breaks-rules': exitCodes.no,
  'no-merge-request': exitCodes.usage,
  // A merge that was sent, and its query.
  started: exitCodes.yes,
  ready: exitCodes.yes,
  error: exitCodes.no,
  cancelled: exitCodes.no,
  expired: exitCodes.no,
};

export function exitCodeOfError(code: ErrorCode): ExitCode {
  return errorWords[code].exitCode;
}

interface ErrorWord extends Word {
  readonly remedy: string;
  readonly exitCode: ExitCode;
}

type Ending = (meaning: string, remedy: string) => ErrorWord;

// A program that needs no words leaves the table out: the bundler has to know that these do nothing else.
const refused: Ending = /* @__NO_SIDE_EFFECTS__ */ (meaning, remedy) => {
  return { exitCode: exitCodes.no, meaning, remedy };
};
const wrongRequest: Ending = /* @__NO_SIDE_EFFECTS__ */ (meaning, remedy) => {
  return { exitCode: exitCodes.usage, meaning, remedy };
};
const noAnswer: Ending = /* @__NO_SIDE_EFFECTS__ */ (meaning, remedy) => {
  return { exitCode: exitCodes.unavailable, meaning, remedy };
};
const untrusted: Ending = /* @__NO_SIDE_EFFECTS__ */ (meaning, remedy) => {
  return { exitCode: exitCodes.untrusted, meaning, remedy };
};

/** Each code of a failure: what prevented an answer, what to do about it, and the exit code of the command. */
export const errorWords: Record<ErrorCode, ErrorWord> = {
  usage: wrongRequest(
    'The command line is wrong.',
    'Correct what the message names; --help of the command lists its flags.',
  ),
  'invalid-version': wrongRequest(
    'The given text is not a version.',
    'Write it as 1.121.0. A leading v, and blanks and quotes around it, are dropped; ranges and suffixes are refused.',
  ),
  downgrade: wrongRequest(
    'The target is older than the running version. The index covers forward steps only.',
    toGoBack,
  ),
  'invalid-pin': wrongRequest(
    'The place in the file does not name one release: it has no version, or another place or a digest contradicts it.',
    'Check <file#path>, and pin the same tag everywhere. If the tag has a suffix, pass --tag-suffix.',
  ),
  'not-judged': wrongRequest(
    'The change touches something that may move Lightdash, and no pin shows which release it had and has now.',
    'Name the place as a pin, or write the comment "lightspan: pin" before it; or list the file in ' +
      'ignore: of lightspan.yaml, with a reason, in an earlier change.',
  ),
  'invalid-database-url': wrongRequest(
    'The database address does not say where the database is, or how to reach it.',
    'Write it as postgresql://<user>@<host>/<database>?sslmode=verify-full, or set the PG* variables; the ' +
      'password is best kept in PGPASSWORD or ~/.pgpass.',
  ),
  database: noAnswer(
    'The database server refused: wrong login, encryption, no such database, or no connection left.',
    'The message contains its answer. Check user, password, sslmode and database name.',
  ),
  'unreadable-source': noAnswer(
    'A file or folder could not be read.',
    'Check that it exists and that you may read it.',
  ),
  'unwritable-output': noAnswer(
    'A file, or standard output, could not be written.',
    'Check that the folder exists, is writable and has room, and that the reader of the output is still running.',
  ),
  'changed-meanwhile': noAnswer(
    'Another program changed the file after it was read, so the result no longer fits.',
    'Nothing was written. Run the command again.',
  ),
  network: noAnswer(
    'A server could not be reached.',
    'Check the address, DNS and proxy (HTTPS_PROXY). Without a network, use a mirror.',
  ),
  timeout: noAnswer('An answer took too long.', 'Try again, or wait longer with --timeout.'),
  'http-status': noAnswer(
    'A server answered with a status other than success.',
    'Check the status and address in the message, and the token if one is sent.',
  ),
  'too-large': noAnswer(
    'A source is larger than the limit.',
    'Check the address, or the file: no index, artifact or record is as long.',
  ),
  'too-old': noAnswer(
    'The index or the facts of an instance are older than --max-age allows, or the index is older than ' +
      'one fetched before.',
    'Fetch the index again, or update the mirror with lightspan index mirror; collect the facts again.',
  ),
  'not-cached': noAnswer(
    'No server may be contacted (--offline), and the answer is not in the cache.',
    'Run once without --offline, or name a mirror with --index.',
  ),
  'unread-artifacts': noAnswer(
    'Artifacts that --verify-artifacts needs could not be read. Those that were read contradict nothing.',
    'Try again, or use a mirror that has them (lightspan index mirror). Without --verify-artifacts, the ' +
      'index alone decides.',
  ),
  'unread-facts': noAnswer(
    'A check that can stop the upgrade could not be done: a fact that it needs could not be read where the facts ' +
      'of --facts were collected.',
    'Collect them again with the rights that lightspan upgrade-preflight names; its --grants prints them. Without ' +
      '--facts, the answer is of the releases alone.',
  ),
  'nothing-recommended': refused(
    'No release newer than the running one is old enough, free of known issues and reached by a complete route.',
    'Wait until the date in the message, or name a target yourself: --to latest, or a version.',
  ),
  'image-absent': refused(
    'The registry has no image of the target (--require-image), so nothing could run it.',
    'Wait until it is published or mirrored. If the tag has a suffix, pass --tag-suffix.',
  ),
  'api-refused': refused(
    'The Lightdash instance refused the request and said what is wrong (HTTP 400, 404, 409 or 422).',
    'Correct what it names; repeating the request gives the same answer.',
  ),
  'api-error': noAnswer(
    'The Lightdash instance gave no answer and said why: a login, a limit, or an error of its own.',
    'The message contains its answer; --json has the complete one in error.response.',
  ),
  'invalid-json': untrusted(
    'The received data is not JSON.',
    'Check the source. The usual cause is a login page or an error page.',
  ),
  'invalid-index': untrusted(
    'The index cannot be trusted. Nothing is concluded from it.',
    'lightspan index verify names every fault. Fetch it again with --no-cache.',
  ),
  'invalid-artifact': untrusted(
    'The artifact of a release cannot be trusted.',
    'Fetch it again with --no-cache, or check --artifact-url.',
  ),
  'invalid-facts': untrusted(
    'The facts of an instance do not match their schema. Nothing is concluded from them.',
    'Collect them again with this lightspan, or correct what the message names.',
  ),
  'invalid-manifest': untrusted(
    'The Kubernetes manifests, chart values or docker compose output cannot be read completely. Nothing ' +
      'is concluded from them.',
    'Print them again with kubectl get, helm get manifest, helm template or docker compose config ' +
      '--format json, and pass on all of it.',
  ),
  'invalid-known-issue': untrusted(
    'A record of a known issue does not match its schema, so lightspan cannot see which verdicts it overrules.',
    'Correct what the message names. lightspan known-issues verify names every fault.',
  ),
  'untrusted-mirror': untrusted(
    'A file of the mirror does not match its SHA256SUMS.',
    'Write the mirror again with lightspan index mirror, and copy it completely.',
  ),
  'invalid-response': untrusted(
    'The answer of the Lightdash instance does not match the contract.',
    'Check that the address is a Lightdash instance, and check its version.',
  ),
  'unsupported-schema-version': untrusted(
    'The format of the data is newer than this lightspan can read. Nothing is guessed.',
    'Upgrade lightspan.',
  ),
  internal: noAnswer(
    'A bug in lightspan itself. It is never an answer.',
    'Run again with --debug for the stack trace, and report it.',
  ),
};
