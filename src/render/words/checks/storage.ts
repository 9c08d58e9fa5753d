import type { DiskSpaceEvidence } from '../../../preflight/checks/disk-space.js';
import type { InvalidIndexesEvidence } from '../../../preflight/checks/invalid-indexes.js';
import type { ReplicationSlotsEvidence } from '../../../preflight/checks/replication-slots.js';
import type { VacuumsEvidence } from '../../../preflight/checks/vacuums.js';
import { countOf } from '../../phrase.js';
import { sqlName, sqlText } from '../../sql-word.js';
import { listNames } from '../lists.js';
import { describeBytes, describeBytesApart } from '../measures.js';
import type { CheckWords } from './check-words.js';

export const diskSpaceWords: CheckWords<DiskSpaceEvidence> = {
  label: 'Disk space',
  meaning: 'Whether the disk has room for what pending migrations write.',
  looksAt:
    'The free space that --disk-free states, against what each pending migration may rewrite: these tables, with their partitions, exist twice until it ends. Below 5 GiB the start check of the target warns. What else is written, above all WAL, is not known.',
  finds: {
    'disk-too-small': {
      meaning: 'A pending migration may rewrite tables that are larger than what is free.',
      remedy: 'Make the disk larger, or free space on it, before the upgrade.',
      describe: ({ free, tables, bytes, migration }) => {
        const [needed, left] = describeBytesApart(bytes, free);
        const all = `${listNames(tables)}, ${needed} with ${tables.length === 1 ? 'its' : 'their'} indexes`;
        return `${migration} may rewrite ${all}, and ${left} are free`;
      },
    },
    'disk-headroom': {
      meaning:
        'Less is free than the start check of the target requires for a migration that scans or rewrites.',
      remedy: 'Make the disk larger, or free space on it, before the upgrade.',
      describe: ({ free, minimum }) => {
        const [left, wanted] = describeBytesApart(free, minimum);
        return `${left} are free, and ${wanted} are required`;
      },
    },
    'disk-enough': {
      meaning: 'There is enough free space for what any one pending migration may rewrite.',
      describe: ({ free, largest }) => {
        const [left, needed] = describeBytesApart(free, largest);
        return `${left} are free; what one migration may rewrite takes up to ${needed}`;
      },
    },
    'disk-not-needed': {
      meaning: 'No pending migration scans or rewrites a table.',
      describe: () => 'no pending migration scans or rewrites a table',
    },
  },
};

export const invalidIndexesWords: CheckWords<InvalidIndexesEvidence> = {
  label: 'Invalid indexes',
  meaning: 'Whether a concurrent index build has left an index that is not valid.',
  looksAt:
    'pg_index. Such an index slows every write, serves no query, and blocks a migration that creates one with the same name. An index that is being built now is not valid either.',
  finds: {
    'index-invalid': {
      meaning: 'An index is not valid.',
      remedy: 'Drop it; the command to paste does so only while it is not being built.',
      describe: ({ index, table, migration }) =>
        `${index} on ${table} is not valid${migration === null ? '' : `; ${migration} may meet it`}`,
      pasteIn: 'psql',
      commands: ({ index, schema }) => [
        `SELECT ${sqlText(`DROP INDEX CONCURRENTLY ${qualified(schema, index)}`)} WHERE ${notBeingBuilt(qualified(schema, index))} \\gexec`,
      ],
    },
    'indexes-valid': {
      meaning: 'All indexes are valid.',
      describe: ({ indexes }) => countOf(indexes, 'index, which is valid', 'indexes, all valid'),
    },
  },
};

export const vacuumsWords: CheckWords<VacuumsEvidence> = {
  label: 'Vacuums',
  meaning: 'Whether a vacuum holds a table that a pending migration locks, and does not make way.',
  looksAt:
    'pg_stat_progress_vacuum. An ordinary autovacuum ends when another session requests the lock; one that prevents wraparound, or that a person began, does not.',
  finds: {
    'vacuum-in-the-way': {
      meaning: 'A vacuum that does not make way holds a table that a pending migration locks.',
      remedy: 'Wait until it has ended, and check again.',
      describe: ({ table, pid, preventsWraparound }) =>
        `pid ${pid} vacuums ${table}${preventsWraparound ? ' to prevent wraparound' : ''}, and does not make way`,
    },
    'no-vacuum-in-the-way': {
      meaning: 'No vacuum is in the way.',
      describe: () => 'none is in the way',
    },
  },
};

export const replicationSlotsWords: CheckWords<ReplicationSlotsEvidence> = {
  label: 'Replication slots',
  meaning: 'Whether the server keeps WAL for a consumer that does not read it.',
  looksAt:
    'pg_replication_slots. A migration that rewrites a table writes much WAL; a slot that nobody reads keeps all of it, until the disk is full.',
  finds: {
    'slot-inactive': {
      meaning: 'Nobody reads a replication slot, and the server keeps all WAL for it.',
      remedy: 'Start its reader, or drop it if nobody will read it.',
      describe: ({ name, keptBytes, logical }) =>
        `nobody reads the ${logical ? 'logical' : 'physical'} slot ${name}${keptBytes === null ? '' : `, for which ${describeBytes(keptBytes)} are kept`}`,
      pasteIn: 'psql',
      commands: ({ name }) => [
        `SELECT * FROM pg_replication_slots WHERE slot_name = ${sqlText(name)};`,
        `-- to drop it: SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = ${sqlText(name)} AND NOT active;`,
      ],
    },
    'slot-behind': {
      meaning: 'The reader of a replication slot is further behind than the server is set to keep WAL.',
      remedy: 'Wait until it has caught up, and check again.',
      advise: ({ walStatus }) =>
        walStatus === 'lost'
          ? 'It cannot catch up: WAL that it needs is gone. Drop it, and set up its reader anew.'
          : 'Wait until it has caught up, and check again.',
      describe: ({ name, walStatus, keptBytes }) =>
        `the slot ${name} is behind (wal_status ${walStatus}${keptBytes === null ? '' : `, ${describeBytes(keptBytes)} kept`})`,
    },
    'slots-follow': {
      meaning: 'Every replication slot is read.',
      describe: ({ slots }) =>
        slots === 0 ? 'there is none' : countOf(slots, 'slot, which is read', 'slots, all read'),
    },
  },
};

/** A role that may not read all statistics sees that other roles build indexes, but not which. */
function notBeingBuilt(index: string): string {
  return `NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = pg_catalog.current_database() AND coalesce(index_relid = pg_catalog.to_regclass(${sqlText(index)}), true))`;
}

function qualified(schema: string, name: string): string {
  return `${sqlName(schema)}.${sqlName(name)}`;
}
