import { expect, it } from 'vitest';
import { verifyChecks } from '../../src/checks/after-upgrade/checks.js';
import { defineCheck, type FindingTraits, ok, stop } from '../../src/checks/check.js';
import { checks } from '../../src/checks/checks.js';
import { runChecks, traitsOf } from '../../src/checks/run-checks.js';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import { judgeRoute, judgeSpan } from '../../src/core/judge.js';
import { parseVersion } from '../../src/core/version.js';
import { indexOf } from '../support/real-index.js';

const declare = defineCheck({
  id: 'renamed-at-will',
  needs: [],
  *judge({ from }) {
    yield stop(null, { kind: 'is-settled' });
    return ok({ kind: 'is-well', from });
  },
});
const finds = {
  'is-settled': { meaning: 'It is settled.', remedy: 'Go by the route.', describe: () => 'it is settled' },
  'is-well': 'It is well.',
} as const;
const words = { label: 'x', meaning: 'x' };

it('a trait of a kind that the check does not find does not compile', () => {
  // @ts-expect-error: it was renamed.
  declare({ ...words, finds: { ...finds, 'is-well': () => '' }, traitsOf: { 'is-settled-no-more': {} } });
});

it('whether a rehearsal settles a finding is declared by its check', () => {
  const index = parseReleaseSafetyIndex(indexOf({ version: '1.0.0' }, { version: '1.0.1' }));
  const ends = { from: parseVersion('1.0.0'), to: parseVersion('1.0.1') };
  const line = { ...ends, earlier: [], before: [], span: [], missingRanges: [], rolling: true, unread: 0 };
  const input = { ...ends, line, issues: [], diskFree: undefined, edition: undefined, facts: {} };
  const stopsWith = (traits: FindingTraits = {}) => {
    const check = declare({
      ...words,
      finds: { ...finds, 'is-well': () => 'it is well' },
      traitsOf: { 'is-settled': traits },
    });
    const evidence = { index, preflightOf: () => runChecks([check], input) };
    return [judgeSpan(evidence, ends), judgeRoute(evidence, ends)].map(({ stops }) => stops.length);
  };
  expect(stopsWith(undefined)).toEqual([1, 1]);
  expect(stopsWith({ settledBy: 'route' })).toEqual([1, 0]);
  // All of its hops roll.
  expect(stopsWith({ settledBy: 'recreate' })).toEqual([1, 1]);
});

it('the traits of every kind, and of every check, in one table', () => {
  const all = [...checks, ...verifyChecks.filter(({ id }) => id === 'pods')];
  const table = all.flatMap((check) =>
    Object.keys('finds' in check ? Object(check.finds) : {}).flatMap((kind) => {
      const traits = Object.entries(traitsOf(check, kind)).map(([name, value]) => `${name} ${value}`);
      return traits.length === 0 ? [] : [`${check.id} ${kind}: ${traits.join(', ')}`];
    }),
  );
  expect(table).toMatchSnapshot();
});
