import type { Change } from '../../facts/differences.js';
import type { ChangeEvidence } from '../../verify/changes.js';
import { countOf } from '../phrase.js';
import type { FindingWords } from './checks/check-words.js';
import { firstOf, listNames } from './lists.js';
import { describeMissing } from './needs.js';

const lookWhy =
  'Find out what has removed it. If that was not intended, restore it from the backup taken before the upgrade: the longer you wait, the more that loses.';

/** The differences from the facts before an upgrade. */
export const changeWords: FindingWords<ChangeEvidence> = {
  'nothing-differs': {
    meaning: 'Nothing that was compared differs from the facts taken before.',
    describe: () => 'nothing differs from the facts taken before',
  },
  'nothing-compared': {
    meaning:
      'The facts from before and those of now describe different things, so nothing could be compared.',
    remedy: 'Collect facts of the same thing before and after: of the database, or of the deployment.',
    describe: () => 'the facts taken before and those of now have nothing in common',
  },
  'fact-not-compared': {
    meaning: 'A fact was not seen, before or now, so nobody knows whether it differs.',
    remedy:
      'Collect with the same rights before and after; upgrade-preflight --grants prints all that are needed.',
    describe: ({ fact, missing, why }) =>
      `not compared: ${describeMissing({ need: fact, why, detail: undefined })} (in the facts of ${missing === 'before' ? 'before' : 'now'})`,
  },
  'another-database': {
    meaning: 'The facts taken before are of a database with another name.',
    remedy: 'Check both addresses: the new release may run on another database than the old one did.',
    describe: ({ before, after }) => `the database was ${before}, and is ${after}`,
  },
  'another-ledger': {
    meaning:
      'Migrations ran at a time other than the facts from before state: those are of another database.',
    remedy:
      'Give the facts that were collected from this instance. If they are, the new release runs on another database than the old one did: check its address.',
    describe: ({ names }) =>
      `the ledger has another time than before for ${countOf(names.length, 'migration')}: ${listNames(names)}`,
  },
  'migrations-run': {
    meaning: 'Migrations have run since the facts were taken.',
    describe: ({ names }) =>
      `${countOf(names.length, 'migration has', 'migrations have')} run since: ${listNames(names)}`,
  },
  'migrations-gone': {
    meaning:
      'The ledger has lost migrations that had run before. A backup was restored, or it is another database.',
    remedy: 'Check the address of the database, and whether a backup was restored since.',
    describe: ({ names }) => `the ledger no longer contains ${listNames(names)}`,
  },
  'tables-added': {
    meaning: 'There are tables that were not there before.',
    describe: ({ tables }) => `${countOf(tables.length, 'table is', 'tables are')} new: ${listNames(tables)}`,
  },
  'table-gone': {
    meaning: 'A table that was there before is gone.',
    remedy: lookWhy,
    describe: ({ table, rows, by }) =>
      `the table ${table} is gone${rows === null ? '' : ` (about ${countOf(rows, 'row')})`}${describeWhy(by)}`,
  },
  'table-emptied': {
    meaning: 'A table has no rows any more, according to the statistics of the server.',
    remedy: `Count its rows, because statistics may be old. ${lookWhy}`,
    describe: ({ table, rows, by }) =>
      `${table} had about ${countOf(rows, 'row')}, and has none according to the statistics of the server${describeWhy(by)}`,
  },
  'rows-changed': {
    meaning: 'Tables have more rows or fewer, according to the statistics of the server.',
    describe: ({ tables }) =>
      `rows according to the statistics of the server: ${firstOf(
        tables.map(({ table, before, after }) => `${table} ${before} -> ${after}`),
        5,
      )}`,
  },
  'rows-not-told': {
    meaning:
      'How many rows a table has is not known any more: a TRUNCATE, or a migration that rewrites the table, resets the statistics of the server.',
    remedy: 'Run ANALYZE on these tables, and verify again.',
    describe: ({ tables }) =>
      `row counts are not known any more: ${firstOf(
        tables.map(({ table, before }) => `${table} (before: ${before})`),
        5,
      )}`,
  },
  'indexes-added': {
    meaning: 'There are indexes that were not there before.',
    describe: ({ indexes }) =>
      `${countOf(indexes.length, 'index is', 'indexes are')} new: ${listNames(indexes)}`,
  },
  'index-gone': {
    meaning: 'An index that was there before is gone, and no migration that has run since names its table.',
    remedy: 'Find out what has dropped it, and create it again if that was not intended.',
    describe: ({ index, table, by }) => `the index ${index} on ${table} is gone${describeWhy(by)}`,
  },
  'index-turned-invalid': {
    meaning: 'An index that was valid before is no longer valid.',
    remedy: 'Build it again with REINDEX INDEX CONCURRENTLY, when nothing migrates.',
    describe: ({ index, table }) => `the index ${index} on ${table} was valid, and no longer is`,
  },
  'constraint-gone': {
    meaning:
      'A constraint that was there before is gone, and no migration that has run since names its table.',
    remedy: 'Find out what has dropped it, and add it again if that was not intended.',
    describe: ({ constraint, table, by }) =>
      `the constraint ${constraint} on ${table} is gone${describeWhy(by)}`,
  },
  'constraint-not-validated': {
    meaning:
      'A constraint was added, and never validated: older rows may break it. An interrupted migration leaves this behind.',
    remedy: 'Check whether its migration has ended; ALTER TABLE ... VALIDATE CONSTRAINT checks the rows.',
    describe: ({ constraint, table }) => `the constraint ${constraint} on ${table} is not validated`,
  },
  'extension-gone': {
    meaning: 'An extension is no longer installed.',
    remedy: 'Find out who has dropped it, along with whatever used it.',
    describe: ({ name, before }) => `the extension ${name} ${before} is gone`,
  },
  'extensions-changed': {
    meaning: 'Extensions were installed, or have another version.',
    describe: ({ extensions }) => `extensions: ${describeChanges(extensions)}`,
  },
  'settings-changed': {
    meaning: 'The server, or the role that migrates, has other settings.',
    describe: ({ settings }) => `settings: ${describeChanges(settings)}`,
  },
  'workload-gone': {
    meaning: 'A workload that was there before is gone.',
    remedy: 'Check whether that was intended; nothing does its work now.',
    describe: ({ workload }) => `${workload} is gone`,
  },
  'workloads-added': {
    meaning: 'There are workloads that were not there before.',
    describe: ({ workloads }) => `new: ${listNames(workloads)}`,
  },
  'images-changed': {
    meaning: 'A workload runs other images.',
    describe: ({ workload, images }) => `${workload}: images: ${describeChanges(images)}`,
  },
  'variables-changed': {
    meaning: 'A workload has other environment variables, by name.',
    remedy: 'Check whether the removed ones were meant to go.',
    describe: ({ workload, added, gone }) =>
      `${workload}: variables${added.length === 0 ? '' : ` new: ${listNames(added)}`}${
        gone.length === 0 ? '' : `${added.length === 0 ? '' : ';'} gone: ${listNames(gone)}`
      }`,
  },
  'replicas-changed': {
    meaning: 'A workload has more replicas or fewer.',
    describe: ({ workload, before, after }) =>
      `${workload}: replicas ${before ?? 'not said'} -> ${after ?? 'not said'}`,
  },
};

function describeWhy(by: readonly string[]): string {
  return by.length === 0
    ? ', and no migration that has run since names it'
    : `, which ${listNames(by)} may have done`;
}

function describeChanges(changes: readonly Change[]): string {
  return firstOf(
    changes.map(({ name, before, after }) => `${name} ${before ?? 'none'} -> ${after ?? 'none'}`),
    6,
  );
}
