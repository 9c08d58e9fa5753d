import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { isExactNumber } from '../../../src/core/json/exact-json.js';
import { readYaml, readYamlDocuments } from '../../../src/gather/files/yaml.js';
import type { PositionOf } from '../../../src/merge/merge-check.js';

/** What stops a text from being read: `line:column: message`. */
function faultsOf(text: string, reader: typeof readYaml | typeof readYamlDocuments = readYaml): string[] {
  const reading = reader(text);
  return reading.ok ? [] : reading.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

function read(text: string): unknown {
  const reading = readYaml(text);
  return reading.ok ? reading.value : reading.faults;
}

function placeOf(text: string, ...of: Parameters<PositionOf>): string {
  const reading = readYaml(text);
  const at = reading.ok ? reading.positionOf(...of) : undefined;
  return `${at?.line}:${at?.column}`;
}

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefgh'].map((name, i) => `${name}: &${name} [${`*${'abcdefg'[i]}, `.repeat(9)}]`),
].join('\n');

const mergeBomb = [
  'a: &a {k: x}',
  ...[...'bcdefgh'].map(
    (name, i) => `${name}: &${name} {<<: [${Array(9).fill(`*${'abcdefg'[i]}`).join(', ')}]}`,
  ),
].join('\n');

describe('readYaml', () => {
  it.each<[rule: string, text: string, value: unknown]>([
    ['JSON', '{"a": [1, 2.5, true, null, "\\u0041"]}', { a: [1, 2.5, true, null, 'A'] }],
    ['JSON indented with tabs', '{\n\t"a": [\n\t\t1\n\t]\n}', { a: [1] }],
    [
      'YAML 1.2: yes is a string, 010 is ten, a date is a string',
      'a: yes\nb: 010\nc: 2026-01-01',
      { a: 'yes', b: 10, c: '2026-01-01' },
    ],
    ['keys are strings', '1: a\nnull: b\ntrue: c', { 1: 'a', null: 'b', true: 'c' }],
    [
      'numbers that JSON cannot hold are left for the schema to refuse',
      'a: .nan\nb: .inf',
      { a: Number.NaN, b: Infinity },
    ],
    ['a byte order mark is no text', '\uFEFFa: 1', { a: 1 }],
    [
      'an alias stands for what it names',
      'a: &x {k: 1}\nb: *x\nc: [*x, *x]',
      { a: { k: 1 }, b: { k: 1 }, c: [{ k: 1 }, { k: 1 }] },
    ],
    ['an anchor named again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    ['a merge key', 'a: &x {k: 1}\nb: {<<: *x}', { a: { k: 1 }, b: { k: 1 } }],
    [
      'a merge key: what stands in the map itself wins, before it and behind it',
      'a: &x {k: 1, l: 1, m: 1}\nb: {k: 2, <<: *x, l: 2}',
      { a: { k: 1, l: 1, m: 1 }, b: { k: 2, l: 2, m: 1 } },
    ],
    ['a merge key of several: the first wins', 'b:\n  <<: [{k: 1}, {k: 2, l: 2}]', { b: { k: 1, l: 2 } }],
    [
      'a merge key of what is merged itself',
      'a: &x {k: 1}\nb: &y {<<: *x, l: 2}\nc: {<<: *y}',
      { a: { k: 1 }, b: { k: 1, l: 2 }, c: { k: 1, l: 2 } },
    ],
    ['a merge key in quotes as any key, as in JSON', '{"<<": {"k": 1}}', { '<<': { k: 1 } }],
    ['documents behind it that are empty', 'a: 1\n---\n# b\n---\n', { a: 1 }],
    ['inherited names are keys like others', 'toString: 1\nconstructor: 2', { toString: 1, constructor: 2 }],
  ])('reads %s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each<[rule: string, text: string, faults: string[]]>([
    ['nothing', '', ['1:1: it is empty']],
    ['comments alone', '# later\n\n', ['1:1: it is empty']],
    ['binary', 'PK\u0003\u0004\0\0', ['1:1: it is not text: it contains control characters']],
    [
      'a document behind an empty one',
      '---\n---\nb: 2',
      ['2:1: a second document begins here, but only one is read'],
    ],
    ['two documents', 'a: 1\n---\nb: 2', ['2:1: a second document begins here, but only one is read']],
    ['the same key twice', 'a: 1\nb: {"c": 1, "\\u0063": 2}', ['2:13: the key "c" appears twice']],
    ['__proto__', 'a:\n  __proto__: {}', ['2:3: a key must not be named __proto__']],
    ['__proto__ in JSON', '{"__proto__": {"a": 1}}', ['1:2: a key must not be named __proto__']],
    ['a key that is no string', '? [a]\n: b', [expect.stringMatching(/^1:3: .*keys must be strings/)]],
    [
      'tags',
      'a: !!binary aGk=\nb: !x 1',
      [expect.stringMatching(/^1:4: Unresolved tag/), expect.stringMatching(/^2:4: Unresolved tag/)],
    ],
    ['YAML 1.1', '%YAML 1.1\n---\na: yes', ['1:1: it says that it is YAML 1.1; this reads YAML 1.2']],
    ['an alias of nothing', 'a: *x', ['1:4: no anchor &x comes before it']],
    ['an alias inside itself', 'a: &x [*x]', ['1:8: it is inside the value it refers to']],
    ['a merge key of a text', 'a: {<<: b}', ['1:9: << takes a map, or a list of maps']],
    ['a merge key of a list of texts', 'a: {<<: [{k: 1}, b]}', ['1:9: << takes a map, or a list of maps']],
    [
      'a merge key of an alias of nothing, and of a text',
      'a: {<<: *x}\nb: {<<: 1}',
      ['1:9: no anchor &x comes before it', '2:9: << takes a map, or a list of maps'],
    ],
    ['two merge keys', 'a: {<<: {k: 1}, <<: {l: 1}}', ['1:17: the key "<<" appears twice']],
    ['a merge key inside itself', 'a: &x {<<: *x}', ['1:12: it is inside the value it refers to']],
    ['truncated JSON', '{"a": [1, 2', [expect.stringMatching(/^1:12: /), expect.stringMatching(/^1:12: /)]],
    ['a list that ends too early', 'a: 1\nb: [1,\n  2\nc: 3', [expect.stringMatching(/^4:1: /)]],
    ['a quote without end', 'a: 1\nb: "xxx\nc: 2\nd: 3\n', [expect.stringMatching(/^5:1: Missing closing/)]],
    ['deep nesting', '['.repeat(100_000), ['1:1: it nests deeper than 100 levels']],
    ['deep nesting of blocks', `${'- '.repeat(100_000)}a`, ['1:1: it nests deeper than 100 levels']],
    ['more than merges need', `# ${'x'.repeat(1024 * 1024)}`, ['1:1: it is longer than 1048576 characters']],
  ])('refuses %s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it.each([
    ['lists of lists', bomb],
    ['merge keys of merge keys', mergeBomb],
  ])('refuses a YAML bomb of %s, whatever it would become', (_, text) => {
    expect(faultsOf(text)[0]).toMatch(/^\d+:\d+: aliases expand to more than 10000 values$/);
  });

  it('reads what JSON and YAML writers write', () => {
    const json = fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(json, (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(read(JSON.stringify({ value }))).toEqual({ value: plain });
        expect(read(stringify({ value: plain }))).toEqual({ value: plain });
      }),
    );
  });

  const anchored = 'a: &x\n  b: 1\n  c:\n    - 1\n    - 2\nd: *x\ne:\n  <<: *x\n  b: 2';
  const merged = 'b:\n  <<: [{k: 1}, {k: 2, l: 3}]';
  it.each<[of: string, text: string, path: (string | number)[], position: string, about?: 'key']>([
    ['a value', anchored, ['a', 'b'], '2:6'],
    ['a key', anchored, ['a', 'b'], '2:3', 'key'],
    ['an item', anchored, ['a', 'c', 1], '5:7'],
    ['what is missing: the object that lacks it', anchored, ['a', 'x'], '2:3'],
    ['what is inside an alias: where it was written', anchored, ['d', 'b'], '2:6'],
    ['the whole', anchored, [], '1:1'],
    ['what was merged: where it was written', anchored, ['e', 'c', 0], '4:7'],
    ['what stands beside a merge key', anchored, ['e', 'b'], '9:3', 'key'],
    ['a value in a list of merged maps', merged, ['b', 'l'], '2:26'],
    ['a value of which the first wins', merged, ['b', 'k'], '2:12'],
    ['a value in what is no list', 'b: {c: 1}', ['b', 0], '1:4'],
    ['a value beyond a list', 'b: [1]', ['b', 1], '1:4'],
    ['a value of no list by a name', 'b: [1]', ['b', 'x'], '1:4'],
    ['a value below nothing', 'b:', ['b', 'x'], '1:3'],
  ])('knows the place of %s', (_, text, path, position, about = undefined) => {
    expect(placeOf(text, path, about ?? 'value')).toBe(position);
  });

  it.each([
    ['7', '7'],
    ['-7', '-7'],
    ['+7', '7'],
    ['007', '7'],
    ['-007.50', '-7.50'],
    ['+.5', '0.5'],
    ['0.10', '0.10'],
    ['5.', '5'],
    ['00', '0'],
    ['1e3', '1e3'],
    ['-1.50E-10', '-1.50E-10'],
    ['9007199254740993', '9007199254740993'],
    ['0x1F', '31'],
    ['0x20000000000001', '9007199254740993'],
    ['0o17', '15'],
  ])('reads the number %s as %s', (written, value) => {
    const number = read(`a: ${written}`);
    if (typeof number !== 'object' || number === null) throw new Error('a map');
    const [one] = Object.values(number);
    expect(typeof one === 'number' || isExactNumber(one)).toBe(true);
    expect(String(one)).toBe(value);
  });

  it.each([
    ['a word', 'a: say hello', 'hello', 4, '1:8'],
    ['a word that stands there twice', 'a: x y x y', 'x', 4, '1:8'],
    ['a word of a block', 'b: 1\na: |\n  one\n  two one', 'one', 8, '4:7'],
    ['a word that is escaped: the text around it', 'a: "\\u0061b"', 'ab', 0, '1:4'],
    ['a word that stands only behind it: the text around it', 'a: "\\x61"\nb: a', 'a', 0, '1:4'],
    ['a word of what an alias stands for', 'x: &x say hello\na: *x', 'hello', 4, '1:11'],
  ])('knows the place of %s', (_, text, word, offset, position) => {
    expect(placeOf(text, ['a'], 'value', { text: word, offset })).toBe(position);
  });

  it('tells of twenty faults, and no more, each of the whole text', () => {
    const keys = Array.from({ length: 30 }, (_, i) => `k: ${i}`).join('\n');
    for (const text of [keys, keys.replaceAll('k:', '! x')]) {
      const reading = readYaml(text);
      const faults = reading.ok ? [] : reading.faults;
      expect(faults.length).toBeLessThanOrEqual(20);
      expect(faults.every(({ path }) => path === '')).toBe(true);
    }
    expect(faultsOf(keys)).toHaveLength(20);
  });

  it('stops at the maximum length', () => {
    expect(readYaml('a: 12', { maxLength: 5 }).ok).toBe(true);
    expect(readYaml('a: 123', { maxLength: 5 })).toMatchObject({
      faults: [{ line: 1, column: 1, message: 'it is longer than 5 characters' }],
    });
  });

  it('counts no brackets of texts as nesting, and reads a hundred levels', () => {
    expect(faultsOf(`a: x${'['.repeat(200)}`)).toEqual([]);
    expect(faultsOf(`${'['.repeat(100)}${']'.repeat(100)}`)).toEqual([]);
  });

  it.each([
    ['ten thousand values', 9_999, undefined],
    ['more than ten thousand', 10_001, 'aliases expand to more than 10000 values'],
  ])('lets aliases stand for %s', (_, count, fault) => {
    const text = `a: &a [${Array(99).fill('x').join()}]\nb: [${Array(Math.ceil(count / 100))
      .fill('*a')
      .join()}]\nc: *a`;
    const reading = readYaml(text);
    expect(reading.ok ? undefined : reading.faults[0]?.message).toBe(fault);
  });
});

describe('readYamlDocuments', () => {
  it.each<[text: string, found: string[]]>([
    ['a: 1\nb: {a: 1}', []],
    ['a: 1\nb: 2\na: 3', ['3:1: the key "a" appears twice']],
    ['b: {c: 1, c: 2}\nd: 1', ['1:11: the key "c" appears twice']],
    ['a: 1\n---\na: 1\n---\nb: 1\nb: 2', ['6:1: the key "b" appears twice']],
    ['? [a]\n: 1\n? [a]\n: 2', []],
    ['? [a]\n: {b: 1, b: 2}', ['2:10: the key "b" appears twice']],
    // As JSON has them, and so what is deployed.
    ['1: a\n"1": b', ['2:1: the key "1" appears twice']],
    ['a: &x 1\n*x : 2', ['2:1: an alias is used as a key']],
    ['!!str a: 1', ['1:7: a key has a tag']],
    ['a: *x', ['1:4: no anchor &x comes before it']],
    ['a: !reset null\nb: {{ .Values.tag }}', []],
    ['a: 1 # x\rb: 2', ['1:9: the character U+000D starts a new line for some programs only']],
  ])('%j: %j', (text, found) => {
    expect(faultsOf(text, readYamlDocuments)).toEqual(found);
  });
});
