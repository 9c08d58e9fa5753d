import type { InstanceState, VerifyOutcome } from '../../instance-state.js';
import type { Fact } from './fact.js';

const parked: Fact = {
  meaning:
    'A migration is parked: it was tried, has failed, and is not tried again. From 1.169.1 on an instance is ready in spite of it.',
  toDo: 'Read the logs of the migrations and mend what they name; then run them again, and ask again. The word stays until a new run has begun, also where the failed one was an earlier upgrade.',
};

/** What an instance was seen to be at one poll. */
export const instanceStateFacts: Record<InstanceState['kind'], Fact> = {
  ready: {
    meaning: 'The instance is ready and says which release it serves. That may be another than was deployed.',
    toDo: 'Where it serves another, look whether the new pods were started, and from which tag. Where it serves the right one, wait longer with --window: it must do so several times in a row.',
  },
  'not-ready': {
    meaning:
      'The instance does not say that it is ready. It may give a reason, such as migrations that still run.',
    toDo: 'Wait longer with --window, look at the logs of the migrations, or check the address where a page answered.',
  },
  parked,
  'unknown-version': {
    meaning: 'The instance is ready and does not tell which release it serves.',
    toDo: 'Check that the image is a release and no build of your own, and that the address is that of Lightdash itself.',
  },
  unreachable: {
    meaning: 'No answer came from the instance. The message says why.',
    toDo: 'Check the address, and whether any pod is running.',
  },
};

/** How upgrade-verify ended. */
export const verifyOutcomeFacts: Record<VerifyOutcome, Fact> = {
  verified: {
    meaning: 'The instance was ready and served the version that was deployed, several times in a row.',
  },
  superseded: {
    meaning:
      'The instance was ready and served a release newer than the one that was deployed, several times in a row.',
    toDo: 'Look who deployed it, and verify that release instead; --allow-newer takes it for a yes. Where the newer one was to be rolled back, wait until its pods are gone.',
  },
  'not-verified': {
    meaning:
      'The instance was not seen to be ready with the version that was deployed, several times in a row, before the window closed or a migration was parked.',
    toDo: 'Look at the state that was seen last; the reason is its own word.',
  },
};

/** Why `/api/v1/readyz` says that an instance is not ready, or warns, in the words of releases that have it. */
export const readinessFacts = {
  schema_pending: {
    meaning: 'The database lacks migrations that the release which answers has.',
    toDo: 'Wait while they run; where none does, start them, and read their logs where they have failed.',
  },
  db_unavailable: {
    meaning: 'The instance could not ask its database.',
    toDo: 'Check that the database runs, and that the pods reach it.',
  },
  migration_ledger_unavailable: {
    meaning:
      'The table in which the runs of migrations are recorded is not there. Whether one is parked cannot be known.',
    toDo: 'Run the migrations of the release, which make it.',
  },
  migration_parked: parked,
} satisfies Record<string, Fact>;

export function isReadinessReason(text: string): text is keyof typeof readinessFacts {
  return Object.hasOwn(readinessFacts, text);
}
