import { describe, expect, it } from 'vitest';
import { migrationRights } from '../../../src/checks/database/migration-rights.js';
import { runChecks } from '../../../src/checks/run-checks.js';
import { migratorFact, tableFact } from '../../support/facts.js';
import { inputOf, itFinds, pastedFor, type Situation, upgradeTo } from '../../support/preflight.js';

const pending = [{ name: '20260901000000_x', tables: ['projects'] }];
const foreign = [tableFact({ name: 'projects', owner: 'postgres', owned: false })];
const migrator = (told: object) => ({ ...migratorFact, ...told });

describe('the role that migrates', () => {
  itFinds(migrationRights, (situation: Situation) => situation, {
    'ok rights-held lightdash': {
      'may do all': upgradeTo(pending),
      'need not own what nothing changes': upgradeTo([], { tables: foreign }),
      'owns all that one may change': upgradeTo([{ name: '20260901000000_x' }]),
      'may as a superuser': upgradeTo(pending, {
        tables: foreign,
        migrator: migrator({ superuser: true, schemaCreate: false }),
      }),
      'need not own that as a superuser': upgradeTo(pending, {
        migrator: migrator({ queueOwners: ['app'], superuser: true }),
      }),
      'owns what background jobs stand in': upgradeTo(pending, { migrator: migrator({ queueOwners: [] }) }),
    },
    'stop table-not-owned projects': { 'does not own a table': upgradeTo(pending, { tables: foreign }) },
    'stop table-not-owned projects_1': {
      'does not own what holds the rows of a table': upgradeTo(pending, {
        tables: [
          tableFact({ name: 'projects', kind: 'partitioned' }),
          tableFact({ name: 'projects_1', partitionOf: 'projects', owner: 'postgres', owned: false }),
        ],
      }),
    },
    'warn table-maybe-not-owned 20260901000000_x': {
      'may not own what a migration changes that tells no table': upgradeTo([{ name: '20260901000000_x' }], {
        tables: foreign,
      }),
    },
    'stop table-not-owned projects; warn table-maybe-not-owned 20260902000000_y': {
      'does not own a table, nor what a migration may change that tells no table': upgradeTo(
        [...pending, { name: '20260902000000_y' }],
        { tables: [...foreign, tableFact({ name: 'spaces', owner: 'postgres', owned: false })] },
      ),
    },
    'warn queue-not-owned graphile_worker': {
      'does not own what background jobs stand in': upgradeTo(pending, {
        migrator: migrator({ queueOwners: ['postgres'] }),
      }),
    },
    'stop no-right-to-create public': {
      'may not create': upgradeTo(pending, { migrator: migrator({ schemaCreate: false }) }),
      'may not use the schema': upgradeTo(pending, { migrator: migrator({ schemaUsage: false }) }),
    },
    'warn event-trigger audit; warn event-trigger freeze': {
      'may be refused by code that runs at each change of the schema': upgradeTo([], {
        migrator: migrator({ superuser: true, eventTriggers: ['audit', 'freeze'] }),
      }),
    },
  });

  it.each([
    ['audit.projects_1', '"audit"."projects_1"'],
    ['"a""b.c".projects_1', '"a""b.c"."projects_1"'],
    ['"a""".projects_1', '"a"""."projects_1"'],
    ['projects_1', '"public"."projects_1"'],
  ])('is given %s by its name in its schema', (table, given) => {
    const tables = [
      tableFact({ name: 'projects', kind: 'partitioned' }),
      tableFact({ name: table, partitionOf: 'projects', owned: false }),
    ];
    expect(pastedFor(migrationRights, upgradeTo(pending, { tables })).at(-1)).toBe(
      `ALTER TABLE ${given} OWNER TO "lightdash";`,
    );
  });

  it('is refused by the first migration that names the table', () => {
    const situation = upgradeTo([...pending, { name: '20260902000000_y', tables: ['projects'] }], {
      tables: foreign,
    });
    const { findings } = runChecks([migrationRights], inputOf(situation));
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      {
        ...{ kind: 'table-not-owned', schema: 'public', table: 'projects' },
        ...{ owner: 'postgres', role: 'lightdash', migration: '20260901000000_x' },
      },
    ]);
  });
});
