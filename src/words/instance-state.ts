import { printable } from '../core/text/printable.js';
import { compareVersions, type Version } from '../core/version.js';
import { firstWith } from '../instance/first-versions.js';
import type { InstanceState, Probe, VerifyOutcome } from '../instance/instance-state.js';
import { describeBy, type Word, type Words } from './word.js';

const parked: Word = {
  meaning:
    'A migration is parked: it failed, and the same release does not try it again. Newer releases do, after a ' +
    'while, if a lock or a deadlock was the reason. From 1.169.1 on, an instance is ready despite it.',
  remedy:
    'Read the migration logs and fix what they name. Then run the migrations again, and repeat the command. ' +
    'The state remains until a new run begins, even if it was an earlier upgrade that failed.',
};

export const instanceStateWords: Words<InstanceState, [wanted: Version]> = {
  ready: {
    meaning:
      'The instance is ready and reports which release it serves. That need not be the one that was deployed.',
    remedy:
      'If it serves another, check whether the new pods started, and from which tag. If it serves the right ' +
      'one, wait longer with --window: it must answer so several times in a row.',
    describe: ({ version, probe }, wanted) =>
      `${probe === 'health' ? 'healthy' : 'ready'}, and serves ${compared(version, wanted)}${describeProbe(probe)}`,
  },
  'not-ready': {
    meaning: 'The instance does not report ready. It may give a reason, such as running migrations.',
    remedy: 'Wait longer with --window, look at the migration logs, or check the address.',
    describe: ({ status, reason, probe }) =>
      `not ready: ${reason ?? 'no reason given'} (HTTP ${status})${describeProbe(probe)}`,
  },
  parked: {
    ...parked,
    describe: ({ status }) =>
      `not ready: migration_parked (HTTP ${status}), which clears by itself only if a lock or a deadlock was ` +
      'the reason',
  },
  'unknown-version': {
    meaning: 'The instance is ready, but does not report which release it serves.',
    remedy: 'Check that the image is a release, not a build of your own, and that Lightdash itself answers.',
    describe: ({ message }) => `ready, but does not report which release it serves: ${message}`,
  },
  unreachable: {
    meaning: 'No answer came from the instance. The message says why.',
    remedy: 'Check the address, and whether any pod is running.',
    describe: ({ message }) => `no answer: ${message}`,
  },
};

export function describeInstanceState(state: InstanceState, wanted: Version): string {
  return describeBy(instanceStateWords, state, wanted);
}

/**
 * What to do now by the last state, while it is not verified.
 *
 * @param asked.isFound whether a finding keeps it from that
 */
export function nextOfInstance(
  state: InstanceState,
  {
    instance,
    wanted,
    isFound,
  }: { readonly instance: string; readonly wanted: Version; readonly isFound: boolean },
): string {
  if (state.kind === 'unreachable' && state.isUnknownHost) {
    return 'check the name of the host, and whether this machine can resolve it; then run the command again.';
  }
  if (state.kind !== 'ready') return beginningSmall(remedyOf(state));
  if (state.version === wanted)
    return isFound
      ? 'do what the findings say, then run the command again.'
      : 'run the command again, with a longer --window.';
  const { version } = state;
  return compareVersions(version, wanted) < 0
    ? `check whether the new pods were started, and from which tag: ${version} still answers. Then run the ` +
        'command again.'
    : `verify ${version} in its place: lightspan upgrade-verify --instance ${printable(instance)} --version ` +
        `${version}; or find out who deployed it.`;
}

/** @param served the release that runs now */
export function nextOfVerified(served: Version): string {
  return `nothing, if that was the last hop; else: lightspan upgrade-plan --from ${served}`;
}

function remedyOf(state: InstanceState): string {
  const word = wordOfInstanceState(state);
  const reason: Word | string | undefined = Object.entries(readinessWords).find(
    ([name]) => name === word,
  )?.[1];
  const said = typeof reason === 'string' ? reason : reason?.remedy;
  return said ?? instanceStateWords[state.kind].remedy ?? instanceStateWords[state.kind].meaning;
}

const beginningSmall = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

export const verifyOutcomeWords: Record<VerifyOutcome, string> = {
  verified: 'The instance was ready, as many times in a row as required, with the version that was deployed.',
  superseded:
    'The instance was ready, as many times in a row as required, with a release newer than the deployed one. Find out who ' +
    'deployed it, and verify that release instead; --allow-newer accepts it.',
  'not-verified':
    'The window closed, or a migration was parked, before the deployed version was ready. Look at the last ' +
    'state; its reason has a word of its own.',
};

/** Why `/api/v1/readyz` reports that an instance is not ready, or warns, in the words of releases that have it. */
export const readinessWords = {
  schema_pending:
    'The database lacks migrations of the release that answers. Wait while they run. If none runs, start them; ' +
    'if they failed, read their logs.',
  db_unavailable:
    'The instance could not query its database. Check that the database runs and the pods can reach it.',
  migration_ledger_unavailable:
    'The table that records migration runs is missing, so the instance cannot tell whether one is parked. Run ' +
    'the migrations of the release: they create it.',
  migration_parked: parked,
} satisfies Record<string, Word | string>;

/** The word that explains a state best: its reason, if releases use it. */
export function wordOfInstanceState(state: InstanceState): string {
  if (state.kind === 'parked') return 'migration_parked';
  const reason = state.kind === 'not-ready' ? state.reason : undefined;
  return reason !== undefined && Object.hasOwn(readinessWords, reason) ? reason : state.kind;
}

function compared(version: Version, wanted: Version): string {
  if (version === wanted) return wanted;
  return compareVersions(version, wanted) > 0
    ? `${version}, which is newer than ${wanted}`
    : `${version} instead of ${wanted}`;
}

function describeProbe(probe: Probe): string {
  return probe === 'readyz' ? '' : `, by /api/v1/health: there is no readyz before ${firstWith.readyz}`;
}
