import { describe, expect, it } from 'vitest';
import {
  type Answers,
  type Check,
  defineCheck,
  type Judgement,
  lacks,
  ok,
  stop,
  warn,
} from '../../src/checks/check.js';
import { runChecks } from '../../src/checks/run-checks.js';
import {
  healthyFacts,
  inputOf,
  ledgerOf,
  type ReleaseCase,
  type Situation,
  seenAt,
} from '../support/preflight.js';

interface Told {
  readonly kind: 'told';
}

const told: Told = { kind: 'told' };
const says = (...statuses: Judgement<Told>['status'][]): Judgement<Told>[] =>
  statuses.map((status) => ({ status, subject: null, evidence: told }));

function checkThat(
  judge: Check<'one', Told>['judge'],
  fields: Partial<Check<'one', Told>> = {},
): Check<'one', Told> {
  return { id: 'one', group: 'database', canStop: true, needs: [], needsArtifacts: false, judge, ...fields };
}

function run(check: Check<'one', Told>, situation: Situation = {}) {
  const { findings, checks, counts } = runChecks([check], inputOf(situation));
  return { found: findings.map(({ status, evidence }) => `${status} ${evidence.kind}`), checks, counts };
}

const words = { label: '', meaning: '', finds: { told: { meaning: '', describe: () => '' } } };

describe('one check', () => {
  it.each([
    [
      'says what it found, the gravest first',
      says('ok', 'warn', 'stop'),
      ['stop told', 'warn told', 'ok told'],
    ],
    ['is not checked where it says nothing', [], ['not-checked check-silent']],
    [
      'is no longer ok where it lacked something on the way',
      [...says('ok', 'warn'), lacks('disk-free')],
      ['not-checked facts-not-seen', 'warn told'],
    ],
  ])('%s', (_, judged, found) => {
    expect(run(checkThat(() => judged)).found).toEqual(found);
  });

  it.each<[Answers<Told>, boolean]>([
    [says('ok'), true],
    [says('stop', 'warn'), true],
    [[lacks('disk-free')], false],
    [[...says('warn'), lacks('disk-free')], false],
    [[...says('stop'), lacks('disk-free')], false],
  ])('%j is the whole answer: %s', (judged, whole) => {
    expect(run(checkThat(() => judged)).checks).toMatchObject([{ whole }]);
  });

  it('is not checked where it throws', () => {
    const check = checkThat(() => {
      throw new Error('no such thing');
    });
    const { findings } = runChecks([check], inputOf({}));
    expect(findings).toEqual([
      {
        check: 'one',
        status: 'not-checked',
        subject: null,
        evidence: { kind: 'check-failed', message: 'no such thing' },
        unread: true,
      },
    ]);
  });

  it.each([
    ['needs what any server tells', { needs: ['server'] }, ['not-checked facts-not-seen']],
    ['goes by what there is not', { needsOrAbsent: ['lease'] }, ['not-checked facts-not-seen']],
    ['is about the ledger', { needsOrAbsent: ['lease', 'ledger'] }, ['ok told']],
    ['is about the deployment', { group: 'deployment', needs: ['server'] }, ['ok told']],
    ['needs no fact', {}, ['ok told']],
  ] as const)('of a database without ledger, where it %s', (_, fields, found) => {
    const { server } = healthyFacts();
    const situation: Situation = { facts: { server, lease: 'absent', ledger: 'absent' } };
    expect(
      run(
        checkThat(() => says('ok'), fields),
        situation,
      ).found,
    ).toEqual(found);
  });

  it.each([
    ['was not asked for', {}, 'not-asked'],
    ['may not be seen', { ledger: 'not-permitted' as const }, 'not-permitted'],
    ['is absent', { ledger: 'absent' as const }, 'absent'],
  ])('is not asked where a fact that it needs %s', (_, facts, why) => {
    const check = checkThat(() => says('ok'), { needs: ['ledger'] });
    const { findings } = runChecks([check], inputOf({ facts }));
    expect(findings).toMatchObject([
      { status: 'not-checked', evidence: { kind: 'facts-not-seen', missing: [{ need: 'ledger', why }] } },
    ]);
  });

  it.each([
    ['needs', { needs: ['ledger'] }],
    ['turns out to need', { mayNeed: ['ledger'] }],
  ] as const)('stops where what it %s is not read, because that could run code', (_, fields) => {
    const check = checkThat(() => [lacks('ledger')], { canStop: false, ...fields });
    const { findings, checks } = runChecks([check], inputOf({ facts: { ledger: 'unsafe' } }));
    expect(checks).toMatchObject([{ status: 'stop' }]);
    expect(findings).toMatchObject([
      { status: 'stop', evidence: { kind: 'facts-not-seen', missing: [{ need: 'ledger', why: 'unsafe' }] } },
    ]);
    const beside = checkThat(() => [], { canStop: false, needs: ['ledger', 'server'] });
    expect(run(beside, { facts: { ledger: 'unsafe' } }).found).toEqual(['stop facts-not-seen']);
  });

  it.each([
    ['is in order where nothing was found', [], ok(told), ['ok told']],
    ['is what was found, and then nothing is in order', [warn(null, told)], ok(told), ['warn told']],
    [
      'is what it lacks at the end',
      [warn(null, told)],
      lacks('edition'),
      ['not-checked facts-not-seen', 'warn told'],
    ],
    ['is what stops at the end', [warn(null, told)], stop(null, told), ['stop told', 'warn told']],
    ['is nothing', [], undefined, ['not-checked check-silent']],
  ])('that yields what it finds %s', (_, yields, last, found) => {
    const check = defineCheck({
      id: 'one',
      needs: [],
      *judge() {
        yield* yields;
        return last;
      },
    })(words);
    expect(run(check).found).toEqual(found);
  });

  it('is handed an absent fact where absence is an answer', () => {
    const seen: unknown[] = [];
    const check = defineCheck({
      id: 'one',
      canStop: true,
      needs: [],
      needsOrAbsent: ['ledger'],
      needsArtifacts: false,
      *judge({ facts }) {
        seen.push(facts);
        if (facts.ledger !== null) yield lacks('ledger');
        return ok(told);
      },
    })(words);
    expect(run(check, { facts: { ledger: 'absent' } }).found).toEqual(['ok told']);
    expect(seen).toEqual([{ ledger: null }]);
    expect(run(check, { facts: { ledger: 'not-permitted' } }).found).toEqual(['not-checked facts-not-seen']);
  });

  it.each([
    ['is given where it was seen', { ledger: [] }, { ledger: [] }, { ledger: seenAt }, ['ok told']],
    ['is null where there is none', { ledger: 'absent' as const }, { ledger: null }, {}, ['ok told']],
    [
      'is lacked where it may not be seen',
      { ledger: 'not-permitted' as const },
      {},
      {},
      ['not-checked facts-not-seen not-permitted'],
    ],
    ['is lacked where it was not asked for', {}, {}, {}, ['not-checked facts-not-seen not-asked']],
  ])('what may be needed on the way %s', (_, facts, given, at, found) => {
    const seen: unknown[] = [];
    const check = defineCheck({
      id: 'one',
      canStop: true,
      needs: [],
      mayNeed: ['ledger', 'edition'],
      needsArtifacts: false,
      *judge({ facts, seenAt }) {
        seen.push([facts, seenAt]);
        if (facts.ledger === undefined) yield lacks('ledger');
        return ok(told);
      },
    })(words);
    const { findings } = runChecks([check], inputOf({ facts }));
    expect(
      findings.map(({ status, evidence }) =>
        [
          status,
          evidence.kind,
          ...('missing' in evidence ? evidence.missing.map(({ why }) => why) : []),
        ].join(' '),
      ),
    ).toEqual(found);
    expect(seen).toEqual([[given, at]]);
  });

  it.each([
    [lacks('variables', { detail: 'secret x' }), 'not-asked', 'secret x'],
    [lacks('ledger', { detail: 'its end' }), 'not-permitted', 'its end'],
    [lacks('ledger', { why: 'failed', detail: 'its end' }), 'failed', 'its end'],
  ])('says what of it is lacking: %o', (lacking, why, detail) => {
    const input = inputOf({ facts: { ledger: 'not-permitted' } });
    const { findings } = runChecks([checkThat(() => [lacking])], input);
    expect(findings).toMatchObject([{ evidence: { missing: [{ need: lacking.lacks, why, detail }] } }]);
  });

  it('is given the facts that it declares and no other', () => {
    const seen: unknown[] = [];
    const check = checkThat(({ facts }) => {
      seen.push(facts);
      return says('ok');
    });
    run(check, { facts: { ledger: ledgerOf('20260101000000_a') } });
    expect(seen).toEqual([{}]);
  });
});

describe('a check of the artifacts', () => {
  const check = checkThat(() => says('ok', 'warn'), { needsArtifacts: true });
  const releases: ReleaseCase[] = [
    { version: '2.0.0', artifact: 'missing' as const },
    { version: '2.1.0' },
    { version: '2.2.0' },
  ];

  it('needs no artifact of the running release', () => {
    expect(run(check, { releases }).found).toEqual(['warn told', 'ok told']);
  });

  it.each([
    ['is missing', { version: '2.1.0', artifact: 'missing' as const }, 0],
    ['was never made', { version: '2.1.0', entry: { backfilled: true } }, 1],
    [
      'does not say whether there are migrations',
      {
        version: '2.1.0',
        artifact: { migrations: { present: 'unknown', count: 0, coreCount: 0, eeCount: 0, files: [] } },
      },
      0,
    ],
  ])('is not checked for a release whose artifact %s', (_, release, backfilled) => {
    const situation = { releases: releases.with(1, release) };
    const { findings } = runChecks([check], inputOf(situation));
    expect(findings).toMatchObject([
      {
        status: 'not-checked',
        evidence: { kind: 'artifacts-not-seen', versions: ['2.1.0'], backfilled, of: 2 },
      },
      { status: 'warn' },
    ]);
  });

  it('is not checked for releases that the index does not hold', () => {
    const gap = releases.with(2, { version: '2.2.0', entry: { previousVersion: '2.1.5' } });
    expect(run(check, { releases: gap }).found).toEqual(['not-checked releases-not-indexed', 'warn told']);
  });
});

describe('all checks', () => {
  const many = (['stop', 'warn', 'ok', 'ok'] as const).map(
    (status, i): Check<`c${number}`, Told> => ({ ...checkThat(() => says('ok', status)), id: `c${i}` }),
  );
  const broken: Check<`c${number}`, Told> = { ...checkThat(() => []), id: 'c9' };

  it('appear in the answer, and the counts add up', () => {
    const { checks, counts, notAsked } = runChecks([broken, ...many], inputOf({}));
    expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'c9 not-checked',
      'c0 stop',
      'c1 warn',
      'c2 ok',
      'c3 ok',
    ]);
    expect(counts).toEqual({ stop: 1, 'not-checked': 1, warn: 1, ok: 2 });
    expect(notAsked).toEqual([]);
  });

  it('are named where they were left out', () => {
    const { checks, notAsked, findings } = runChecks([broken, ...many], inputOf({}), new Set(['c1', 'c2']));
    expect(checks.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(notAsked).toEqual(['c9', 'c0', 'c3']);
    expect(findings.map(({ check }) => check)).toEqual(['c1', 'c1', 'c2', 'c2']);
  });
});

describe('a fact from another day', () => {
  const dayLater = '2026-09-07T18:00:01Z';
  const later = (check: Check<'one', Told>, freshFrom: string | undefined, facts = healthyFacts()) =>
    runChecks([check], { ...inputOf({ facts }), freshFrom }).findings.map(({ status, evidence }) =>
      evidence.kind === 'facts-not-seen' ? [status, ...evidence.missing.map(({ why }) => why)] : status,
    );
  const judge = () => [ok(told)];

  it('does not count where it changes by the hour', () => {
    const locks = checkThat(judge, { needs: ['ledger', 'locks', 'activity'] });
    expect(later(locks, dayLater)).toEqual([['not-checked', 'old', 'old']]);
    expect(later(locks, seenAt)).toEqual(['ok']);
    expect(later(locks, undefined)).toEqual(['ok']);
  });

  it('counts where it does not', () => {
    expect(later(checkThat(judge, { needs: ['ledger', 'tables', 'server'] }), dayLater)).toEqual(['ok']);
  });

  it('is not checked where it changes by the hour', () => {
    expect(later(checkThat(judge, { needs: ['server'], momentary: true }), dayLater)).toEqual([
      ['not-checked', 'old'],
    ]);
  });

  it('is not handed to a check that can do without', () => {
    const seen = checkThat(({ facts }) => [ok({ ...told, ...facts })], { mayNeed: ['locks', 'tables'] });
    const { findings } = runChecks([seen], { ...inputOf({ facts: healthyFacts() }), freshFrom: dayLater });
    expect(Object.keys(findings[0]?.evidence ?? {})).toEqual(['kind', 'tables']);
  });
});
