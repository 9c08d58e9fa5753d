import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion } from '../../src/core/version.js';
import { freshHarmless, freshMoves } from './fresh.js';
import type { Files } from './moves.js';
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

describe('a move between releases with such numbers as any program has never passes', () => {
  type Change = readonly [before: Files, after: Files];
  const versions = /(?<![\d.])\d{1,2}\.\d{3,4}\.\d{1,3}(?![\d]|\.\d)/g;
  /** The same change at the first releases of the next major, in the same order; undefined if it has none to replace. */
  const atNextMajor = (change: Change): Change | undefined => {
    const text = JSON.stringify(change);
    const all = [...new Set(text.match(versions) ?? [])].map(parseVersion).toSorted(compareVersions);
    const later = new Map<string, string>(all.map((version, i) => [version, `3.${i + 1}.0`]));
    if (later.size === 0) return undefined;
    return JSON.parse(text.replaceAll(versions, (version) => later.get(version) ?? version));
  };
  const all = [freshMoves, ...Object.values(shapes).map(({ moves }) => moves)];
  const changes = all.flatMap((moves) =>
    Object.entries(moves).flatMap(([name, change]) => {
      const later = atNextMajor(change);
      return later === undefined ? [] : [[name, later] as const];
    }),
  );

  it.each(changes)('%s', async (_, [before, after]) => {
    expect(await stops(before, after)).not.toEqual([]);
  });
});
