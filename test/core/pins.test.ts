import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { judgeSpan } from '../../src/core/judge.js';
import {
  acceptableFindings,
  comparePin,
  imageChange,
  isChange,
  type JudgedPin,
  judgeMove,
  judgeRename,
  type PinFacts,
  type PinFinding,
  type PinnedRelease,
  type PinSide,
  passes,
  pinCheckOf,
  planBump,
  versionOf,
} from '../../src/core/pins.js';
import type { AppliedIssue } from '../../src/core/results.js';
import { evaluateSpan, type SpanResult } from '../../src/core/span.js';
import { parseRouteTarget, parseVersion } from '../../src/core/version.js';
import { indexOf, realIndex } from '../support/real-index.js';

const none = { digest: undefined, registry: undefined, repository: undefined };
const release = (version: string, more: Partial<PinnedRelease> = {}): PinnedRelease => ({
  version: parseVersion(version),
  ...none,
  ...more,
});
const pinned = (version: string, more: Partial<PinnedRelease> = {}): PinSide => ({
  state: 'pinned',
  release: release(version, more),
});
const absent: PinSide = { state: 'absent' };
const unreadable = (why: string): PinSide => ({ state: 'unreadable', why, hint: 'a hint' });
const noFacts: PinFacts = { untouched: false, renamedTo: undefined };
const spanOf = (from: string, to: string): SpanResult =>
  evaluateSpan(realIndex(), { from: parseVersion(from), to: parseVersion(to) });

describe('comparePin', () => {
  const old = pinned('1.2.0');
  const unread = (side: string, more: object) => ({ kind: 'unreadable', side, why: 'x', ...more });
  it.each<[what: string, before: PinSide, after: PinSide, facts: Partial<PinFacts>, answer: object]>([
    ['the same', old, old, {}, { kind: 'unchanged' }],
    ['a later one', old, pinned('1.10.0'), {}, { kind: 'moved', from: '1.2.0', to: '1.10.0' }],
    ['an older one', pinned('1.10.0'), old, {}, { kind: 'downgrade', from: '1.10.0', to: '1.2.0' }],
    ['a new one', absent, old, {}, { kind: 'appeared', version: '1.2.0' }],
    ['gone', old, absent, {}, { kind: 'removed' }],
    ['gone elsewhere', old, absent, { renamedTo: 'b' }, { kind: 'renamed-away', renamedTo: 'b' }],
    ['gone, and nothing touched', unreadable('x'), absent, { untouched: true }, { kind: 'removed' }],
    ['not to be read', old, unreadable('x'), {}, unread('after', { hint: 'a hint' })],
    ['new, and not to be read', absent, unreadable('x'), {}, unread('after', { hint: 'a hint' })],
    ['not to be read before', unreadable('x'), old, {}, unread('before', { to: '1.2.0' })],
    ['untouched', unreadable('x'), unreadable('x'), { untouched: true }, { kind: 'untouched', why: 'x' }],
  ])('%s', (_, before, after, facts, answer) => {
    expect(comparePin(before, after, { ...noFacts, ...facts })).toEqual(answer);
  });
});

describe('imageChange', () => {
  const later = { version: parseVersion('1.3.0') };
  const image = (from: string | undefined, to: string) => ({ kind: 'image-changed', from, to });
  const digest = (from: string | undefined, to: string | undefined) => ({
    ...{ kind: 'digest-changed', version: '1.2.0', from, to },
  });
  it.each<[from: Partial<PinnedRelease>, to: Partial<PinnedRelease>, answer: object | undefined]>([
    [{}, {}, undefined],
    [{ registry: 'q.io', repository: 'a/b' }, { registry: 'q.io', repository: 'a/b' }, undefined],
    [{ repository: 'a/b' }, { repository: 'a/c' }, image('a/b', 'a/c')],
    [{ repository: 'a/b' }, { registry: 'q.io', repository: 'a/b' }, image('a/b', 'q.io/a/b')],
    [{ registry: 'q.io' }, { registry: 'r.io' }, image('q.io', 'r.io')],
    [{}, { repository: 'a/b' }, image(undefined, 'a/b')],
    [{ digest: 'a' }, { digest: 'a' }, undefined],
    [{ digest: 'a' }, { digest: 'b' }, digest('a', 'b')],
    [{}, { digest: 'b' }, digest(undefined, 'b')],
    [{ digest: 'a' }, {}, digest('a', undefined)],
    [
      { digest: 'a' },
      { ...later, digest: 'a' },
      { kind: 'digest-kept', from: '1.2.0', to: '1.3.0', digest: 'a' },
    ],
    [{ digest: 'a' }, { ...later, digest: 'b' }, undefined],
    [{ digest: 'a' }, later, undefined],
    [{}, later, undefined],
  ])('%j to %j', (from, to, answer) => {
    expect(imageChange(release('1.2.0', from), release('1.2.0', to))).toEqual(answer);
    // Nothing else of a pin is judged before its image.
    if (answer !== undefined)
      expect(comparePin(pinned('1.2.0', from), pinned('1.2.0', to), noFacts)).toEqual(answer);
  });
});

describe('judgeMove and passes', () => {
  const safe = spanOf('1.121.0', '1.156.0');
  const recreate = spanOf('1.156.0', '1.157.0');
  const beyond = spanOf('1.156.0', '9.9.9');

  const index = realIndex();
  const stopping = {
    findings: [{ check: 'ledger', status: 'stop', evidence: { kind: 'ledger-diverged' } }],
  } as const;

  it.each<[check: SpanResult, stopped: boolean, kind: string]>([
    [safe, false, 'proven'],
    [safe, true, 'not-proven'],
    [recreate, false, 'recreate'],
    [recreate, true, 'not-proven'],
    [beyond, false, 'not-proven'],
  ])('%#', ({ fromVersion: from, toVersion: to }, stopped, kind) => {
    const evidence = { index, preflightOf: stopped ? () => stopping : undefined };
    const judgement = judgeSpan(evidence, { from, to });
    expect(judgeMove(evidence, judgement)).toEqual({ kind, check: judgement.result });
  });

  it.each([{ jump: false }, { safe: 'true' as never, jump: 'true' as never }])(
    'takes nothing but true for a yes: %j',
    (more) => {
      const judgement = judgeSpan({ index }, { from: recreate.fromVersion, to: recreate.toVersion });
      const result = { ...judgement.result, ...more };
      expect(judgeMove({ index }, { ...judgement, result }).kind).toBe('not-proven');
    },
  );

  const issue: AppliedIssue = {
    id: 'x',
    summary: 'it breaks',
    version: parseVersion('1.156.0'),
    effect: { kind: 'avoid-landing' },
    remedy: 'take another',
    notKnown: [],
  };
  const findings: PinFinding[] = [
    { kind: 'unchanged' },
    { kind: 'untouched', why: '' },
    { kind: 'proven', check: safe },
    { kind: 'proven', check: recreate },
    { kind: 'recreate', check: recreate },
    { kind: 'not-proven', check: beyond },
    { kind: 'downgrade', from: parseVersion('1.2.0'), to: parseVersion('1.1.0') },
    { kind: 'added', issues: [], check: spanOf('1.156.0', '1.156.0') },
    { kind: 'added', issues: [], check: spanOf('9.9.9', '9.9.9') },
    { kind: 'removed' },
    { kind: 'added', issues: [issue], check: spanOf('1.156.0', '1.156.0') },
    { kind: 'renamed', renamedFrom: 'x' },
    { kind: 'renamed-away', renamedTo: 'x' },
    { kind: 'unreadable', side: 'after', why: '', hint: undefined },
    { kind: 'image-changed', from: 'a', to: 'b' },
    { kind: 'digest-changed', version: parseVersion('1.2.0'), from: 'a', to: 'b' },
    { kind: 'digest-kept', from: parseVersion('1.1.0'), to: parseVersion('1.2.0'), digest: 'a' },
    { kind: 'new-in-a-later-version' } as never,
  ];
  const passing = (...accepted: readonly (typeof acceptableFindings)[number][]) =>
    findings.map((finding) => passes(finding, new Set(accepted)));

  it('lets pass what is no change, what is proven, and what is accepted by its name alone', () => {
    const unaccepted = findings.map((_, i) => i < 3);
    expect(passing()).toEqual(unaccepted);
    expect(passing('recreate')).toEqual(unaccepted.with(4, true));
    expect(passing('added')).toEqual(unaccepted.with(7, true));
    expect(passing('removed')).toEqual(unaccepted.with(9, true));
    // What stands behind the rename is judged instead, and this finding is not there.
    expect(passing('renamed')).toEqual(unaccepted);
    expect(passing(...acceptableFindings)).toEqual(unaccepted.with(4, true).with(7, true).with(9, true));
  });

  it('takes a rename for a no unless it is accepted, and for nothing better than what stands behind it', () => {
    const proven: PinFinding = { kind: 'proven', check: safe };
    const lesser: PinFinding = { kind: 'recreate', check: recreate };
    const renamed = { kind: 'renamed', renamedFrom: 'a.yaml' };
    const none = new Set<never>();
    expect(judgeRename(proven, undefined, none)).toBe(proven);
    expect(judgeRename(proven, 'a.yaml', none)).toEqual(renamed);
    // What stays the same in a file that moves, moves nothing.
    expect(judgeRename({ kind: 'unchanged' }, 'a.yaml', none)).toEqual({ kind: 'unchanged' });
    expect(judgeRename(proven, 'a.yaml', new Set(['renamed']))).toBe(proven);
    expect(judgeRename(lesser, 'a.yaml', none)).toBe(lesser);
    expect(judgeRename(lesser, 'a.yaml', new Set(['renamed']))).toBe(lesser);
    expect(judgeRename(lesser, 'a.yaml', new Set(['recreate']))).toEqual(renamed);
  });

  it('is no yes as a whole where one pin is none, and not safe where something is accepted', () => {
    const pin = (finding: PinFinding, yes: boolean): JudgedPin => ({
      ...{
        file: 'a',
        path: ['b'],
        line: 1,
        previousFile: undefined,
        isOfCompose: false,
        from: undefined,
        to: undefined,
      },
      finding,
      stops: [],
      passes: yes,
    });
    const side = { name: 'x', commit: undefined };
    const of = (...pins: JudgedPin[]) => {
      const check = pinCheckOf(pins, {
        before: side,
        after: side,
        accepted: [],
        lookedAt: { files: 3, isOfNamedPins: false, ignored: [] },
      });
      return [check.passes, check.safe];
    };
    const proven = pin({ kind: 'proven', check: safe }, true);
    expect(of(proven, pin({ kind: 'unchanged' }, true))).toEqual([true, true]);
    expect(of(proven, pin({ kind: 'untouched', why: '' }, true))).toEqual([true, true]);
    expect(of(proven, pin({ kind: 'recreate', check: recreate }, true))).toEqual([true, false]);
    expect(of(proven, pin({ kind: 'removed' }, false))).toEqual([false, false]);
    const renamed = { ...proven, previousFile: 'a.yaml' };
    expect(of(renamed)).toEqual([true, false]);
    expect(findings.map((finding) => isChange(pin(finding, true)))).toEqual(findings.map((_, i) => i > 1));
    expect(isChange({ ...pin({ kind: 'unchanged' }, true), previousFile: 'a.yaml' })).toBe(false);
    expect(of(proven, { ...proven, passes: 'true' as never })).toEqual([false, true]);
  });
});

const bump = (pinnedVersion: string, to: string, allowRecreate = false, index = realIndex()) =>
  planBump(
    { index },
    { pinnedVersion: parseVersion(pinnedVersion), to: parseRouteTarget(to), allowRecreate },
  );

describe('where a pin moves', () => {
  it.each([
    ['1.121.0', 'latest-rolling', false, '1.156.0', 'rolling'],
    ['1.121.0', '1.130.0', false, '1.130.0', 'rolling'],
    ['1.121.0', '1.157.0', false, '1.157.0', 'refused'],
    ['1.121.0', '1.157.0', true, '1.157.0', 'recreate'],
    ['1.121.0', 'latest', false, '2.134.2', 'refused'],
    ['1.121.0', 'latest', true, '2.134.2', 'recreate'],
    ['1.214.0', 'latest-rolling', false, '1.215.0', 'refused'],
    ['1.214.0', 'latest-rolling', true, '2.134.2', 'recreate'],
    ['2.134.2', 'latest-rolling', false, '2.134.2', 'at-target'],
    ['2.134.2', 'latest', false, '2.134.2', 'at-target'],
    ['1.121.0', '1.121.0', false, '1.121.0', 'at-target'],
    ['9.9.9', 'latest-rolling', true, '9.9.9', 'refused'],
    ['1.121.0', '9.9.9', true, '9.9.9', 'refused'],
    ['0.1050.0', 'latest', true, '0.1893.0', 'refused'],
  ] as const)('%s to %s (Recreate allowed: %s): %s, %s', (from, to, allowed, toVersion, decision) => {
    const { result, decision: decided } = bump(from, to, allowed);
    expect([result.toVersion, decided]).toEqual([toVersion, decision]);
  });

  const index = (last: object) =>
    parseReleaseSafetyIndex(
      indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0', ...last }),
    );
  const stop = index({ requiredStops: ['1.1.0'] });
  const further = index({ requiredStops: ['1.1.5'] });
  const atOnce = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0', minPreviousVersion: '1.0.5' }),
  );
  it.each([
    ['at a stop', stop, '1.0.0', 'latest-rolling', false, '1.1.0 rolling'],
    ['not over it', stop, '1.0.0', '1.2.0', true, '1.2.0 refused'],
    ['on from it', stop, '1.1.0', 'latest-rolling', false, '1.2.0 rolling'],
    ['as far as the index leads', further, '1.0.0', 'latest', false, '1.1.0 rolling'],
    ['nowhere', atOnce, '1.0.0', 'latest', true, '1.1.0 refused below-minimum-version 1.1.0'],
    ['nowhere', atOnce, '1.0.0', 'latest-rolling', true, '1.1.0 refused below-minimum-version 1.1.0'],
    ['nowhere', realIndex(), '1.214.0', 'latest-rolling', false, '1.215.0 refused unknown-release 1.215.0'],
  ] as const)('%s: %#', (_, of, from, to, allowed, answer) => {
    const { result, decision, blockedBy } = bump(from, to, allowed, of);
    const block = blockedBy === null ? [] : [blockedBy.kind, blockedBy.version];
    expect([result.toVersion, decision, ...block].join(' ')).toBe(answer);
  });

  it('refuses to go back', () => {
    expect(() => bump('1.121.0', '1.120.0')).toThrow(/older/);
  });

  it('is rolling only where the hop is proven, on random indexes', () => {
    const release = fc.record({
      rollingUpdateSafe: fc.constantFrom(true, true, true, false, 'unknown'),
      stop: fc.option(fc.nat(9), { freq: 6 }),
      minimum: fc.option(fc.nat(9), { freq: 6 }),
      gap: fc.nat(9).map((n) => n === 0),
    });
    const targets = fc.constantFrom('latest-rolling', 'latest', '1.5.0', '1.9.0');
    fc.assert(
      fc.property(
        fc.array(release, { minLength: 1, maxLength: 10 }),
        targets,
        fc.boolean(),
        (rows, to, allow) => {
          const index = parseReleaseSafetyIndex(
            indexOf(
              ...rows.map(({ rollingUpdateSafe, stop, minimum, gap }, i) => ({
                version: `1.${i}.0`,
                rollingUpdateSafe,
                requiredStops: stop === null ? [] : [`1.${stop}.0`],
                minPreviousVersion: minimum === null ? null : `1.${minimum}.0`,
                ...(gap ? { previousVersion: '0.0.1' } : {}),
              })),
            ),
          );
          const { result, decision, blockedBy } = planBump(
            { index },
            { pinnedVersion: parseVersion('1.0.0'), to: parseRouteTarget(to), allowRecreate: allow },
          );
          expect(result).toEqual(evaluateSpan(index, { from: parseVersion('1.0.0'), to: result.toVersion }));
          const { requiredStops, reasons, rolling, toVersion } = result;
          // A stop that is the target itself is what the hop lands on.
          const isOnto =
            rolling &&
            requiredStops.length === 1 &&
            reasons.every((reason) => reason.kind === 'required-stop' && reason.stop === toVersion);
          expect(decision === 'rolling' || decision === 'at-target').toBe(result.safe || isOnto);
          if (decision !== 'refused') expect(blockedBy).toBeNull();
          if (decision === 'recreate') {
            expect(allow).toBe(true);
            expect(result.missingRanges).toEqual([]);
            expect(result.requiredStops.filter((stop) => stop !== result.toVersion)).toEqual([]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('a side has a version where it is pinned', () => {
  const at = release('1.2.3');
  expect(versionOf({ state: 'pinned', release: at })).toBe('1.2.3');
  expect(versionOf({ state: 'absent' })).toBeUndefined();
});
