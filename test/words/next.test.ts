import { describe, expect, it } from 'vitest';
import type { IssueEffect } from '../../src/release-safety/parse-index.js';
import { buildReport } from '../../src/release-safety/report.js';
import { planRoute } from '../../src/release-safety/route.js';
import { evaluateSpan } from '../../src/release-safety/span.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { nextOfCheck, nextOfPlan, nextOfReport } from '../../src/words/next.js';
import { realIndex } from '../support/real-index.js';

const latest = parseVersion('2.134.2');
const checked = (from: string, to: string) =>
  evaluateSpan(realIndex(), { from: parseVersion(from), to: parseVersion(to) });

describe('the one thing to do after a check', () => {
  const effect: IssueEffect = { kind: 'recreate' };
  const withIssue = (notKnown: readonly 'edition'[]) => {
    const result = checked('1.121.0', '1.156.0');
    const issue = {
      kind: 'known-issue' as const,
      version: result.toVersion,
      ...{ id: 'an-issue', summary: 'It breaks.', effect, remedy: 'Do so.', notKnown },
    };
    return nextOfCheck({ ...result, safe: false, rolling: false, reasons: [issue] }, latest, false);
  };

  it('points to --fact where a known issue asks for what is not known, and nowhere else', () => {
    const settle = /\(lightspan known-issues show an-issue\), or say with --fact that it does not apply; /;
    expect(withIssue(['edition'])).toMatch(settle);
    expect(withIssue([])).toMatch(/\(lightspan known-issues show an-issue\); lightspan upgrade-plan /);
    expect(withIssue([])).not.toContain('--fact');
  });

  it.each([
    ['1.121.0', '1.156.0', /^upgrade to 1\.156\.0 in one step, old and new pods may overlap/],
    ['1.121.0', '1.121.0', /^nothing; 1\.121\.0 is already running\.$/],
    ['1.111.0', '1.115.0', /^back up the database, plan a downtime, and stop the old pods/],
    ['1.121.0', '9.9.9', /^wait until the index lists 9\.9\.9 \(it ends at 2\.134\.2\)/],
    ['1.121.99', '1.156.0', /^check the version: 1\.121\.99 is not a release in this index\.$/],
    ['0.1050.0', '2.134.2', /^upgrade to 0\.1893\.0 first, with Recreate/],
  ])('%s to %s', (from, to, next) => {
    expect(nextOfCheck(checked(from, to), latest, false)).toMatch(next);
  });
});

describe('the one thing to do after a plan', () => {
  const route = planRoute(realIndex(), { from: parseVersion('1.111.0'), to: parseVersion('1.115.0') });
  const plain = { startIsNoRelease: false, tooManyHops: false, steps: undefined };

  it.each([
    [{}, {}, /^add --deploy helm or --deploy compose/],
    [{}, { steps: 'of-first-hop' }, /^run the steps of hop 1\.$/],
    [
      { hops: [...route.hops, ...route.hops] },
      { steps: 'of-first-hop' },
      /^run the steps of hop 1, then plan again from 1\.115\.0, which runs by then \(--out writes/,
    ],
    [
      {},
      { steps: 'of-each-hop' },
      /^begin with hop 1, and begin no hop until the previous one is confirmed\.$/,
    ],
    [{}, { tooManyHops: true }, /^go to 1\.115\.0 first, and plan again from there\.$/],
    [{}, { tooManyHops: true, steps: 'of-each-hop' }, /^go to 1\.115\.0 first, and plan again from there\.$/],
    [{}, { startIsNoRelease: true }, /^check the running version; 1\.111\.0 /],
    [{ certified: false }, {}, /^decide about the hops that are not certified by hand/],
    [
      { certified: false },
      { tooManyHops: true, steps: 'of-first-hop' },
      /^decide about the hops that are not certified by hand/,
    ],
    [{ hops: [], toVersion: route.fromVersion }, {}, /^nothing; 1\.111\.0 is already running\.$/],
  ] as const)('%j, %j', (more, told, next) => {
    expect(nextOfPlan({ ...route, ...more }, { ...plain, ...told })).toMatch(next);
  });
});

describe('the one thing to do after a report', () => {
  const span = { from: parseVersion('1.111.0'), to: parseVersion('1.115.0') };
  const report = buildReport(realIndex(), { ...span, outcomes: new Map() });
  const [hop] = report.route.hops;
  const uncertified = hop && { ...report.route, hops: [{ ...hop, certified: false }] };

  it.each([
    ['is a yes', { safe: true }, /^upgrade to 1\.115\.0 in one step, old and new pods may overlap/],
    [
      'is a no',
      {},
      /^back up the database, then upgrade to 1\.115\.0 with Recreate .*not known: .*have run\)\.$/,
    ],
    ['is a hop that nothing certifies', { route: uncertified }, /Nothing certifies this hop: test it/],
  ] as const)('that %s', (_, more, next) => {
    expect(nextOfReport({ ...report, ...more } as typeof report)).toMatch(next);
  });
});
