import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { backfillsCheck } from '../../src/checks/database/backfills.js';
import { dependentObjects } from '../../src/checks/database/dependent-objects.js';
import { migrationRights } from '../../src/checks/database/migration-rights.js';
import { tableAbsent } from '../../src/checks/database/table-absent.js';
import { traitsOf } from '../../src/checks/run-checks.js';
import { isSettledOnCopy } from '../../src/checks/settled.js';
import type { Rehearsal } from '../../src/instance/rehearsal.js';
import { foundBy, type MigrationCase, type Situation, upgradeTo } from '../support/preflight.js';
import { failedRehearsal, rehearsalEvidence } from '../support/rehearsal-evidence.js';

/** What went through on a copy settles what a check found of the same migration, and nothing else. */

const name = '20260901000000_one';
const ledger = [{ name: '20260801000000_old.js', batch: 1, migratedAt: null }];
const alters: MigrationCase = { name, tables: ['ai_prompt'], does: ['locks'] };
const version = (text: string) => text as Rehearsal['toVersion'];

function absent(rehearsal: Rehearsal | undefined, migration = alters): Situation {
  const situation = upgradeTo([migration]);
  return { ...situation, facts: { ...situation.facts, ledger, ...(rehearsal && { rehearsal }) } };
}

describe('a table that a migration changes and that is not there', () => {
  it.each<[title: string, rehearsal: Rehearsal | undefined, found: string]>([
    ['stops without a rehearsal', undefined, 'stop table-absent ai_prompt'],
    ['is settled where the migration went through', rehearsalEvidence(), 'ok table-absent ai_prompt'],
    ['without rows, too', rehearsalEvidence({ mode: 'dry' }), 'ok table-absent ai_prompt'],
    ['stops where the rehearsal failed', failedRehearsal, 'stop table-absent ai_prompt'],
    ['of another target', rehearsalEvidence({ toVersion: version('2.2.0') }), 'stop table-absent ai_prompt'],
    [
      'of another ledger',
      rehearsalEvidence({ ledger: { migrations: 2, newest: '20260801000000_old.js' } }),
      'stop table-absent ai_prompt',
    ],
    [
      'in which another migration ran',
      rehearsalEvidence({
        hops: rehearsalEvidence().hops.map((hop) => ({ ...hop, migrations: [] })),
      }),
      'stop table-absent ai_prompt',
    ],
  ])('%s', (_, rehearsal, found) => {
    expect(foundBy(tableAbsent, absent(rehearsal))).toEqual([found]);
  });

  it('stops where the database has run more since', () => {
    const { facts, ...situation } = absent(rehearsalEvidence());
    const rows = [...ledger, { name: '20260802000000_more.js', batch: 2, migratedAt: null }];
    expect(foundBy(tableAbsent, { ...situation, facts: { ...facts, ledger: rows } })).toEqual([
      'stop table-absent ai_prompt',
    ]);
  });
});

describe('what an artifact does not list', () => {
  const releases = [{ version: '2.0.0' }, { version: '2.1.0', artifact: 'missing' as const }];
  const facts = { ...upgradeTo([]).facts, ledger };

  it('is not checked, unless it ran on a copy of a community instance, or with the licence key', () => {
    const found = (rehearsal: Rehearsal | undefined, edition: Situation['edition']) =>
      foundBy(tableAbsent, { releases, edition, facts: { ...facts, ...(rehearsal && { rehearsal }) } });
    const gap = 'not-checked artifacts-not-seen';
    expect(found(undefined, 'community')).toEqual([gap]);
    expect(found(rehearsalEvidence(), undefined)).toEqual([gap]);
    expect(found(rehearsalEvidence(), 'enterprise')).toEqual([gap]);
    expect(found(failedRehearsal, 'community')).toEqual([gap]);
    expect(found(rehearsalEvidence(), 'community')).toEqual(['ok tables-present']);
    expect(found(rehearsalEvidence({ enterprise: true }), undefined)).toEqual(['ok tables-present']);
  });
});

describe('what a copy must have had', () => {
  const settled = (
    check: Parameters<typeof traitsOf>[0],
    evidence: { readonly kind: string },
    kept: Partial<Rehearsal>,
  ) =>
    isSettledOnCopy(
      evidence,
      traitsOf(check, evidence.kind).settledOnCopy ?? [],
      rehearsalEvidence(kept),
      'lightdash',
    );

  it.each<[string, Parameters<typeof traitsOf>[0], { kind: string }, Partial<Rehearsal>, boolean]>([
    ['the object', dependentObjects, inUse('v'), { dependents: ['v'] }, true],
    ['and no other', dependentObjects, inUse('v'), { dependents: ['w'] }, false],
    ['each object', dependentObjects, anyInUse('v', 'w'), { dependents: ['v'] }, false],
    ['rows, where a trigger runs', dependentObjects, trigger, { dependents: ['t'], mode: 'dry' }, false],
    ['rows and the trigger', dependentObjects, trigger, { dependents: ['t'] }, true],
    ['the roles', migrationRights, notOwned, { rolesKnown: false }, false],
    ['the same role', migrationRights, notOwned, { migratingRole: 'other' }, false],
    ['the role and its memberships', migrationRights, notOwned, {}, true],
    ['rows, where a backfill may not end', backfillsCheck, endless, { mode: 'dry' }, false],
    ['an end of the backfill', backfillsCheck, endless, {}, true],
  ])('%s', (_, check, evidence, kept, expected) => {
    expect(settled(check, evidence, kept)).toBe(expected);
  });

  const onCopy = checks.flatMap((check) =>
    Object.keys(check.finds).flatMap((kind) =>
      traitsOf(check, kind).settledOnCopy === undefined ? [] : [[kind, check] as const],
    ),
  );

  it.each(onCopy)('%s is settled where the copy had all that it names', (kind, check) => {
    const about = { object: 'v', objects: ['v'], trigger: 'v', publication: 'v' };
    const evidence = { kind, migration: name, forecast: { migration: name }, ...about };
    expect(settled(check, evidence, { dependents: ['v'] })).toBe(true);
    expect(settled(check, { ...evidence, kind: 'another' }, { dependents: ['v'] })).toBe(false);
  });
});

function inUse(object: string) {
  return { kind: 'column-in-use', object, migration: name };
}

function anyInUse(...objects: readonly string[]) {
  return { kind: 'any-table-in-use', objects, migration: name };
}

const trigger = { kind: 'trigger-runs', trigger: 't', migration: name };
const notOwned = { kind: 'table-not-owned', migration: name };
const endless = { kind: 'backfill-may-not-end', forecast: { migration: name } };
