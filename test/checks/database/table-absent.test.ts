import { describe, expect, it } from 'vitest';
import { tableAbsent } from '../../../src/checks/database/table-absent.js';
import { foundBy, itFinds, type MigrationCase, type Situation, upgradeTo } from '../../support/preflight.js';

const alters: MigrationCase = { name: '20260903120000_add_timing', tables: ['ai_prompt'], does: ['locks'] };

describe('a table that a pending migration names', () => {
  itFinds(tableAbsent, (situation: Situation) => situation, {
    'ok tables-present': {
      'is there': upgradeTo([{ ...alters, tables: ['projects'] }]),
      'is not named at all': upgradeTo([]),
      'belongs to the server': upgradeTo([{ ...alters, tables: ['pg_index', 'information_schema.columns'] }]),
      'is made by the migration, as its name says': upgradeTo([
        { ...alters, name: '20260903120000_create_ai_prompt' },
      ]),
      'is made by the migration, beside another': upgradeTo([
        {
          ...alters,
          name: '20260903120000_add_note_and_create_ai_prompts',
          tables: ['ai_prompt', 'projects'],
        },
      ]),
      'is made by an earlier one of the way': upgradeTo([
        { name: '20260902120000_create_ai_prompt_table' },
        alters,
      ]),
      'is an enterprise one of a community instance': {
        ...upgradeTo([{ ...alters, edition: 'ee' }]),
        edition: 'community',
      },
    },
    'stop table-absent ai_prompt': {
      'is not there': upgradeTo([alters]),
      'is not made by a migration that makes another': upgradeTo([
        { ...alters, name: '20260903120000_create_timing' },
      ]),
      'is not made by a migration that is named after it alone': upgradeTo([
        { ...alters, name: '20260903120000_add_timing_to_ai_prompt' },
      ]),
      ...Object.fromEntries(
        [
          'add_created_by_to_ai_prompt',
          'index_ai_prompt_created_at',
          'create_index_on_ai_prompt',
          'create_unique_index_of_ai_prompt',
          'create_constraints_of_ai_prompt',
          'recreate_keys_of_ai_prompt',
        ].map((name) => [
          `is not made by ${name}`,
          upgradeTo([{ ...alters, name: `20260903120000_${name}`, does: ['scans'] }]),
        ]),
      ),
      'is not made by one that makes a table whose name begins like it': upgradeTo([
        {
          ...{ ...alters, name: '20260903120000_create_ai_prompt_note' },
          tables: ['ai_prompt', 'ai_prompt_note'],
        },
      ]),
      'is made by a later one of the way': upgradeTo([
        alters,
        { name: '20260904120000_create_ai_prompt_table' },
      ]),
      'is an enterprise one of an enterprise instance': {
        ...upgradeTo([{ ...alters, edition: 'ee' }]),
        edition: 'enterprise',
      },
    },
    'warn table-maybe-absent ai_prompt': {
      'may be made by one of an enterprise instance that locks nothing': {
        ...upgradeTo([{ ...alters, edition: 'ee', does: [] }]),
        edition: 'enterprise',
      },
      'may be made by one that tells nothing': upgradeTo([
        { name: '20260902120000_x', does: 'unknown' },
        alters,
      ]),
      'may be made by one that locks nothing': upgradeTo([{ ...alters, does: [] }]),
    },
    'not-checked facts-not-seen; warn table-maybe-absent ai_prompt': {
      'is an enterprise one, and nothing tells of a licence': upgradeTo([{ ...alters, edition: 'ee' }]),
    },
  });

  it('counts by its edition at the target', () => {
    const moved = upgradeTo([alters]);
    const releases = [
      ...(moved.releases ?? []),
      { version: '2.2.0', migrations: [{ ...alters, edition: 'ee' as const }] },
    ];
    expect(foundBy(tableAbsent, { ...moved, releases, edition: 'community' })).toEqual(['ok tables-present']);
  });
});
