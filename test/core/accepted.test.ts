import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { acceptancesOf } from '../../src/app/acceptances.js';
import { acceptancesIn, readSettings } from '../../src/app/settings/read.js';
import { type CheckId, checks } from '../../src/checks/checks.js';
import { decide, failOnLevels } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { type Acceptance, isLapsed, nameOfFinding, namesOf } from '../../src/core/accepted.js';
import { joinArtifacts } from '../../src/core/artifact/reconcile.js';
import { type Evidence, judgeRoute, judgeSpan } from '../../src/core/judge.js';
import { judgeMove, passes, planBump } from '../../src/core/pins.js';
import type { Reason } from '../../src/core/results.js';
import { mayRoll } from '../../src/core/route/route.js';
import { parseVersion } from '../../src/core/version.js';
import { lacks } from '../../src/instance/facts/needs.js';
import { backendWith, deployedAt, imageOf, workerOf } from '../support/deployment.js';
import { inputOf, upgradeTo } from '../support/preflight.js';
import { propertyRuns } from '../support/property-runs.js';
import { accepting, questionsOf, version } from '../support/questions.js';

const verdict = fc.constantFrom<boolean | 'unknown'>(true, true, true, false, 'unknown');
const day = fc.constantFrom(null, '2026-09-01', '2026-09-02');

/** A question, and what is accepted. */
const questions = fc
  .tuple(
    questionsOf(verdict),
    fc.uniqueArray(fc.tuple(version, day), { selector: ([one]) => one, minLength: 3 }),
  )
  .map(([{ ends, evidence }, accepted]) => ({
    ends,
    without: { ...evidence, everyArtifact: evidence.artifacts !== undefined },
    risks: accepted.map(([name, until]) => ({ ...accepting('release', name), until })),
  }));

const stopping = { check: 'ledger', status: 'stop', evidence: { kind: 'ledger-ahead' } } as const;
const runs = { numRuns: propertyRuns(3000) };

describe('an accepted verdict', () => {
  it('proves nothing, and lets roll exactly what it names', () => {
    let accepted = 0;
    fc.assert(
      fc.property(questions, ({ without, risks, ends }) => {
        const by = { ...without, accepted: risks };
        const named = namesOf('release', risks);
        const [alone, judged] = [judgeSpan(without, ends), judgeSpan(by, ends)];
        // The answer itself stays as it is, with every word of the publisher.
        expect(judged.result).toEqual(alone.result);
        const { jump, reasons } = judged.result;
        const unproven = reasons.flatMap((reason) =>
          reason.kind === 'unsafe-release' || reason.kind === 'unknown-release' ? [reason.version] : [],
        );
        // A hop may land on a stop.
        const isOfTarget = (reason: Reason) => reason.kind === 'required-stop' && reason.stop === ends.to;
        const others = reasons.filter(
          (reason) =>
            reason.kind !== 'unsafe-release' && reason.kind !== 'unknown-release' && !isOfTarget(reason),
        );
        const oneStep = jump === true || reasons.some(isOfTarget);
        const disagree = 'disagreements' in judged.result && judged.result.disagreements.length > 0;
        const isAccepted = unproven.length > 0 && unproven.every((one) => named.has(one));
        expect(judged.acceptedToRoll).toBe(oneStep && others.length === 0 && !disagree && isAccepted);
        const stopped = { ...by, preflightOf: () => ({ findings: [stopping] }) };
        expect(judgeSpan(stopped, ends).acceptedToRoll).toBe(false);
        if (ends.from !== ends.to) {
          const yes = (evidence: Evidence) =>
            passes(judgeMove(evidence, judgeSpan(evidence, ends)), new Set());
          expect(yes(by)).toBe(yes(without) || judged.acceptedToRoll);
          const bump = (evidence: Evidence) =>
            planBump(evidence, { pinnedVersion: ends.from, to: ends.to, allowRecreate: false }).decision;
          expect(bump(by)).toBe(judged.acceptedToRoll ? 'recreate' : bump(without));
        }
        const { index, artifacts } = without;
        const joined = artifacts && joinArtifacts(index, ends, artifacts);
        const disputed = new Set(joined?.disagreements.map((one) => one.version));
        const [plain, route] = [judgeRoute(without, ends).route, judgeRoute(by, ends).route];
        expect({ ...route, hops: route.hops.map(({ accepted: _, ...hop }) => hop) }).toEqual(plain);
        for (const { accepted: of, unsafeVersions, unknownVersions, certified, strategy } of route.hops) {
          if (of === undefined) continue;
          expect([certified, strategy]).toEqual([true, 'Recreate']);
          expect(of).toEqual([...unsafeVersions, ...unknownVersions]);
          for (const one of of) {
            expect(named.has(one)).toBe(true);
            expect(disputed.has(one)).toBe(false);
          }
        }
        if (mayRoll(route) && !mayRoll(plain)) expect(route.hops.some((hop) => hop.accepted)).toBe(true);
        if (judged.acceptedToRoll) accepted++;
      }),
      runs,
    );
    expect(accepted).toBeGreaterThan(propertyRuns(20));
  });

  const others = fc.array(
    fc.record({
      issue: fc.constantFrom('x', 'y'),
      reason: fc.constant('r'),
      until: fc.constantFrom('2026-09-01'),
    }),
  );
  const more = fc.constantFrom({}, { to: 'latest' }, { facts: { edition: 'community' }, pins: ['a.yaml#b'] });

  it('of any file of settings gives what it names, and nothing the day after', async () => {
    await fc.assert(
      fc.asyncProperty(
        questions,
        fc.tuple(others, more),
        fc.constantFrom(-1, 0, 1),
        async ({ without, risks, ends }, [issues, keys], days) => {
          const now = new Date(Date.parse('2026-09-01T23:59:59.999Z') + days * 86_400_000);
          const written = risks.map(({ name, reason, until }) => ({
            ...{ release: name, reason },
            ...(until === null ? {} : { until }),
          }));
          const file = stringify({ ...keys, accept: [...issues, ...written] });
          const settingsAccept = acceptancesIn(readSettings(file, 'lightspan.yaml'));
          const { inForce, lapsed } = await acceptancesOf(
            { names: [], bySettings: settingsAccept },
            false,
            now,
          );
          const today = now.toISOString().slice(0, 10);
          const counting = risks.filter(({ until }) => until === null || until >= today);
          expect(namesOf('release', inForce)).toEqual(namesOf('release', counting));
          const risksOf = new Set(settingsAccept.map(({ kind, name }) => `${kind} ${name}`));
          expect(inForce.length + lapsed.length).toBe(risksOf.size);
          const judge = (accepted: readonly Acceptance[]) => judgeRoute({ ...without, accepted }, ends).route;
          const [plain, judged] = [judge([]), judge(inForce)];
          expect(judged).toEqual(judge(counting));
          if (counting.length === 0) expect(judged).toEqual(plain);
          for (const { accepted = [] } of judged.hops) {
            for (const one of accepted) expect(namesOf('release', counting)).toContain(one);
          }
          expect({ ...judged, hops: judged.hops.map(({ accepted: _, ...hop }) => hop) }).toEqual(plain);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it.each([
    ['2026-09-01', '2026-09-01T23:59:59.999Z', false],
    ['2026-09-01', '2026-09-02T00:00:00.000Z', true],
    ['2026-09-01', '2026-08-31T00:00:00+14:00', false],
    ['nonsense', '2026-09-01T00:00:00Z', true],
    [null, '2999-01-01T00:00:00Z', false],
  ])('until %s, at %s, has lapsed: %s', (until, now, lapsed) => {
    expect(isLapsed({ until }, new Date(now))).toBe(lapsed);
  });
});

describe('an accepted finding', () => {
  const ids: readonly CheckId[] = ['ledger', 'known-issues', 'start-check', 'disk-space'];
  const status = fc.constantFrom('stop', 'warn', 'ok', 'lacks');
  const found = fc.array(fc.tuple(status, fc.constantFrom(null, 'a', 'b')), { maxLength: 3 });
  const risk = fc.record({
    check: fc.constantFrom(...ids),
    subject: fc.constantFrom(null, 'a', 'b'),
    evidence: fc.record({ kind: fc.constantFrom('stop-null', 'warn-null') }),
  });
  const risks = fc.array(risk.map((one) => accepting('check', nameOfFinding(one))));

  it('blocks nothing, is still listed, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.array(found, { minLength: 4, maxLength: 4 }), risks, (all, accepted) => {
        const table = ids.map((id, i) => {
          const [own] = checks.filter((check) => check.id === id);
          if (own === undefined) throw new Error(id);
          const judged = (all[i] ?? []).map(([status, subject]) =>
            status === 'lacks'
              ? lacks('disk-free')
              : { status: status as 'stop', subject, evidence: { kind: `${status}-${subject}` } },
          );
          return {
            ...own,
            needs: [],
            needsOrAbsent: [],
            needsArtifacts: false,
            canStop: true,
            judge: () => judged,
          };
        });
        const [from, to] = [parseVersion('1.0.0'), parseVersion('1.0.1')];
        const none = { earlier: [], before: [], span: [], missingRanges: [], rolling: false, unread: 0 };
        const line = { from, to, ...none };
        const input = { from, to, line, issues: [], diskFree: undefined, edition: undefined, facts: {} };
        const plain = runChecks(table, input);
        const result = runChecks(table, { ...input, accepted });
        const names = namesOf('check', accepted);
        const mayBe = (finding: (typeof plain)['findings'][number]) =>
          (finding.status === 'stop' || finding.status === 'warn') &&
          (finding.check === 'ledger' || finding.check === 'disk-space') &&
          names.has(nameOfFinding(finding));
        expect(result.findings).toHaveLength(plain.findings.length);
        const key = ({ check, subject, evidence }: (typeof plain)['findings'][number]) =>
          JSON.stringify([check, subject, evidence]);
        const after = new Map(result.findings.map((one) => [key(one), one]));
        for (const finding of plain.findings) {
          const now = after.get(key(finding));
          expect(now?.accepted !== undefined).toBe(mayBe(finding));
          expect(now?.status).toBe(mayBe(finding) ? 'warn' : finding.status);
        }
        expect(result.checks.map(({ id, whole, canStop }) => [id, whole, canStop])).toEqual(
          plain.checks.map(({ id, whole, canStop }) => [id, whole, canStop]),
        );
        expect(Object.values(result.counts).reduce((a, b) => a + b)).toBe(ids.length);
        for (const failOn of failOnLevels) {
          const rest = { ...plain, findings: plain.findings.filter((one) => !mayBe(one)) };
          const [now, without] = [decide(result, failOn), decide(rest, failOn)];
          // What is accepted leaves an upgrade to be done with care.
          expect(now).toBe(
            without === 'go' && rest.findings.length < plain.findings.length ? 'go-with-care' : without,
          );
        }
      }),
      runs,
    );
  });
});

describe('what says that the question is about another instance', () => {
  it('stays, whatever is accepted', () => {
    const names = ['images', 'images-of-another-release', 'images-of-several-releases', 'images-differ'];
    const accepted = names.map((name) => accepting('check', name));
    const found = (facts: Parameters<typeof inputOf>[0]['facts']) =>
      runChecks(
        checks.filter(({ id }) => id === 'images'),
        { ...inputOf(upgradeTo([], facts)), accepted },
      ).findings.map((one) => [one.status, one.evidence.kind, one.accepted?.name]);
    expect(found(deployedAt('1.9.0'))).toContainEqual(['stop', 'images-of-another-release', undefined]);
    const several = deployedAt('2.0.0', workerOf('1.9.0'));
    expect(found(several)).toContainEqual(['stop', 'images-of-several-releases', undefined]);
    // The same by its kind, where it says nothing of the kind.
    const twoPlaces = backendWith({ image: imageOf('2.0.0', { registry: 'registry.example.com' }) });
    const differ = deployedAt('2.0.0', { ...twoPlaces, name: 'other' });
    expect(found(differ)).toContainEqual(['warn', 'images-differ', 'images-differ']);
  });
});

describe('--accept', () => {
  it.each([
    ['1.2.3', 'release', '1.2.3'],
    ['v1.2.3', 'release', '1.2.3'],
    ['images-differ', 'check', 'images-differ'],
    ['disk-headroom', 'check', 'disk-headroom'],
    ['ledger/public.knex_migrations', 'check', 'ledger/public.knex_migrations'],
    ['images-agree', 'issue', 'images-agree'],
    ['disruption-budget/ld/backend', 'check', 'disruption-budget/ld/backend'],
    ['object-storage-required', 'issue', 'object-storage-required'],
    ['*', 'issue', '*'],
    ['ledgers/x', 'issue', 'ledgers/x'],
  ] as const)('%s is the %s %s', async (text, kind, name) => {
    const { inForce } = await acceptancesOf({ names: [text], bySettings: [] }, false, new Date(0));
    expect(inForce).toEqual([{ ...accepting(kind, name), reason: null }]);
  });

  const anotherInstance = 'it cannot be accepted: it says that the question is not about this instance';
  const refused: readonly (readonly [name: string, why: string])[] = [
    ...['images-of-another-release', 'images-of-several-releases', 'images-of-the-target'].map(
      (kind) => [kind, anotherInstance] as const,
    ),
    ...['ledger-absent', 'ledger-empty', 'ledger-ahead', 'ledger-behind', 'in-recovery'].map(
      (kind) => [kind, anotherInstance] as const,
    ),
    ['start-check', 'what this check finds cannot be accepted'],
    ['start-check/version-path', 'what this check finds cannot be accepted'],
    ['start-diverged', 'it cannot be accepted: the target itself does not start'],
    ['known-issues/x', 'a known issue is accepted by its id'],
    ['images', 'accept one kind of its findings (image-not-pinned, '],
    ['images/', 'accept one kind of its findings (image-not-pinned, '],
    ['disk-space', '(disk-too-small, disk-headroom), or disk-space/<subject>'],
  ];

  it.each(refused)('refuses %s, on the command line and in settings', async (name, why) => {
    const given = acceptancesOf({ names: [name], bySettings: [] }, false, new Date(0));
    await expect(given).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(why) });
    if (name.includes('/')) return;
    const isCheck = checks.some(({ id }) => id === name);
    const file = `accept:\n  - ${isCheck ? 'check' : 'finding'}: ${name}\n    reason: why\n`;
    const said = why.startsWith('accept one') || why.startsWith('(') ? 'write finding: <kind>' : why;
    expect(() => readSettings(file, 'lightspan.yaml')).toThrow(said);
  });

  it('settings name a finding by its kind, or by its check and subject', () => {
    const of = (risk: string) =>
      acceptancesIn(readSettings(`accept:\n  - ${risk}\n    reason: r\n`, 'lightspan.yaml'));
    expect(of('finding: images-differ')).toEqual([{ ...accepting('check', 'images-differ'), reason: 'r' }]);
    expect(of('check: queue\n    subject: a/b')).toEqual([
      { ...accepting('check', 'queue/a/b'), reason: 'r' },
    ]);
    for (const kind of ['images-agree', 'nonsense', 'facts-not-seen'])
      expect(() => of(`finding: ${kind}`)).toThrow(
        `accept[0].finding: expected a kind of finding that can be accepted, got "${kind}"`,
      );
  });

  it('takes precedence over settings, which may have lapsed', async () => {
    const settingsAccept = [{ ...accepting('issue', 'x'), until: '2026-01-01' }];
    const now = new Date('2026-06-01');
    expect(await acceptancesOf({ names: [], bySettings: settingsAccept }, false, now)).toEqual({
      inForce: [],
      lapsed: settingsAccept,
    });
    expect(await acceptancesOf({ names: ['x'], bySettings: settingsAccept }, false, now)).toEqual({
      inForce: [{ ...accepting('issue', 'x'), reason: null }],
      lapsed: [],
    });
  });
});

it.each<[what: string, names: string[], settings: string, inForce: string[], lapsed: string[]]>([
  ['on the command line', ['1.2.3', '1.2.3', 'v1.2.3'], '', ['1.2.3 null'], []],
  ['in settings', [], '- {release: 1.2.3, reason: a}\n- {release: 1.2.3, reason: b}', ['1.2.3 a'], []],
  ['in both', ['1.2.3'], '- {release: 1.2.3, reason: a, until: 2030-01-01}', ['1.2.3 null'], []],
  [
    'with two ends',
    [],
    '- {release: 1.2.3, reason: a, until: 2020-01-01}\n- {release: 1.2.3, reason: b, until: 2030-01-01}',
    ['1.2.3 b'],
    [],
  ],
  [
    'twice in the past',
    [],
    '- {release: 1.2.3, reason: a, until: 2020-01-02}\n- {release: 1.2.3, reason: b, until: 2020-01-01}',
    [],
    ['1.2.3 a'],
  ],
  [
    'as two kinds',
    [],
    '- {issue: disk-space, reason: a}\n- {release: 1.2.3, reason: b}',
    ['disk-space a', '1.2.3 b'],
    [],
  ],
])('what is accepted more than once counts once: %s', async (_, names, settings, inForce, lapsed) => {
  const bySettings = settings === '' ? [] : acceptancesIn(readSettings(`accept:\n${settings}`, 'x'));
  const read = await acceptancesOf({ names, bySettings }, false, new Date('2026-09-06'));
  const told = (some: readonly Acceptance[]) => some.map(({ name, reason }) => `${name} ${reason}`);
  expect([told(read.inForce), told(read.lapsed)]).toEqual([inForce, lapsed]);
});

it('refuses an entry with two risks, and says to write two', () => {
  const text = 'accept:\n  - {issue: an-issue, release: 1.2.3, reason: why}';
  expect(() => readSettings(text, 'lightspan.yaml')).toThrow(
    'accept[0]: expected one risk, not issue and release in one entry: write an entry for each',
  );
});
