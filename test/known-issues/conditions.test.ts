import { expect, it } from 'vitest';
import { type FactName, type FactValue, factsOf, noFacts } from '../../src/facts/fact-names.js';
import { statusOfCondition } from '../../src/known-issues/known-issues.js';

const chart = (value: string) => ['chart-version', value] as const;
const rows = (value: number) => ['rows.sessions', value] as const;

it.each<[readonly [FactName, FactValue], object, 'met' | 'not-met']>([
  [['edition', 'community'], { is: 'community' }, 'met'],
  [['edition', 'enterprise'], { is: 'community' }, 'not-met'],
  [rows(9), { atLeast: 10 }, 'not-met'],
  [rows(10), { atLeast: 10 }, 'met'],
  [rows(9), { below: 10 }, 'met'],
  [rows(10), { below: 10 }, 'not-met'],
  [rows(10), { atLeast: 9, below: 11 }, 'met'],
  [rows(11), { atLeast: 9, below: 11 }, 'not-met'],
  [chart('2.9.10'), { atLeast: '2.9.9' }, 'met'],
  [chart('2.9.10'), { below: '2.10.0' }, 'met'],
  [chart('2.10.0'), { below: '2.10.0' }, 'not-met'],
  [chart('2.10.0'), { atLeast: '2.10.0' }, 'met'],
  [chart('3.0.0'), { below: '2.10.0' }, 'not-met'],
  // A pre-release comes before the bound that it leads to.
  [chart('2.10.0-rc.1'), { below: '2.10.0' }, 'met'],
  [chart('2.10.0-rc.1'), { atLeast: '2.10.0' }, 'not-met'],
  [chart('2.10.1-rc.1'), { atLeast: '2.10.0' }, 'met'],
])('%j, of which %j is asked, is %s', ([fact, value], asked, status) => {
  const condition = { fact, ...asked } as Parameters<typeof statusOfCondition>[0];
  expect(statusOfCondition(condition, factsOf(new Map([[fact, value]])))).toBe(status);
  expect(statusOfCondition(condition, noFacts)).toBe('not-known');
});
