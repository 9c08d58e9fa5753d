import { describe, expect, it } from 'vitest';
import { strategyFor } from '../../src/release-safety/span.js';

describe('strategyFor', () => {
  it.each([
    [true, 'RollingUpdate'],
    [false, 'Recreate'],
    ['unknown', 'Recreate'],
  ] as const)('span rule 1: %s means %s', (verdict, strategy) => {
    expect(strategyFor(verdict)).toBe(strategy);
  });
});
