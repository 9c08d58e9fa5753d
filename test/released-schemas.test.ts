import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breakingChanges, type Schema } from './support/schema-changes.js';

const released: { readonly file: string; readonly schema: Schema }[] = readFileSync(
  'test/released-schemas.jsonl',
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const kindsOfMerges = [
  '/errors/[]/kind: may be "too_many_sources", "calculation_formula_too_long"',
  '/warnings/[]/kind: may be "newer_than_contract"',
];

/** What the rule allows although it breaks a reader or a writer: kinds gained, and a wrong yes that became a no. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'merge-validate-result.json': kindsOfMerges,
  'merge-submit-result.json': [...kindsOfMerges, '(root): a variant is gone or has changed'],
  // A row limit below 0 was taken.
  'merge-request.json': [
    '/mergeQuery/limit: another minimum',
    '/mergeQuery/sources/[]/metricQuery/limit: another minimum',
  ],
};

/** CONTRIBUTING.md, "Versions", has the rule. */
describe('the schemas of the last release', () => {
  it.each(released)('$file: who relies on it may rely on it still', ({ file, schema }) => {
    expect(existsSync(`schemas/${file}`), `schemas/${file} is gone`).toBe(true);
    const kind = /^Output of /.test(String(schema.title)) ? 'output' : 'input';
    const now: Schema = JSON.parse(readFileSync(`schemas/${file}`, 'utf8'));
    expect(breakingChanges(kind, schema, now)).toEqual(allowed[file] ?? []);
  });
});

describe('a change of a schema', () => {
  const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });
  const text = { type: 'string' };
  const number = { type: 'number' };
  const record = { type: 'object', additionalProperties: number };
  const variants = (...names: string[]) => ({
    oneOf: names.map((name) => object({ kind: { type: 'string', const: name }, [name]: text })),
  });
  const versioned = (version: string, rest: Record<string, Schema>) =>
    object({ schemaVersion: { type: 'string', const: version }, ...rest });
  const list: Schema = {
    $ref: '#/definitions/List',
    definitions: { List: object({ next: { $ref: '#/definitions/List' }, value: text }, ['value']) },
  };
  const otherList = { ...list, definitions: { List: object({ next: { $ref: '#/definitions/List' } }) } };

  it.each<[what: string, output: boolean, input: boolean, was: Schema, is: Schema]>([
    ['nothing', true, true, object({ a: text }), object({ a: text })],
    ['words', true, true, object({ a: text }), object({ a: { ...text, description: 'x' } })],
    ['a new key', true, false, object({ a: text }), object({ a: text, b: text })],
    ['a new optional key', true, true, object({ a: text }), object({ a: text, b: text }, ['a'])],
    ['a key gone', false, false, object({ a: text, b: text }), object({ a: text })],
    ['an optional key gone', false, false, object({ a: text, b: text }, ['a']), object({ a: text })],
    ['a key optional', false, true, object({ a: text }), object({ a: text }, [])],
    ['a key required', true, false, object({ a: text }, []), object({ a: text })],
    ['another type', false, false, object({ a: text }), object({ a: number })],
    ['an integer for a number', true, false, number, { type: 'integer' }],
    ['null too', false, true, text, { anyOf: [text, { type: 'null' }] }],
    ['null too, as a list', false, true, text, { type: ['string', 'null'] }],
    ['null no more', true, false, { anyOf: [text, { type: 'null' }] }, text],
    ['anything', false, true, text, {}],
    ['one value more', false, true, { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['one value less', true, false, { enum: ['a', 'b'] }, { enum: ['a'] }],
    ['any text for a list', false, true, { type: 'string', enum: ['a'] }, text],
    ['another constant', false, false, { const: true }, { const: false }],
    ['one variant more', false, true, variants('a'), variants('a', 'b')],
    ['one variant less', false, false, variants('a', 'b'), variants('a')],
    ['a key of a variant gone', false, false, variants('a'), { oneOf: [object({ kind: { const: 'a' } })] }],
    ['other items', false, false, { type: 'array', items: text }, { type: 'array', items: number }],
    ['items of any kind', false, true, { type: 'array', items: text }, { type: 'array' }],
    ['fewer items', true, false, { type: 'array' }, { type: 'array', maxItems: 3 }],
    ['a wider range', false, true, { ...number, minimum: 1 }, { ...number, minimum: 0 }],
    ['another pattern', false, false, { ...text, pattern: 'a' }, { ...text, pattern: 'b' }],
    ['a pattern', true, false, text, { ...text, pattern: 'b' }],
    ['other values of a record', false, false, record, { ...record, additionalProperties: text }],
    ['a record of anything', false, true, record, { type: 'object' }],
    ['a recursive schema as it was', true, true, list, list],
    ['a key gone in one', false, false, list, otherList],
    ['anything, under a new version', true, false, versioned('1', { a: text }), versioned('2', {})],
    ['the version gone', false, false, versioned('1', { a: text }), object({ a: text })],
  ])('%s: may an output %s, may an input %s', (_, output, input, was, is) => {
    expect({
      output: breakingChanges('output', was, is).length === 0,
      input: breakingChanges('input', was, is).length === 0,
    }).toEqual({ output, input });
  });
});
