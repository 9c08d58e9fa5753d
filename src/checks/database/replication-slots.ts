import { sqlText } from '../../core/text/quoted-words.js';
import { countOf, describeBytes } from '../../words/phrase.js';
import { defineCheck, ok, warn } from '../check.js';

/** One segment of WAL: a slot that keeps less was read a moment ago, or there is next to nothing to read. */
const ignoredBytes = 16 * 1024 ** 2;

export const replicationSlots = defineCheck({
  id: 'replication-slots',
  canStop: false,
  needs: ['replication'],
  *judge({ facts: { replication } }) {
    for (const { name, kind, active, keptBytes, walStatus } of replication.slots) {
      if (!active && keptBytes !== null && keptBytes > ignoredBytes)
        yield warn(name, { kind: 'slot-inactive', name, keptBytes, logical: kind === 'logical' });
      else if (active && walStatus !== null && walStatus !== 'reserved')
        yield warn(name, { kind: 'slot-behind', name, walStatus, keptBytes });
    }
    return ok({ kind: 'slots-follow', slots: replication.slots.length });
  },
})({
  label: 'Replication slots',
  meaning:
    'Whether the server keeps WAL for a consumer that does not read it. What it looks at: ' +
    'pg_replication_slots. A migration that rewrites a table writes much WAL, and a slot that nobody reads ' +
    'keeps all of it until the disk is full. One that keeps no more than 16 MiB is not reported.',
  finds: {
    'slot-inactive': {
      meaning: 'Nobody reads a replication slot, and the server keeps all WAL for it.',
      remedy: 'Start its reader, or drop it if nobody will read it.',
      describe: ({ name, keptBytes, logical }) =>
        `nobody reads the ${logical ? 'logical' : 'physical'} slot ` +
        `${name}, which keeps ${describeBytes(keptBytes)}`,
      psql: ({ name }) => [
        `SELECT * FROM pg_replication_slots WHERE slot_name = ${sqlText(name)};`,
        '-- to drop it: SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE ' +
          `slot_name = ${sqlText(name)} AND NOT active;`,
      ],
    },
    'slot-behind': {
      meaning:
        'The reader of a replication slot is further behind than the WAL that the server is set to keep.',
      remedy:
        'Wait until it has caught up, then check again. A lost slot never catches up: drop it, and set up its ' +
        'reader again.',
      describe: ({ name, walStatus, keptBytes }) =>
        `the slot ${name} is behind (wal_status ` +
        `${walStatus}${keptBytes === null ? '' : `, ${describeBytes(keptBytes)} kept`})`,
    },
    'slots-follow': ({ slots }) => `${countOf(slots, 'slot')}, none behind`,
  },
});
