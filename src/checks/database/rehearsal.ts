import { isOtherLedger } from '../../instance/rehearsed.js';
import { countOf, describeSeconds } from '../../words/phrase.js';
import { defineCheck, ok, stop, warn } from '../check.js';

/** What was tried on a copy: a failure stops, and what went through proves nothing of pods that overlap. */
export const rehearsal = defineCheck({
  id: 'rehearsal',
  onlyIfGiven: true,
  needs: ['rehearsal'],
  mayNeed: ['ledger'],
  *judge({ from, to, facts }) {
    const { answer, mode, fromVersion, toVersion, rehearsedAt, why, ledger } = facts.rehearsal;
    const tried = { mode, day: rehearsedAt.slice(0, 10) };
    if (fromVersion !== from || toVersion !== to) {
      yield warn(null, { kind: 'other-route-rehearsed', fromVersion, toVersion });
    } else if (isOtherLedger(ledger, facts.ledger) === true) {
      yield warn(null, { kind: 'other-ledger-rehearsed', newest: ledger.newest ?? 'nothing' });
    } else if (answer === 'no') {
      yield stop(null, { kind: 'rehearsal-failed', ...tried, why: why[0] ?? 'it fails' });
    } else if (answer === 'not-known') {
      yield warn(null, { kind: 'not-rehearsed', ...tried, why: why[0] ?? 'it could not be rehearsed' });
    }
    const { hops, migrationSeconds, restoreSeconds, copy, dump } = facts.rehearsal;
    const migrations = hops.reduce((sum, hop) => sum + hop.migrations.length, 0);
    const measured = { migrationSeconds, restoreSeconds, machine: copy.machine, backup: dump.madeOn };
    return ok({ kind: 'rehearsal-went-through', ...tried, migrations, ...measured });
  },
})({
  label: 'Rehearsal on a copy',
  meaning:
    'Whether the migrations of this upgrade went through on a copy of the database. What it looks at: The ' +
    'evidence that upgrade-rehearse --out has written, if it is given. It counts for the same two releases and ' +
    'the same ledger. What failed there stops the upgrade. What went through settles what other checks found of the ' +
    'same migration, and shows nothing of old pods on the new schema: no rehearsal makes a span rolling.',
  finds: {
    'rehearsal-failed': {
      meaning:
        'On a copy of the database, a migration of this upgrade failed, or the backup could not be restored.',
      remedy: 'Fix what failed, and rehearse again on a new backup.',
      describe: ({ why, day }) => `on a copy, rehearsed on ${day}: ${why}`,
    },
    'not-rehearsed': {
      meaning: 'The rehearsal had no answer, so it says nothing about the upgrade.',
      remedy: 'Provide what was missing, and rehearse again.',
      describe: ({ why, day }) => `the rehearsal of ${day} has no answer: ${why}`,
    },
    'other-route-rehearsed': {
      meaning: 'The rehearsal is of another upgrade, so it does not count for this one.',
      remedy: 'Rehearse this upgrade, or ask about the one that was rehearsed.',
      describe: ({ fromVersion, toVersion }) =>
        `the rehearsal does not count: it is of ${fromVersion} -> ${toVersion}`,
    },
    'other-ledger-rehearsed': {
      meaning: 'The database has run other migrations than the copy had, so the rehearsal does not count.',
      remedy: 'Rehearse on a backup of the database as it is now.',
      describe: ({ newest }) =>
        `the rehearsal does not count: the last migration of its copy was ${newest}, and the database has run others`,
    },
    'rehearsal-went-through': ({
      mode,
      day,
      migrations,
      migrationSeconds,
      restoreSeconds,
      machine,
      backup,
    }) => {
      const what = `${countOf(migrations, 'migration')} went through on a copy on ${day}`;
      if (mode === 'dry' || migrationSeconds === null) return `${what}, without rows`;
      const restore =
        restoreSeconds === null
          ? ''
          : `; the backup of ${backup} was restored in ${describeSeconds(restoreSeconds)}`;
      return `${what}, in ${describeSeconds(migrationSeconds)} on ${machine}${restore}`;
    },
  },
});
