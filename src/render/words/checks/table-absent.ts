import type { TableAbsentEvidence } from '../../../preflight/checks/table-absent.js';
import { countOf } from '../../phrase.js';
import type { CheckWords } from './check-words.js';

const told = ({ table, migration, version }: Record<'table' | 'migration' | 'version', string>) =>
  `${migration} (${version}) changes ${table}, which is not there`;

export const tableAbsentWords: CheckWords<TableAbsentEvidence> = {
  label: 'Tables that migrations change',
  meaning: 'Whether every table that a pending migration of any release on the route changes is there.',
  looksAt:
    'The tables that artifacts name for pending migrations, against the tables of the schema. A table that an earlier pending migration may create does not count as absent.',
  finds: {
    'table-absent': {
      meaning:
        'A pending migration changes a table that is not there. It fails, and so does every start of the release: enterprise tables exist only with a licence key.',
      remedy:
        'If the publisher has fixed it, skip this release and go to one that no longer brings the migration. Do not create a table by hand.',
      describe: ({ edition, ...about }) =>
        `${told(about)}${edition === 'core' ? '; the migration runs with and without a licence key' : ''}`,
    },
    'table-maybe-absent': {
      meaning:
        'A pending migration names a table that is not there. It, or one before it, may create the table: its artifact does not say.',
      remedy: 'Try the upgrade on a copy of the database first.',
      describe: ({ edition, maker, ...about }) =>
        `${told(about)}${maker === null ? '' : `; ${maker === about.migration ? 'it' : maker} may create that table`}${
          edition === 'ee' ? '; the migration runs only with a licence key' : ''
        }`,
    },
    'tables-present': {
      meaning:
        'Every table that a pending migration is known to change is there, or an earlier one creates it.',
      describe: ({ tables }) =>
        tables === 0
          ? 'pending migrations are not known to change any table'
          : `${countOf(tables, 'table', 'tables')} that pending migrations name, none of them missing`,
    },
  },
};
