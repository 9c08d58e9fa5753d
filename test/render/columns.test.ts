import { describe, expect, it } from 'vitest';
import { columnsOf, padColumns } from '../../src/render/wrap.js';

describe('columns of a terminal', () => {
  it.each([
    ['', 0],
    ['plain text', 10],
    ['żółć', 4],
    ['漢字', 4],
    ['ｱｲｳ', 3],
    ['１２', 4],
    ['🎉', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['e\u0301', 1],
    ['… –', 3],
  ])('%j takes %i, and is filled up to more', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
    expect(padColumns(text, 12)).toBe(text + ' '.repeat(12 - columns));
    expect(padColumns(text, 0)).toBe(text);
  });

  it('measures a million characters in less than a second', () => {
    const before = process.cpuUsage();
    expect(columnsOf('漢'.repeat(1_000_000))).toBe(2_000_000);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
  });
});
