import { describe, expect, it } from 'vitest';
import { readPinsFile } from '../../src/sources/pin-pattern.js';

describe('a pins file', () => {
  it.each<[string, string, readonly string[]]>([
    ['a list', 'pins:\n  - a.yaml#x\n  - b.yaml#y\n', ['a.yaml#x', 'b.yaml#y']],
    ['JSON', '{"pins":["a"]}', ['a']],
    ['a byte order mark', '\uFEFFpins: [a]\n', ['a']],
    ['a schema for the editor', '$schema: https://a.example/pins.json\npins: [a]\n', ['a']],
  ])('is read with %s', (_, text, pins) => {
    expect(readPinsFile(text, 'it')).toEqual(pins);
  });

  it.each<[string, string, string]>([
    ['nothing', '', '1:1: it is empty'],
    ['a list alone', '- a\n', 'expected an object, got a list'],
    ['no pins', '$schema: x\n', 'pins: missing; expected a list'],
    ['an empty list', 'pins: []\n', 'pins: expected at least 1 in the list, got an empty list'],
    ['an empty pin', "pins: ['']\n", 'pins.0: expected a string that is not empty, got ""'],
    ['a number', 'pins: [1]\n', 'pins.0: expected a string, got 1'],
    ['another key', 'pins: [a]\npin: b\n', 'pin: unknown key; did you mean `pins`?'],
    [
      'no YAML',
      'pins:\n  - [a\n',
      '3:1: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'many faults',
      'pins: [0, 1, 2, 3, 4, 5]\n',
      [0, 1, 2, 3, 4].map((i) => `pins.${i}: expected a string, got ${i}`).join('; '),
    ],
  ])('is refused with %s', (_, text, faults) => {
    expect(() => readPinsFile(text, 'it')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `it is no list of pins: ${faults}`,
        hint: "Write it as: pins: ['envs/*/values.yaml#image.tag']",
      }),
    );
  });
});
