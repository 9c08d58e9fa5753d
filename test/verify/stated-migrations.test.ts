import { describe, expect, it } from 'vitest';
import { checkGroups } from '../../src/checks/check.js';
import { groupsWithFacts, withStatedMigrations } from '../../src/verify/checks.js';
import { factsOf, ledgerOf } from '../support/preflight.js';

const a = '20260801000000_a';
const b = '20260802000000_b';

describe('migrations that are stated to have run', () => {
  const ledger = ledgerOf(a);
  const facts = (stated: Record<string, string>) =>
    factsOf({ ledger, stated } as Parameters<typeof factsOf>[0]);

  it('stand in the ledger, where it does not hold them', () => {
    const stated = { [`migration.${a}`]: 'applied', [`migration.${b}`]: 'applied', edition: 'applied' };
    const seen = facts(stated);
    expect(withStatedMigrations(seen)).toEqual({
      ...seen,
      ledger: { ...seen.ledger, value: [...ledger, { name: b, batch: 0, migratedAt: null }] },
    });
  });

  it.each([[{}], [{ edition: 'community' }], [{ [`migration.${a}`]: 'applied' }]])(
    '%j adds none',
    (stated) => {
      expect(withStatedMigrations(facts(stated))).toEqual(facts(stated));
    },
  );

  it('make no ledger where none was seen', () => {
    const facts = factsOf({ ledger: 'absent', stated: { [`migration.${b}`]: 'applied' } });
    expect(withStatedMigrations(facts)).toBe(facts);
    expect(withStatedMigrations({})).toEqual({});
  });
});

describe('the groups of checks that are asked', () => {
  const at = { status: 'seen', seenAt: '2026-09-06T18:00:00Z' } as const;
  const told = (...sources: string[]) =>
    groupsWithFacts(Object.fromEntries(sources.map((source, i) => [i, { ...at, source }])) as never);

  it.each([
    [['database'], ['database']],
    [['deployment'], ['deployment']],
    [
      ['deployment', 'database', 'deployment'],
      ['database', 'deployment'],
    ],
    [['stated'], checkGroups],
    [[], checkGroups],
  ])('of facts of %j are %j', (sources, groups) => {
    expect(told(...sources)).toEqual(
      checkGroups.filter((group) => (groups as readonly string[]).includes(group)),
    );
  });

  it('are all where nothing was asked for', () => {
    expect(groupsWithFacts({ ledger: { status: 'not-asked' } } as never)).toEqual(checkGroups);
  });
});
