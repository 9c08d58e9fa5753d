import { describe, expect, it } from 'vitest';
import { hopTable } from '../../src/answer/hops.js';
import { planRoute } from '../../src/library.js';
import { realIndex } from '../support/real-index.js';

const hops = (from: string, to: string) => planRoute(realIndex(), { from, to }).hops;
const below = hops('0.1050.0', '0.1895.0');
const texts = (table: ReturnType<typeof hopTable>) => [
  table.columns.map(({ title }) => title),
  ...table.rows.map((row) => row.map(({ text }) => text)),
];

describe('the hops of a route', () => {
  it('with what is told of any of them', () => {
    const [first, second] = below;
    if (first === undefined || second === undefined) throw new Error('two hops');
    const time = { lowSeconds: 60, highSeconds: null, because: ['rows-not-told' as const] };
    const told = [
      { ...first, wayBack: { needs: 'backup' as const, because: [] } },
      { ...second, time, wayBack: { needs: 'code' as const, because: [] } },
    ];
    expect(texts(hopTable(told)).map((row) => row.slice(-2))).toEqual([
      ['Migrations take', 'Going back needs'],
      ['not known', 'the backup'],
      ['at least 60 seconds', 'code only'],
    ]);
    expect(hopTable([{ ...first, wayBack: { needs: 'flag', because: [] } }, second]).rows).toEqual([
      expect.arrayContaining([{ text: 'a flag' }]),
      expect.arrayContaining([{ text: 'the backup' }]),
    ]);
  });

  it.each([
    ['not certified', below[0], { text: 'Recreate, not certified', tone: 'bad' }],
    ['a downtime', below[1], { text: 'Recreate', tone: 'warn' }],
    ['rolling', hops('1.121.0', '1.123.0')[0], { text: 'RollingUpdate', tone: 'good' }],
  ])('%s: its strategy is marked so', (_, hop, cell) => {
    expect(hopTable(hop === undefined ? [] : [hop]).rows).toEqual([expect.arrayContaining([cell])]);
  });
});
