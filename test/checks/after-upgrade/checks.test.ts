import { describe, expect, it } from 'vitest';
import {
  verifyChecks as allChecks,
  decideVerify,
  groupsWithFacts,
  withStatedMigrations,
} from '../../../src/checks/after-upgrade/checks.js';
import { describeVerifyFinding } from '../../../src/checks/after-upgrade/describe.js';
import { checkGroups } from '../../../src/checks/check.js';
import { runChecks } from '../../../src/checks/run-checks.js';
import { indexFact, serverFact } from '../../support/facts.js';
import {
  factsOf,
  healthyFacts,
  idleLease,
  idleQueue,
  inputOf,
  ledgerOf,
  recordEvidence,
  runOf,
  type Situation,
} from '../../support/preflight.js';

const verifyChecks = allChecks.filter(({ group }) => group === 'database');

const old = '20260801000000_old';
const brought = '20260901000000_alter';

/** An instance after the upgrade to 2.1.0, with nothing the matter but what these facts say. */
function after(facts: Situation['facts'] = {}, more: Partial<Situation> = {}): Situation {
  return {
    from: '2.1.0',
    to: '2.1.0',
    releases: [
      { version: '2.0.0', migrations: [{ name: old }] },
      { version: '2.1.0', migrations: [{ name: brought, tables: ['projects'] }] },
    ],
    facts: { ...healthyFacts(old, brought), ...facts },
    ...more,
  };
}

const jobsAtRest = { ...idleQueue, createdInLastHour: 3 };
const notValid = indexFact({ name: 'projects_name', valid: false });

function found(situation: Situation): string[] {
  const { findings } = runChecks(verifyChecks, inputOf(situation));
  recordEvidence(findings.filter(({ status }) => status !== 'ok'));
  return findings.map((finding) => {
    const { description, remedy } = describeVerifyFinding(finding);
    expect(description).not.toMatch(/^$|undefined|null\b|NaN|\[object/);
    expect(remedy === null, description).toBe(finding.status === 'ok');
    // What preflight advises before an upgrade is no advice after it.
    if (remedy !== null)
      expect(remedy.text).not.toMatch(/--from-database|before the upgrade hides|ask again with/);
    return `${finding.check}: ${finding.status} ${finding.evidence.kind}`;
  });
}

describe('after an upgrade', () => {
  it('an instance with nothing the matter is in order in every check', () => {
    expect(found(after())).toEqual([
      'ledger: ok ledger-agrees',
      'lock-and-lease: ok nobody-migrates',
      'parked-probe: ok no-run-parked',
      'primary: ok is-primary',
      'invalid-indexes: ok indexes-valid',
      'queue: ok queue-at-rest',
    ]);
  });

  const withReleases = (...releases: NonNullable<Situation['releases']>) => ({ releases });
  const inEnterprise = withReleases(
    { version: '2.0.0', migrations: [{ name: old }] },
    { version: '2.1.0', migrations: [{ name: brought }, { name: '20260902000000_ee', edition: 'ee' }] },
  );
  const passed = withReleases(
    { version: '1.9.0', migrations: [{ name: old }] },
    { version: '2.0.0', migrations: [{ name: '20260815000000_gone' }] },
    { version: '2.1.0', migrations: [{ name: brought }] },
  );
  const parkedAt = '2026-09-06T18:00:00Z';
  const lease = (told: object) => ({ lease: [{ ...idleLease, ...told }] });
  const parked = { newest: runOf({ outcome: 'parked' }), lastSucceeded: null };
  const queue = (told: object) => ({ queue: { ...jobsAtRest, jobs: 3, ...told } });

  it.each<[string, Situation, string]>([
    ['nothing of it has run', after({ ledger: healthyFacts(old).ledger }), 'ledger: stop ledger-behind'],
    ['a migration that was passed', after({}, passed), 'ledger: stop ledger-skipped'],
    [
      'whether enterprise migrations had to run is not known',
      after({}, inEnterprise),
      'ledger: not-checked facts-not-seen',
    ],
    [
      'enterprise migrations that did not run',
      after({}, { ...inEnterprise, edition: 'enterprise' }),
      'ledger: stop ledger-half-applied',
    ],
    ['a lease with two rows', after({ lease: [idleLease, idleLease] }), 'lock-and-lease: stop lease-rows'],
    [
      'a migration parked that another release may try',
      after(lease({ parkedAt, parkedAppVersion: '2.0.0' })),
      'lock-and-lease: stop lease-parked',
    ],
    [
      'a lease that nobody has renewed',
      after(lease({ claimed: true, heartbeatAgeSeconds: 75 })),
      'lock-and-lease: stop lease-stale',
    ],
    [
      'a lock that nobody holds any more',
      after({ ledgerLock: { rows: 1, lockedRows: 1 } }),
      'lock-and-lease: stop knex-lock-freed-by-target',
    ],
    ['a run that is parked', after({ runs: parked }), 'parked-probe: stop run-parked'],
    [
      'a replica, which tells of a while ago',
      after({ server: { ...serverFact, inRecovery: true } }),
      'primary: stop in-recovery',
    ],
    ['an index that is not valid', after({ indexes: [notValid] }), 'invalid-indexes: stop index-invalid'],
    [
      'jobs that run, and one that is stuck',
      after(queue({ locked: 3, lockedTooLong: 1 })),
      'queue: stop jobs-locked-too-long',
    ],
    ['jobs not taken', after(queue({ due: 3, oldestDueSeconds: 86_400 })), 'queue: stop jobs-not-worked'],
    [
      'no ledger',
      after({ ledger: 'absent' }),
      [
        'ledger: stop ledger-absent',
        ...['lock-and-lease', 'parked-probe', 'primary', 'invalid-indexes', 'queue'].map(
          (id) => `${id}: not-checked facts-not-seen`,
        ),
      ].join(', '),
    ],
  ])('%s', (_, situation, expected) => {
    expect(found(situation).filter((line) => !line.includes(': ok '))).toEqual(expected.split(', '));
  });

  it('a fact less never makes it better', () => {
    const rank = { 'not-verified': 0, 'not-known': 1, verified: 2 };
    const broken: Situation['facts'][] = [
      {},
      { ledger: healthyFacts(old).ledger },
      lease({ parkedAt }),
      { ledgerLock: { rows: 1, lockedRows: 1 } },
      { queue: 'not-permitted' },
    ];
    const decided = (facts: ReturnType<typeof inputOf>['facts'], situation: Situation) =>
      decideVerify(true, runChecks(verifyChecks, { ...inputOf(situation), facts }).findings);
    for (const facts of broken) {
      const situation = after(facts);
      const { facts: all } = inputOf(situation);
      const whole = decided(all, situation);
      for (const key of Object.keys(all)) {
        const { [key as keyof typeof all]: _, ...fewer } = all;
        const less = decided(fewer, situation);
        expect([key, less === 'verified' && whole !== 'verified']).toEqual([key, false]);
        if (whole === 'not-known') expect(rank[less]).toBeLessThanOrEqual(rank[whole]);
      }
    }
  });

  it('no fact, no yes', () => {
    const { findings } = runChecks(verifyChecks, inputOf(after({}, { facts: {} })));
    expect(findings.map(({ status }) => status)).toEqual(verifyChecks.map(() => 'not-checked'));
  });

  it.each([
    ['transient', /^The same release may try it again after a few minutes/],
    ['deterministic', /^Read the log of the parked migration/],
    [null, /^Read the log of the parked migration/],
  ])('of a migration parked for a reason that is %s, what to do', (parkedErrorClass, said) => {
    const told = lease({ parkedAt, parkedAppVersion: '2.0.0', parkedErrorClass });
    const { findings } = runChecks(verifyChecks, inputOf(after(told)));
    const texts = findings.map((one) => describeVerifyFinding(one).remedy?.text);
    expect(texts).toContainEqual(expect.stringMatching(said));
  });

  it('nothing that a preflight stops at passes afterwards', () => {
    for (const check of verifyChecks) expect(check.canStop).toBe(true);
  });

  it('waits on what another minute may settle', () => {
    const passing = ['ledger-behind', 'ledger-half-applied', 'knex-lock-freed-by-target'];
    const transient = allChecks.flatMap((check) =>
      Object.entries(check.traitsOf ?? {}).flatMap(([kind, traits]) => (traits?.transient ? [kind] : [])),
    );
    expect(transient).toEqual(expect.arrayContaining([...passing, 'lease-migrating', 'lease-stale']));
    for (const kind of ['index-invalid', 'lease-parked']) expect(transient).not.toContain(kind);
  });
});

describe('the decision', () => {
  const all = (...statuses: ('stop' | 'not-checked' | 'warn' | 'ok')[]) =>
    statuses.map((status) => ({ status }));

  it.each([
    [true, all(), 'verified'],
    [true, all('ok', 'warn'), 'verified'],
    [true, all('ok', 'not-checked'), 'not-known'],
    [true, all('not-checked', 'stop'), 'not-verified'],
    [false, all(), 'not-verified'],
    [false, all('ok'), 'not-verified'],
    [false, all('not-checked'), 'not-verified'],
  ])('ready: %s, with %j: %s', (ready, findings, expected) => {
    expect(decideVerify(ready, findings)).toBe(expected);
  });
});

describe('migrations that are stated to have run', () => {
  const [a, b] = ['20260801000000_a', '20260802000000_b'];
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

  it.each([
    [{}],
    [{ edition: 'community' }],
    [{ [`migration.${a}`]: 'applied' }],
    [{ [`migration.${b}`]: 'pending' }],
    [{ [`a.migration.${b}`]: 'applied' }],
  ])('%j adds none', (stated) => expect(withStatedMigrations(facts(stated))).toEqual(facts(stated)));

  it('make no ledger where none was seen', () => {
    const facts = factsOf({ ledger: 'absent', stated: { [`migration.${b}`]: 'applied' } });
    expect(withStatedMigrations(facts)).toBe(facts);
    expect(withStatedMigrations({})).toEqual({});
  });
});

describe('the groups of checks that are asked', () => {
  it.each([
    ['seen', ['database'], ['database']],
    ['not-permitted', ['database'], ['database']],
    ['seen', ['deployment'], ['deployment']],
    ['seen', ['deployment', 'database', 'deployment'], checkGroups],
    ['seen', ['stated'], checkGroups],
    ['seen', [], checkGroups],
    ['not-asked', ['database'], checkGroups],
  ])('of facts that are %s, of %j, are %j', (status, sources, groups) => {
    const facts = Object.fromEntries(sources.map((source, i) => [i, { status, source }]));
    expect(groupsWithFacts(facts as never)).toEqual(groups);
    const beside = { ...facts, other: { status: 'not-asked', source: 'deployment' }, none: undefined };
    expect(groupsWithFacts(beside as never)).toEqual(groups);
  });
});
