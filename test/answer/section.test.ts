import { expect, it } from 'vitest';
import { type Column, lineOf, type Row } from '../../src/answer/section.js';

const columns: readonly Column[] = [{ title: 'Change' }, { title: 'Came in', around: [' (', ')'] }];

it.each<[string, Row, string]>([
  ['columns say how their cells join', ['slug is gone', '1.2.0'], 'slug is gone (1.2.0)'],
  ['a mark adds no words', [{ text: 'slug is gone', mark: 'code' }, '1.2.0'], 'slug is gone (1.2.0)'],
  [
    'a long cell is cut and counted, and what follows it stays',
    ['x'.repeat(23), '1.2.0'],
    `${'x'.repeat(20)}... (3 characters more) (1.2.0)`,
  ],
])('%s', (_, row, line) => {
  expect(lineOf(columns, row, 20)).toBe(line);
});
