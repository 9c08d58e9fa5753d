import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import type { ReleaseSafetyIndex } from '../../src/core/index/release-safety-index.js';
import { planRoute as planLeast, type Route, type RouteHop, type Work } from '../../src/core/route/route.js';
import { issuesOfInstalling } from '../../src/core/span.js';
import { parseVersion } from '../../src/core/version.js';
import type { KnownIssue } from '../../src/known-issues/records.js';
import { compareVersions, evaluateSpan, planRoute } from '../../src/library/library.js';
import { afterRecords, indexWith, recordOf, someFacts, someRecords } from '../support/known-issues.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import { issuesNaively, type NaiveFacts } from '../support/naive-known-issues.js';
import { type Ends, furthestFirst, mayTake, smallIndex } from '../support/naive-routes.js';
import type { Plain } from '../support/plain.js';
import { countedRuns, propertyRuns } from '../support/property-runs.js';
import { indexOf, type LooseIndex, realIndex } from '../support/real-index.js';

const landingsOf = (route: Route) => route.hops.map((hop) => hop.toVersion);

const plain = parseReleaseSafetyIndex(
  indexOf(...['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'].map((version) => ({ version }))),
);

describe('a span with a known issue', () => {
  const affected = [{ introduced: '1.2.0', fixed: '1.3.0' }];

  it.each([
    ['avoid-landing', { kind: 'avoid-landing' }, '1.2.0', false, true],
    ['action-first', { kind: 'action-first' }, '1.2.0', false, true],
    ['required-stops', { kind: 'required-stops', stops: ['1.1.0'] }, '1.2.0', false, true],
    ['recreate', { kind: 'recreate' }, '1.2.0', true, false],
    ['long', { kind: 'long', seen: 'hours' }, '1.2.0', true, false],
  ] as const)('%s is not safe, and the verdict stays the publisher’s', (_, effect, to, jump, rolling) => {
    const result = evaluateSpan(indexWith([recordOf({ affected, effect })], {}, plain), {
      from: '1.0.0',
      to,
    });
    expect(result).toMatchObject({ safe: false, verdict: true, jump, rolling });
    expect(result.reasons).toMatchObject([
      { kind: 'known-issue', id: 'an-issue', version: to, effect, remedy: 'Fix it first.', notKnown: [] },
    ]);
    expect(result.requiredStops).toEqual(effect.kind === 'required-stops' ? ['1.1.0'] : []);
  });

  it('joins the stops of a record to those of the publisher, each once', () => {
    const index = parseReleaseSafetyIndex(
      indexOf(
        { version: '1.0.0' },
        { version: '1.1.0' },
        { version: '1.2.0' },
        { version: '1.3.0', requiredStops: ['1.2.0'] },
      ),
    );
    const record = recordOf({
      affected: [{ introduced: '1.3.0' }],
      effect: { kind: 'required-stops', stops: ['1.1.0', '1.2.0'] },
    });
    const ends = { from: '1.0.0', to: '1.3.0' };
    expect(evaluateSpan(indexWith([record], {}, index), ends).requiredStops).toEqual(['1.2.0', '1.1.0']);
  });
});

/** A record about the releases from `introduced` to before `fixed`. */
const issue = (
  introduced: string,
  fixed: string | undefined,
  effect: Plain<KnownIssue>['effect'],
  more: Partial<Plain<KnownIssue>> = {},
) => recordOf({ affected: [fixed === undefined ? { introduced } : { introduced, fixed }], effect, ...more });
const avoid = { kind: 'avoid-landing' } as const;
const recreate = { kind: 'recreate' } as const;
const through = (...stops: string[]) => ({ kind: 'required-stops' as const, stops });

it('a release that is installed anew meets what is known against landing on it, and nothing of the way', () => {
  const records = [
    issue('1.2.0', '1.3.0', avoid, { id: 'avoid' }),
    issue('1.1.0', '1.3.0', avoid, { id: 'behind', fromBefore: true }),
    issue('1.2.0', '1.3.0', { kind: 'action-first' }, { id: 'act' }),
    issue('1.2.0', '1.3.0', recreate, { id: 'recreate', when: 'overlap' }),
  ];
  const of = (version: string) => issuesOfInstalling(indexWith(records, {}, plain), parseVersion(version));
  expect(of('1.2.0')).toMatchObject([{ id: 'avoid', version: '1.2.0', effect: avoid }]);
  expect(of('1.3.0')).toEqual([]);
});

describe('a route with known issues', () => {
  const avoided = issue('1.2.0', '1.3.0', avoid);
  /** Releases 1.0.0, 1.1.0, ..., with fields of some of them by minor number. */
  const releases = (count: number, fields: Record<number, object> = {}) =>
    parseReleaseSafetyIndex(
      indexOf(...Array.from({ length: count }, (_, i) => ({ version: `1.${i}.0`, ...fields[i] }))),
    );
  const withMinimum = releases(5, { 3: { minPreviousVersion: '1.1.0' } });
  const minimumLater = (minPreviousVersion: string) => releases(5, { 4: { minPreviousVersion } });
  /** Where a route lands and why, with the records that made it so and, in brackets, those that it meets. */
  const inShort = ({ toVersion, reason, landingIssues, knownIssues }: RouteHop) =>
    [toVersion, reason, ...landingIssues.map(({ id }) => id), ...knownIssues.map(({ id }) => `(${id})`)].join(
      ' ',
    );

  it.each<[string, readonly KnownIssue[], ReleaseSafetyIndex, hops: string[], flags: string]>([
    [
      'lands before an avoided release, and says which record made it so',
      [avoided],
      withMinimum,
      ['1.1.0 minimum-previous-version an-issue', '1.4.0 target'],
      'certified rolling',
    ],
    [
      'lands on an avoided release where no other way leads on, and is then not certified',
      [issue('1.1.0', '1.2.0', avoid)],
      releases(3, { 2: { minPreviousVersion: '1.1.0' } }),
      ['1.1.0 minimum-previous-version (an-issue)', '1.2.0 target'],
      '',
    ],
    [
      'goes through the stops of a record',
      [issue('1.3.0', '1.4.0', through('1.2.0'))],
      releases(4),
      ['1.2.0 known-issue an-issue', '1.3.0 target'],
      'certified rolling',
    ],
    [
      'lands for an issue, not for a minimum that a later release sets',
      [issue('1.3.0', '1.4.0', through('1.2.0'))],
      minimumLater('1.3.0'),
      ['1.2.0 known-issue an-issue', '1.3.0 minimum-previous-version', '1.4.0 target'],
      'certified rolling',
    ],
    [
      'has a Recreate hop where old and new pods may not overlap, and stays certified',
      [issue('1.2.0', '1.3.0', recreate, { when: 'crossing' })],
      plain,
      ['1.4.0 target (an-issue)'],
      'certified',
    ],
  ])('%s', (_, records, index, hops, flags) => {
    const route = planRoute(indexWith(records, {}, index), { from: '1.0.0', to: 'latest' });
    expect(route.hops.map(inShort)).toEqual(hops);
    expect((['certified', 'rolling'] as const).filter((flag) => route[flag]).join(' ')).toBe(flags);
    expect(route.blockedBy).toBeNull();
    for (const { verdict, strategy, knownIssues } of route.hops) {
      expect([verdict, strategy]).toEqual([true, knownIssues.length > 0 ? 'Recreate' : 'RollingUpdate']);
    }
  });

  it.each<[string, readonly KnownIssue[], ReleaseSafetyIndex, block: string, issues: object[]]>([
    [
      'ends where the index lacks a stop that a record demands',
      [issue('1.2.0', undefined, through('1.1.5'), { when: 'crossing' })],
      plain,
      '1.1.0 -> 1.2.0',
      [{ id: 'an-issue' }],
    ],
    [
      'names the issue of a stop that is demanded later, and to which no route leads',
      [issue('1.0.0', '1.3.0', through('1.1.5'))],
      releases(6, { 4: { requiredStops: ['1.2.0'] } }),
      '1.3.0 -> 1.4.0',
      [{ id: 'an-issue', version: '1.2.0' }],
    ],
  ])('%s', (_, records, index, block, issues) => {
    const { blockedBy, ...route } = planRoute(indexWith(records, {}, index), { from: '1.0.0', to: 'latest' });
    expect(route).toMatchObject({ hops: [], certified: false });
    expect(blockedBy).toMatchObject({ kind: 'known-issue', issues });
    expect(`${blockedBy?.reachableVersion} -> ${blockedBy?.version}`).toBe(block);
  });

  it('ends early in the whole index, and soon says where', () => {
    const record = issue('0.2000.0', undefined, through('0.1999.99'), { when: 'crossing' });
    const route = planRoute(indexWith([record], {}, realIndex()), { from: '0.1893.0', to: 'latest' });
    expect(route).toMatchObject({
      hops: [],
      blockedBy: { kind: 'known-issue', version: '0.2000.0', reachableVersion: '0.1999.0' },
    });
  });

  it.each([
    ['landing', '1.4.0', null],
    ['crossing', '1.1.0', { kind: 'known-issue', version: '1.2.0', reachableVersion: '1.1.0' }],
  ] as const)(
    'latest-rolling passes over a %s issue only where it may: to %s',
    (when, toVersion, blockedBy) => {
      const record = issue('1.2.0', '1.3.0', { kind: 'action-first' }, { when });
      const route = planRoute(indexWith([record], {}, plain), { from: '1.0.0', to: 'latest-rolling' });
      expect(route).toMatchObject({ toVersion, rolling: true, blockedBy });
    },
  );
});

/** What a route costs: hops with an issue that stays, hops with any, what it does under Recreate, hops. */
function costOf(
  route: readonly string[],
  from: string,
  issuesOf: (hop: Ends) => readonly { effect: KnownIssue['effect'] }[],
  workOf: (hop: Ends) => Work = () => [0, 0, 0],
): number[] {
  const hops = route.map((to, i) => ({ from: route[i - 1] ?? from, to }));
  const issues = hops.map(issuesOf);
  const work = hops.map(workOf);
  return [
    issues.filter((ofHop) => ofHop.some(({ effect }) => effect.kind !== 'recreate')).length,
    issues.filter((ofHop) => ofHop.length > 0).length,
    ...[0, 1, 2].map((part) => work.reduce((sum, ofHop) => sum + (ofHop[part] ?? 0), 0)),
    hops.length,
  ];
}

/** The best of some routes by what they cost; of those that cost the same, the one that lands furthest. */
function cheapest(
  ways: readonly string[][],
  cost: (way: readonly string[]) => readonly number[],
): string[] | undefined {
  const [best] = ways
    .map((way) => ({ way, cost: cost(way) }))
    .sort((a, b) => {
      const difference = a.cost.map((part, i) => part - (b.cost[i] ?? 0)).find((by) => by !== 0);
      return difference ?? furthestFirst(a.way, b.way);
    });
  return best?.way;
}

/** Every way of landing on some of the releases before the last, and on the last. */
function waysTo(releases: readonly string[]): string[][] {
  const last = releases.at(-1);
  if (last === undefined) return [];
  return releases
    .slice(0, -1)
    .reduce<string[][]>((ways, version) => ways.flatMap((way) => [way, [...way, version]]), [[]])
    .map((way) => [...way, last]);
}

/** An index without holes, in which every release is proven, and some set a minimum. */
const soundIndex = fc
  .tuple(fc.array(fc.option(fc.nat(6), { freq: 4 }), { minLength: 9, maxLength: 9 }), fc.nat(3), fc.nat(3))
  .map(([minimums, start, end]) => ({
    index: parseReleaseSafetyIndex(
      indexOf(
        ...minimums.map((minimum, i) => ({
          version: `1.0.${i}`,
          minPreviousVersion: minimum !== null && minimum < i ? `1.0.${minimum}` : null,
        })),
      ),
    ),
    from: `1.0.${start}`,
    to: `1.0.${8 - end}`,
  }));

describe('any small index, records and facts', () => {
  const version = fc.integer({ min: 0, max: 11 }).map((n) => `1.0.${n}`);
  const records = someRecords(version, compareVersions);
  const mostlyTrue = fc.constantFrom<boolean | 'unknown'>(...Array<boolean>(9).fill(true), false, 'unknown');
  const runs = countedRuns(2000);

  /** Every route that the rules and the records allow, and what is naively known of a hop. */
  function naively(
    index: ReleaseSafetyIndex,
    { from, to }: Ends,
    known: readonly KnownIssue[],
    facts: NaiveFacts,
  ) {
    const releases = index.entries.map((entry) => entry.version);
    const issuesOf = (hop: Ends) => issuesNaively(known, facts, { ...hop, releases, now: afterRecords });
    const mayHop = (a: string, b: string) =>
      mayTake(index, { from, to }, a, b) &&
      issuesOf({ from: a, to: b }).every(({ effect }) => effect.kind !== 'required-stops');
    const inSpan = releases.filter((v) => compareVersions(v, from) > 0 && compareVersions(v, to) <= 0);
    const ways = (inSpan.at(-1) === to ? waysTo(inSpan) : []).filter((way) =>
      way.every((landing, i) => mayHop(way[i - 1] ?? from, landing)),
    );
    const json = { ...index, entries: [...index.entries] } as unknown as LooseIndex;
    const floor = index.backfillFloorVersion;
    const rolls = (hop: Ends) =>
      evaluateNaively(json, hop.from, hop.to).verdict === true &&
      (floor === null || compareVersions(hop.from, floor) >= 0) &&
      issuesOf(hop).length === 0;
    return { issuesOf, mayHop, ways, rolls, inSpan };
  }

  it('the route is the cheapest of all that the rules and the records allow', () => {
    const seen = { none: 0, moved: 0 };
    fc.assert(
      fc.property(smallIndex(mostlyTrue), records, someFacts, ({ index, from, to }, known, facts) => {
        fc.pre(from !== to);
        const { issuesOf, ways } = naively(index, { from, to }, known, facts);
        const best = cheapest(ways, (way) => costOf(way, from, issuesOf));
        const route = planRoute(indexWith(known, facts, index), { from, to });
        expect(landingsOf(route)).toEqual(best ?? []);
        expect(route.blockedBy === null).toBe(best !== undefined);
        for (const hop of route.hops) {
          const issues = issuesOf({ from: hop.fromVersion, to: hop.toVersion });
          expect(hop.knownIssues.map(({ id, version }) => ({ id, version }))).toEqual(
            issues.map(({ id, version }) => ({ id, version })),
          );
          if (issues.length > 0) expect(hop.strategy).toBe('Recreate');
        }
        if (best === undefined) seen.none++;
        else if (best.join() !== landingsOf(planRoute(index, { from, to })).join()) seen.moved++;
      }),
      runs,
    );
    expect(seen.none).toBeGreaterThan(propertyRuns(25));
    expect(seen.moved).toBeGreaterThanOrEqual(propertyRuns(10));
  });

  it('the route of least downtime has the least work of all under Recreate, then the fewest hops', () => {
    const seen = { rolling: 0, moved: 0, split: 0 };
    const works = fc.array(fc.tuple(fc.constantFrom(0, 0, 1), fc.nat(2), fc.nat(2)), {
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        smallIndex(mostlyTrue),
        records,
        someFacts,
        works,
        ({ index, from, to }, known, facts, work) => {
          fc.pre(from !== to);
          const { issuesOf, mayHop, ways, rolls, inSpan } = naively(index, { from, to }, known, facts);
          const workOf = (version: string): Work => work[Number(version.split('.')[2])] ?? [0, 0, 0];
          const workOfHop = (hop: Ends): Work => {
            const crossed = inSpan.filter(
              (v) => compareVersions(v, hop.from) > 0 && compareVersions(v, hop.to) <= 0,
            );
            const sum = (part: 0 | 1 | 2) => crossed.reduce((all, v) => all + workOf(v)[part], 0);
            return rolls(hop) ? [0, 0, 0] : [sum(0), sum(1), sum(2)];
          };
          const best = cheapest(ways, (way) => costOf(way, from, issuesOf, workOfHop));
          const whole = indexWith(known, facts, index);
          const ends = { from: parseVersion(from), to: parseVersion(to) };
          const route = planLeast(whole, { ...ends, workOf });
          expect(landingsOf(route)).toEqual(best ?? []);
          const fewest = planRoute(whole, ends);
          expect(route.blockedBy).toEqual(fewest.blockedBy);
          for (const hop of route.hops) {
            const isRolling = rolls({ from: hop.fromVersion, to: hop.toVersion });
            expect(hop.strategy).toBe(isRolling ? 'RollingUpdate' : 'Recreate');
            if (isRolling) seen.rolling++;
            const next = route.hops[route.hops.indexOf(hop) + 1]?.toVersion;
            if (hop.reason === 'known-issue' && next !== undefined) {
              expect(mayHop(hop.fromVersion, next)).toBe(false);
            }
            if (hop.reason !== 'least-downtime') continue;
            seen.split++;
            expect(hop.landingIssues).toEqual([]);
            // Without the landing the route would be allowed, have no more of known issues, and more work.
            const shorter = landingsOf(route).filter((landing) => landing !== hop.toVersion);
            expect(ways).toContainEqual(shorter);
            const [cost = [], other = []] = [landingsOf(route), shorter].map((way) =>
              costOf(way, from, issuesOf, workOfHop),
            );
            expect(other.slice(0, 2)).toEqual(cost.slice(0, 2));
            expect(other.slice(2, 5)).not.toEqual(cost.slice(2, 5));
          }
          for (const { reason } of fewest.hops) expect(reason).not.toBe('least-downtime');
          for (const { reason, landingIssues } of [...route.hops, ...fewest.hops]) {
            if (reason === 'known-issue') expect(landingIssues).not.toEqual([]);
          }
          if (landingsOf(route).join() !== landingsOf(fewest).join()) seen.moved++;
          else expect(route).toEqual(fewest);
        },
      ),
      runs,
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(propertyRuns(25));
  });

  it('a landing names the records for whose sake no hop leads past it', () => {
    const seen = { demanded: 0, none: 0 };
    fc.assert(
      fc.property(smallIndex(mostlyTrue), records, someFacts, ({ index, from, to }, known, facts) => {
        fc.pre(from !== to);
        const { issuesOf, mayHop, inSpan } = naively(index, { from, to }, known, facts);
        const { hops, blockedBy } = planRoute(indexWith(known, facts, index), { from, to });
        // Of a route that ends early the rules are those of its part.
        fc.pre(blockedBy === null);
        const met = hops.flatMap((hop) => issuesOf({ from: hop.fromVersion, to: hop.toVersion }));
        const isMet = (id: string) => met.some((issue) => issue.id === id);
        for (const [i, { fromVersion: start, toVersion: landing, landingIssues }] of hops.entries()) {
          const next = hops[i + 1]?.toVersion;
          const ids = landingIssues.map(({ id }) => id);
          if (next === undefined) {
            expect(ids).toEqual([]);
            continue;
          }
          const demanded = issuesOf({ from: start, to: next })
            .filter(({ effect }) => effect.kind === 'required-stops')
            .map(({ id }) => id);
          const elsewhere = inSpan
            .filter((version) => compareVersions(version, landing) > 0 && mayHop(start, version))
            .flatMap((version) => issuesOf({ from: start, to: version }))
            .map(({ id }) => id)
            .filter((id) => !isMet(id));
          expect(new Set(ids)).toEqual(new Set([...demanded, ...elsewhere]));
          expect(ids).toHaveLength(new Set(ids).size);
          if (demanded.length > 0) seen.demanded++;
          else seen.none++;
        }
      }),
      runs,
    );
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(propertyRuns(25));
  });

  it('the route ends where the records let none go further', () => {
    let ended = 0;
    fc.assert(
      fc.property(smallIndex(mostlyTrue), records, ({ index, from, to }, known) => {
        const whole = indexWith(known, {}, index);
        const { blockedBy } = planRoute(whole, { from, to });
        if (blockedBy?.kind !== 'known-issue') return;
        ended++;
        const { version, reachableVersion, issues } = blockedBy;
        const reaches = (end: string) => planRoute(whole, { from, to: end }).blockedBy === null;
        const further = index.entries
          .map((entry) => entry.version)
          .filter((v) => compareVersions(v, reachableVersion) > 0 && compareVersions(v, to) <= 0);
        expect(version).toBe(further[0]);
        expect(further.filter(reaches)).toEqual([]);
        expect(reachableVersion === from || reaches(reachableVersion)).toBe(true);
        const { issuesOf } = naively(index, { from, to }, known, {});
        const forbidding = issuesOf({ from: reachableVersion, to: version })
          .filter(({ effect }) => effect.kind === 'required-stops')
          .map(({ id }) => id);
        const named = issues.map(({ id }) => id);
        if (forbidding.length > 0) expect(named).toEqual(forbidding);
        // A step that none of them forbids demands a stop to which they let no route lead.
        else expect(named).not.toEqual([]);
      }),
      runs,
    );
    expect(ended).toBeGreaterThan(propertyRuns(25));
  });

  it('with more records, or fewer facts, no answer gets better', () => {
    const worse = { safe: 0, certified: 0, rolling: 0 };
    fc.assert(
      fc.property(
        soundIndex,
        records,
        someFacts,
        fc.nat(3),
        fc.nat(3),
        ({ index, from, to }, known, facts, withoutRecord, withoutFact) => {
          const fewerRecords = known.filter((_, i) => i !== withoutRecord);
          const fewerFacts = Object.fromEntries(Object.entries(facts).filter((_, i) => i !== withoutFact));
          const answers = (whole: ReleaseSafetyIndex) => {
            const { certified, rolling } = planRoute(whole, { from, to });
            const furthest = planRoute(whole, { from, to: 'latest-rolling' }).toVersion;
            return { safe: evaluateSpan(whole, { from, to }).safe, certified, rolling, furthest };
          };
          const best = answers(indexWith(fewerRecords, facts, index));
          for (const less of [indexWith(known, facts, index), indexWith(fewerRecords, fewerFacts, index)]) {
            const { furthest, ...yes } = answers(less);
            for (const [question, answer] of Object.entries(yes) as [keyof typeof yes, boolean][]) {
              if (answer) expect(best[question]).toBe(true);
              else if (best[question]) worse[question]++;
            }
            expect(compareVersions(furthest, best.furthest)).toBeLessThanOrEqual(0);
          }
        },
      ),
      runs,
    );
    for (const times of Object.values(worse)) expect(times).toBeGreaterThan(propertyRuns(10));
  });

  it('what the publisher says against a span stays', () => {
    fc.assert(
      fc.property(smallIndex(mostlyTrue), records, someFacts, ({ index, from, to }, known, facts) => {
        const alone = evaluateSpan(index, { from, to });
        const result = evaluateSpan(indexWith(known, facts, index), { from, to });
        const issues = issuesNaively(known, facts, {
          from,
          to,
          releases: index.entries.map((entry) => entry.version),
          now: afterRecords,
        });
        expect(result.verdict).toBe(alone.verdict);
        expect(result.reasons.filter(({ kind }) => kind !== 'known-issue')).toEqual(alone.reasons);
        expect(result.requiredStops.slice(0, alone.requiredStops.length)).toEqual(alone.requiredStops);
        expect(result.safe).toBe(alone.safe && issues.length === 0);
      }),
      runs,
    );
  });
});
