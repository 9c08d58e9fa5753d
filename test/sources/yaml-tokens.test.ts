import { describe, expect, it } from 'vitest';
import { checkMerge } from '../../src/merge-query/merge-check.js';
import { parsePinLocation, readPin } from '../../src/sources/pinned-version.js';
import { readYaml } from '../../src/sources/yaml.js';
import { usualLimits, yamlExcess } from '../../src/sources/yaml-tokens.js';
import { hostileYaml } from '../support/hostile-yaml.js';

const limits = { ...usualLimits, maxNesting: 3 };
const mostFaults = 101;

describe('yamlExcess', () => {
  it.each([
    ['brackets in quotes', '"[[[[[[{{{{"'],
    ['brackets in a plain text', 'a: x[[[[[[{{{{'],
    ['brackets in a block of text', 'a: |\n  [[[[[[\n  {{{{{{\n'],
    ['dashes in a folded text', 'a: >\n  - - - - - - x\n'],
    ['brackets in a comment', 'a: 1 # [[[[[['],
    ['brackets that close again', 'a: [[], [], [], [], []]'],
    ['indents of a text', 'a: |\n  x\n   x\n    x\n     x\n      x\n'],
    ['three levels', 'a:\n  b:\n    c: 1\n'],
  ])('lets %s pass', (_, text) => {
    expect(yamlExcess(text, limits)).toBeUndefined();
  });

  it.each([
    ['brackets', '[[[[1]]]]'],
    ['brackets over lines', '[\n[\n[\n[\n'],
    ['dashes', '- - - - a'],
    ['question marks', '? ? ? ? a'],
    ['indents', 'a:\n b:\n  c:\n   d:\n'],
    ['a list below a key at its own indent', 'a:\n- b:\n  - c'],
    ['a second document', 'a: 1\n---\n[[[['],
  ])('counts levels of %s', (_, text) => {
    expect(yamlExcess(text, limits)).toBe('it nests deeper than 3 levels');
  });

  it.each([
    ['much text', 'x'.repeat(1024 * 1024 + 1), 'it is longer than 1048576 characters'],
    [
      'many parts',
      '- a\n'.repeat(50_000),
      'it has more than 100000 parts (keys, values, signs and line ends)',
    ],
  ])('knows %s', (_, text, excess) => {
    expect(yamlExcess(text, limits)).toBe(excess);
  });

  it('lets a file of ten thousand lines pass', () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `key${i}: value`).join('\n');
    expect(yamlExcess(text, limits)).toBeUndefined();
  });
});

describe('text that was made to take long', { timeout: 60_000 }, () => {
  const location = parsePinLocation('values.yaml#image.tag');
  const little = hostileYaml.map(([shape, text]) => [shape, text.slice(0, 40_000)] as const);

  it.each(little)('takes work that grows no faster than its length: %s', (_, text) => {
    const quarter = text.slice(0, text.length / 4);
    for (const answer of [checkHostile, pinHostile]) {
      expectLinear(
        () => answer(quarter),
        () => answer(text),
      );
    }
  });

  /** What is read in short, and too many parts of it in a MiB. */
  const ofManyParts = hostileYaml.filter(([, text], i) =>
    yamlExcess(little[i]?.[1] ?? '', {
      ...usualLimits,
      maxParts: (100_000 * 40_000) / text.length,
    })?.includes('parts'),
  );

  it.each(ofManyParts)('is refused for its parts, before nodes are made of a MiB: %s', (_, text) => {
    const excess = 'it has more than 100000 parts (keys, values, signs and line ends)';
    expect(readYaml(text)).toMatchObject({ ok: false, faults: [{ message: excess }] });
  });

  function pinHostile(text: string): void {
    expect(() => readPin(text, location)).toThrow(expect.objectContaining({ code: 'invalid-pin' }));
  }
});

function checkHostile(text: string): void {
  const reading = readYaml(text);
  if (!reading.ok) expect(reading.faults.length).toBeLessThanOrEqual(mostFaults);
  else {
    const check = checkMerge(reading.value, reading.positionOf);
    expect(check.status === 'no-merge-request' && check.faults.length).toBeLessThanOrEqual(mostFaults);
  }
}

/**
 * Twice the text is at most 2.5 times the work of this process; measured on four times the text, for a collection of
 * garbage is much of what is short. What others do to a shared machine adds to a round, and takes nothing away: the least
 * of some rounds counts, of which the first warms up.
 */
function expectLinear(quarter: () => void, whole: () => void): void {
  const least = { quarter: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 20; round += 1) {
    const [ofQuarter, ofWhole] = [workMs(quarter), workMs(whole)];
    if (round === 0) continue;
    least.quarter = Math.min(least.quarter, ofQuarter);
    least.whole = Math.min(least.whole, ofWhole);
    if (isLinear(least)) break;
  }
  expect(least).toSatisfy(isLinear);
}

/** What is measured is not exact to some milliseconds. */
const isLinear = ({ quarter, whole }: { readonly quarter: number; readonly whole: number }) =>
  whole <= 2.5 ** 2 * quarter + 4;

function workMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
