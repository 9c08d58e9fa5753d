import { describe, expect, it } from 'vitest';
import { checkMerge } from '../../src/merge-query/merge-check.js';
import { parsePinLocation, readPin } from '../../src/sources/pinned-version.js';
import { yamlExcess } from '../../src/sources/yaml-limits.js';
import { readYaml } from '../../src/sources/yaml-text.js';
import { hostileYaml } from '../support/hostile-yaml.js';

const limits = { maxNesting: 3 };
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

  it.each(hostileYaml)('%s is answered in 2 s, as a merge file and as a pin', (_, text) => {
    // The time that this process works, whatever others do meanwhile.
    for (const answer of [() => checkHostile(text), () => pinHostile(text)]) {
      const before = process.cpuUsage();
      answer();
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(2);
    }
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
