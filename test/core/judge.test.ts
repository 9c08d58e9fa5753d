import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { traitsOf } from '../../src/checks/run-checks.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { type Evidence, type Findings, judgeRoute, judgeSpan } from '../../src/core/judge.js';
import { judgeMove, planBump } from '../../src/core/pins.js';
import { buildReport } from '../../src/core/report.js';
import { mayRoll } from '../../src/core/route/route.js';
import { parseVersion } from '../../src/core/version.js';
import { indexWith, recordOf } from '../support/known-issues.js';
import { countedRuns, propertyRuns } from '../support/property-runs.js';
import { accepting, outcomeOf, questionsOf } from '../support/questions.js';
import { indexOf } from '../support/real-index.js';

const unread: ReadonlySet<string> = new Set(['missing-artifact', 'unavailable-artifact']);

const stop = (settledBy?: 'route' | 'recreate') =>
  ({ status: 'stop', ...(settledBy && { settledBy }) }) as const;
const findings = fc.constantFrom<Findings['findings']>(
  [],
  [],
  [{ status: 'not-checked' }],
  [stop()],
  [stop('recreate')],
  [stop('route')],
);

const verdict = fc.constantFrom<boolean | 'unknown'>(...Array<boolean>(9).fill(true), false, 'unknown');

/** A question, with everything that may be known of it. */
const questions = fc
  .tuple(questionsOf(verdict), fc.option(findings))
  .map(([{ index, ends, evidence: read }, found]) => {
    const evidence: Evidence = {
      ...read,
      preflightOf: found === null ? undefined : () => ({ findings: found }),
    };
    return { index, ends, evidence };
  });

const runs = countedRuns(3000);

describe('one question, one answer', () => {
  it('is the same by span, route, pin, bump and report', () => {
    const seen = { yes: 0, recreate: 0, no: 0 };
    fc.assert(
      fc.property(questions, ({ index, ends, evidence }) => {
        fc.pre(ends.from !== ends.to);
        const judged = judgeSpan(evidence, ends);
        const { result, stops } = judged;
        const { route, stops: ofRoute } = judgeRoute(evidence, ends);
        const isHop = route.certified && route.hops.length === 1;
        // A check is strict about a stop that is the target itself; landing on it satisfies a route, a pin and a bump.
        const oneHop = isHop && result.requiredStops.length === 0;
        const stopped = ofRoute.length > 0 || stops.length > 0;
        // What is known against a release is a matter of its own to each.
        const known = result.reasons.some(({ kind }) => kind === 'known-issue');
        if (!known) expect(result.jump === true).toBe(oneHop);
        expect(result.safe).toBe(oneHop && route.rolling && !stopped);
        const pin = judgeMove(evidence, judged).kind;
        if (!known) expect(pin === 'proven').toBe(isHop && route.rolling && !stopped);
        if (result.safe) expect(pin).toBe('proven');
        const bump = (allowRecreate: boolean) =>
          planBump(evidence, { pinnedVersion: ends.from, to: ends.to, allowRecreate }).decision;
        expect(bump(false)).toBe(pin === 'proven' ? 'rolling' : 'refused');
        expect(bump(true)).toBe({ proven: 'rolling', recreate: 'recreate' }[pin as string] ?? 'refused');
        const outcomes = evidence.artifacts ?? new Map();
        const report = buildReport(index, { ...ends, outcomes });
        expect(report.safe).toBe(judgeSpan({ index, artifacts: outcomes }, ends).result.safe);
        if (evidence.artifacts !== undefined) {
          expect(report.route.hops.map(({ toVersion, strategy }) => [toVersion, strategy])).toEqual(
            route.hops.map(({ toVersion, strategy }) => [toVersion, strategy]),
          );
        }
        seen[result.safe ? 'yes' : pin === 'recreate' ? 'recreate' : 'no']++;
      }),
      runs,
    );
    expect(seen.yes).toBeGreaterThan(propertyRuns(100));
    expect(seen.recreate).toBeGreaterThan(propertyRuns(50));
    expect(seen.no).toBeGreaterThan(propertyRuns(500));
  });

  it('a bump and a check of pins take the first hop of every plan as the plan does', () => {
    const seen = { 'rolls onto a stop': 0, 'recreates onto a stop': 0, other: 0 };
    fc.assert(
      fc.property(questions, ({ ends, evidence: { index, artifacts } }) => {
        const evidence = { index, artifacts };
        const [hop] = judgeRoute(evidence, ends).route.hops;
        fc.pre(hop !== undefined);
        const { fromVersion: from, toVersion: to, strategy, certified } = hop;
        const judged = judgeSpan(evidence, { from, to });
        const known = judged.result.reasons.some(({ kind }) => kind === 'known-issue');
        fc.pre(!known);
        const wanted = !certified ? 'not-proven' : strategy === 'RollingUpdate' ? 'proven' : 'recreate';
        expect(judgeMove(evidence, judged).kind).toBe(wanted);
        const bump = planBump(evidence, { pinnedVersion: from, to, allowRecreate: true });
        expect(bump.decision).toBe(
          { proven: 'rolling', recreate: 'recreate', 'not-proven': 'refused' }[wanted],
        );
        const onto = judged.result.requiredStops.includes(to) && certified;
        if (onto) expect(judged.result.safe).toBe(false);
        seen[!onto ? 'other' : wanted === 'proven' ? 'rolls onto a stop' : 'recreates onto a stop']++;
      }),
      runs,
    );
    // A dozen of each: five were there once in some hundred runs.
    expect(seen['rolls onto a stop']).toBeGreaterThan(0);
    expect(seen['recreates onto a stop']).toBeGreaterThan(0);
    expect(seen.other).toBeGreaterThan(propertyRuns(100));
  });

  it('nothing that is read or seen makes it better', () => {
    fc.assert(
      fc.property(questions, ({ index, ends, evidence }) => {
        const alone = { index };
        const ofSpan = (by: Evidence) => judgeSpan(by, ends).result;
        const ofRoute = (by: Evidence) => judgeRoute(by, ends).route;
        if (ofSpan(evidence).safe) expect(ofSpan(alone).safe).toBe(true);
        if (ofSpan(evidence).rolling) expect(ofSpan(alone).rolling).toBe(true);
        if (ofRoute(evidence).rolling) expect(ofRoute(alone).rolling).toBe(true);
        if (ofRoute(evidence).certified) expect(ofRoute(alone).certified).toBe(true);
      }),
      runs,
    );
  });

  it('an artifact that was not read changes nothing unless every artifact is requested', () => {
    const seen = { unconfirmed: 0 };
    fc.assert(
      fc.property(questions, ({ index, ends, evidence }) => {
        const { artifacts } = evidence;
        fc.pre(artifacts !== undefined);
        const read = new Map([...(artifacts ?? [])].filter(([, { kind }]) => !unread.has(kind)));
        const { result, artifacts: counted } = judgeSpan({ index, artifacts: read }, ends);
        const told = judgeSpan({ index, artifacts }, ends);
        expect(told.result).toEqual(result);
        expect(told.artifacts).toEqual(counted);
        const asked = judgeSpan({ index, artifacts, everyArtifact: true }, ends);
        expect(asked.unconfirmed).toBe(result.safe && told.unread.length > 0);
        expect(asked.result.safe).toBe(result.safe && told.unread.length === 0);
        if (asked.unconfirmed) seen.unconfirmed++;
      }),
      runs,
    );
    expect(seen.unconfirmed).toBeGreaterThan(propertyRuns(5));
  });

  it.each([
    ['ledger', 'ledger-ahead', true, true],
    ['known-issues', 'known-issue-stops', true, false],
    ['start-check', 'start-outside-artifact', true, false],
    ['chart-version', 'pods-not-stopped-for-job', true, false],
    ['rollout-strategy', 'chart-would-roll', true, false],
    ['rollout-strategy', 'chart-would-roll', false, true],
    ['chart-version', 'pods-not-stopped-for-job', false, true],
  ])('%s (%s) on a route with a Recreate (%s) stops it: %s', (check, kind, recreate, stops) => {
    const index = parseReleaseSafetyIndex(
      indexOf({ version: '1.0.0' }, { version: '1.0.1', rollingUpdateSafe: recreate ? 'unknown' : true }),
    );
    const [declared = {}] = checks.filter(({ id }) => id === check);
    const preflightOf = () => ({ findings: [stop(traitsOf(declared, kind).settledBy)] });
    const ends = { from: parseVersion('1.0.0'), to: parseVersion('1.0.1') };
    expect(judgeRoute({ index, preflightOf }, ends).stops.length > 0).toBe(stops);
    expect(judgeSpan({ index, preflightOf }, ends).stops).toHaveLength(1);
  });
});

describe('what stands beside an answer', () => {
  const rows = [true, false, 'unknown', true].map((safe, i) => ({
    version: `1.0.${i}`,
    rollingUpdateSafe: safe,
  }));
  const index = parseReleaseSafetyIndex(indexOf(...rows));
  const ends = { from: parseVersion('1.0.0'), to: parseVersion('1.0.3') };
  const verdicts = [accepting('release', '1.0.1'), accepting('release', '1.0.2')];
  const ledger = accepting('check', 'ledger/knex_migrations');
  const findings: Findings['findings'] = [{ status: 'ok' }, { status: 'warn', accepted: ledger }];
  const preflightOf = () => ({ findings });
  const records = [
    recordOf({ id: 'here', affected: [{ introduced: '1.0.2' }] }),
    recordOf({ id: 'too', affected: [{ introduced: '1.0.2' }] }),
    recordOf({ id: 'elsewhere', affected: [{ introduced: '1.0.9' }] }),
  ];

  it('is what of all that is accepted was found', () => {
    const found = [...verdicts, accepting('issue', 'here'), ledger];
    const others = [
      ...[accepting('release', '1.0.0'), accepting('release', '1.0.3'), accepting('check', 'jobs-running')],
      ...[accepting('issue', 'elsewhere'), accepting('check', 'ledger/knex_migrations')],
    ];
    const { knownIssues: acceptedIssues } = indexWith(records, {}, index);
    const evidence = { index, preflightOf, acceptedIssues, accepted: [...found, ...others] };
    expect(judgeSpan(evidence, ends).accepted).toEqual(found);
    expect(judgeRoute(evidence, ends).accepted).toEqual(found);
    expect(judgeSpan({ index, preflightOf, acceptedIssues }, ends).accepted).toEqual([]);
    expect(judgeSpan({ ...evidence, preflightOf: undefined }, ends).accepted).not.toContain(ledger);
  });

  it('is of a route what was found of a hop alone, too', () => {
    const by = parseReleaseSafetyIndex(indexOf(...rows.map((row) => ({ ...row, requiredStops: ['1.0.1'] }))));
    const affected = [{ introduced: '1.0.1', fixed: '1.0.2' }];
    const { knownIssues: acceptedIssues } = indexWith(
      [recordOf({ id: 'x', when: 'landing', affected })],
      {},
      by,
    );
    const evidence = { index: by, acceptedIssues, accepted: [accepting('issue', 'x')] };
    expect(judgeRoute(evidence, ends).accepted).toEqual(evidence.accepted);
    expect(judgeSpan(evidence, ends).accepted).toEqual([]);
  });

  it.each([
    [verdicts, ['1.0.1', '1.0.2']],
    [verdicts.slice(1), undefined],
    [[], undefined],
  ])('is %j of a hop: %j', (accepted, named) => {
    const { route } = judgeRoute({ index, accepted }, ends);
    expect(route.hops.map((hop) => hop.accepted)).toEqual([named]);
    expect(mayRoll(route)).toBe(named !== undefined);
    expect(judgeSpan({ index, accepted }, ends).acceptedToRoll).toBe(named !== undefined);
  });

  it('is how many artifacts were read, of all that there are', () => {
    const fates = [{}, {}, 'missing-artifact', 'missing-artifact'] as const;
    const artifacts = new Map(index.entries.map((entry, i) => [entry.version, outcomeOf(entry, fates[i])]));
    expect(judgeSpan({ index, artifacts }, ends).artifacts).toEqual({ read: 1, of: 3 });
    expect(judgeRoute({ index, artifacts }, ends).artifacts).toEqual({ read: 1, of: 3 });
    expect(judgeSpan({ index }, ends).artifacts).toEqual({ read: 0, of: 3 });
  });

  it('is what stops it, and nothing else that was found', () => {
    const stopping = stop();
    const evidence = { index, preflightOf: () => ({ findings: [...findings, stopping] }) };
    expect(judgeSpan(evidence, ends).stops).toEqual([stopping]);
    expect(judgeSpan({ index }, ends).stops).toEqual([]);
    expect(judgeRoute(evidence, { from: ends.to, to: ends.to }).stops).toEqual([]);
    const some = { from: parseVersion('1.0.2'), to: ends.to };
    const asked = { index, artifacts: new Map(), everyArtifact: true };
    expect(judgeSpan(asked, some).unconfirmed).toBe(true);
    expect(judgeSpan({ ...asked, ...evidence }, some).unconfirmed).toBe(false);
  });
});
