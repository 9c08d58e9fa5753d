import type { FactOf } from '../../instance/facts/needs.js';
import { describeSeconds } from '../../words/phrase.js';
import { defineCheck, ok, warn } from '../check.js';

export const archiver = defineCheck({
  id: 'archiver',
  canStop: false,
  needs: ['archiver'],
  *judge({ facts }) {
    const { enabled, archivedSecondsAgo, failedSecondsAgo } = facts.archiver;
    if (!enabled) return ok({ kind: 'no-archiver' });
    const about = { archivedSecondsAgo, failedSecondsAgo };
    if (isFailing(facts.archiver)) yield warn(null, { kind: 'archiver-fails', ...about });
    return ok({ kind: 'archiver-follows', ...about });
  },
})({
  label: 'Archiver of WAL',
  meaning:
    'Whether the server keeps WAL because archiving it fails. What it looks at: pg_stat_archiver, where ' +
    'archiving is on and its command names a file. A backfill writes more WAL than its table is large, and the ' +
    'server keeps all of it until it is archived or the disk is full.',
  finds: {
    'archiver-fails': {
      meaning: 'The last attempt to archive WAL failed, so the server keeps all WAL since the last success.',
      remedy: 'Find out from the log of the server why, and let it catch up before the upgrade.',
      describe: ({ archivedSecondsAgo: archived, failedSecondsAgo: failed }) =>
        `archiving WAL failed ${failed === null ? '' : `${describeSeconds(failed)} ago`}, and ` +
        (archived === null ? 'never succeeded' : `last succeeded ${describeSeconds(archived)} ago`),
      psql: () => ['SELECT * FROM pg_stat_archiver;'],
    },
    'archiver-follows': ({ archivedSecondsAgo: archived }) =>
      archived === null ? 'nothing was archived yet' : `WAL was archived ${describeSeconds(archived)} ago`,
    'no-archiver': 'The server archives no WAL.',
  },
});

/** Whether what was last tried has failed. */
export function isFailing({ archivedSecondsAgo, failedSecondsAgo }: FactOf<'archiver'>): boolean {
  return failedSecondsAgo !== null && failedSecondsAgo < (archivedSecondsAgo ?? Infinity);
}
