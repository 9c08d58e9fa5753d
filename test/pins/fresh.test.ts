import { describe, expect, it } from 'vitest';
import { freshHarmless, freshMoves } from './fresh.js';
import { shapes } from './shapes.js';
import { stops } from './stops.js';

describe('a change that moves Lightdash never passes', () => {
  it.each(Object.entries(freshMoves))('%s', async (_, [before, after]) => {
    expect(await stops(before, after)).not.toEqual([]);
  });
});

describe('a change that moves nothing passes', () => {
  it.each(Object.entries(freshHarmless))('%s', async (_, [before, after]) => {
    expect(await stops(before, after)).toEqual([]);
  });
});

describe.each(Object.entries(shapes))('%s shapes of real repositories', (_, { moves, harmless }) => {
  it.each(Object.entries(moves))('a move is seen: %s', async (_, [before, after]) => {
    expect(await stops(before, after)).not.toEqual([]);
  });

  it.each(Object.entries(harmless))('what moves nothing passes: %s', async (_, [before, after]) => {
    expect(await stops(before, after)).toEqual([]);
  });
});
