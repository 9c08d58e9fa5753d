import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../src/gather/files/yaml.js';
import { checkKnownIssues, describeRecordFault, parseKnownIssues } from '../../src/known-issues/records.js';
import { recordOf } from '../support/known-issues.js';

const whole = recordOf({ affected: [{ introduced: '1.0.0', fixed: '1.1.0' }] });

describe('the records of the repository', () => {
  it.each(readdirSync('known-issues'))('%s is one', (file) => {
    const reading = readYaml(readFileSync(`known-issues/${file}`, 'utf8'));
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    expect(checkKnownIssues(reading.value).faults).toEqual([]);
    if (file === 'known-through.yaml') return;
    expect(reading.value).toMatchObject({ id: file.replace(/\.yaml$/, '') });
    // Else a mirror's older one would count as well.
    const { modified, withdrawn = modified } = checkKnownIssues(reading.value).records[0] ?? whole;
    expect(Date.parse(withdrawn)).toBeLessThanOrEqual(Date.parse(modified));
  });
});

function refuses(fields: object, message: string | RegExp): void {
  expect(() => parseKnownIssues({ ...whole, ...fields })).toThrow(
    expect.objectContaining({
      code: 'invalid-known-issue',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    }),
  );
}

const contradiction = (fact: string, i = 0) =>
  `conditions[${i}]: no value of ${fact} meets all conditions on it`;

describe('a record', () => {
  it('is read as it is, with its keys in one order', () => {
    expect(parseKnownIssues(whole)).toEqual([whole]);
    const reversed = Object.fromEntries(Object.entries(whole).reverse());
    expect(JSON.stringify(parseKnownIssues(reversed))).toBe(JSON.stringify(parseKnownIssues(whole)));
  });

  it.each<[fields: object, message: string | RegExp]>([
    [{ affectd: [] }, 'affectd: unknown key; did you mean `affected`?'],
    [{ schemaVersion: '2' }, 'schemaVersion: expected "1", got "2"'],
    ...['An Issue', '', 'a'.repeat(81), 'a-', '-a'].map((id): [object, RegExp] => [
      { id },
      /^id: expected small letters, digits and -, got "/,
    ]),
    [{ summary: ' ' }, 'summary: expected a text, got " "'],
    ...['http://example.com', 'see https://example.com', 'https://example.com and more'].map(
      (url): [object, string] => [
        { references: [{ type: 'FIX', url }] },
        `references[0].url: expected an https address, got "${url}"`,
      ],
    ),
    ...['modified', 'withdrawn'].map((name): [object, string] => [
      { [name]: '2026-10-01T00:00:00Z' },
      `${name}: 2026-10-01T00:00:00Z is before published, ${whole.published}`,
    ]),
    [{ affected: [] }, 'affected: expected at least 1 in the list, got an empty list'],
    [
      { affected: [{ introduced: '1.0.0' }, { introduced: '1.1.0', fixed: '1.1.0' }] },
      'affected[1]: no release is from 1.1.0 on and before 1.1.0',
    ],
    [
      { when: 'crossing', effect: { kind: 'avoid-landing' } },
      'when: the effect avoid-landing needs when: landing, not crossing',
    ],
    [{ when: 'overlap', fromBefore: true }, 'fromBefore: fromBefore needs when: landing, not overlap'],
    [{ effect: { kind: 'recreate', seen: 'hours' } }, 'effect.seen: unknown key; the keys here are kind'],
    [{ effect: { kind: 'long', seen: ' ' } }, 'effect.seen: expected a text, got " "'],
    [{ effect: { kind: 'required-stops', stops: [] } }, /^effect\.stops: expected a stop/],
    ...['1.1.0', '1.2.0'].map((stop): [object, string] => [
      { effect: { kind: 'required-stops', stops: ['1.2.0', stop] } },
      `effect.stops[1]: ${stop} is not newer than 1.2.0 before it`,
    ]),
  ])('with %j is refused', refuses);

  const word = '"is" with community or enterprise';
  const count = '"atLeast" or "below" with a whole number';
  it.each<[condition: object, message: string | RegExp]>([
    [{}, /^conditions\[0\]: expected a fact with "is", or with "atLeast" or "below"/],
    [{ fact: 'postgres-major', atLeast: -1 }, 'conditions[0].atLeast: expected 0 or more, got -1'],
    [{ fact: 'postgres-major', below: 'x' }, 'conditions[0].below: expected a version X.Y.Z, got "x"'],
    [{ fact: 'rows.a', atleast: 5 }, /^conditions\[0\]/],
    [{ fact: 'edition', is: 'community', isnt: 'x' }, /^conditions\[0\]/],
    [
      { fact: 'editoin', is: 'community' },
      /^conditions\[0\]: there is no fact "editoin"; the facts are edition, /,
    ],
    [{ fact: 'edition', is: 'free' }, `conditions[0]: edition wants ${word}`],
    [{ fact: 'edition', atLeast: 1 }, `conditions[0]: edition wants ${word}`],
    [{ fact: 'edition', below: '1.0.0' }, `conditions[0]: edition wants ${word}`],
    [{ fact: 'edition' }, `conditions[0]: edition wants ${word}`],
    [{ fact: 'rows.a', is: '5' }, `conditions[0]: rows.a wants ${count}`],
    [{ fact: 'rows.a' }, `conditions[0]: rows.a wants ${count}`],
    [{ fact: 'rows.a', atLeast: '1.0.0' }, `conditions[0]: rows.a wants ${count}`],
    [{ fact: 'rows.a', atLeast: 5, below: '2.0.0' }, `conditions[0]: rows.a wants ${count}`],
    [
      { fact: 'chart-version', below: 3 },
      'conditions[0]: chart-version wants "atLeast" or "below" with a version X.Y.Z',
    ],
    [{ fact: 'rows.a', atLeast: 5, below: 5 }, contradiction('rows.a')],
    [{ fact: 'chart-version', atLeast: '2.10.0', below: '2.9.0' }, contradiction('chart-version')],
    [{ fact: 'chart-version', atLeast: '2.9.0', below: '2.9.0' }, contradiction('chart-version')],
  ])('with the condition %j is refused', (condition, message) =>
    refuses({ conditions: [condition] }, message),
  );

  it('may have an id of one letter, and references of every type', () => {
    const types = ['ADVISORY', 'ARTICLE', 'DETECTION', 'DISCUSSION', 'REPORT', 'FIX', 'WEB'];
    const references = types.map((type) => ({ type, url: 'https://example.com' }));
    const record = { ...whole, id: 'a', references };
    expect(parseKnownIssues(record)).toEqual([record]);
  });

  it('with conditions that contradict each other is refused', () => {
    const rows = [
      { fact: 'rows.a', atLeast: 9 },
      { fact: 'rows.b', below: 3 },
      { fact: 'rows.a', below: 3 },
    ];
    refuses({ conditions: rows }, contradiction('rows.a', 2));
    const editions = ['community', 'enterprise'].map((is) => ({ fact: 'edition', is }));
    refuses({ conditions: editions }, contradiction('edition', 1));
    const apart = [
      { fact: 'rows.a', atLeast: 9 },
      { fact: 'rows.b', below: 3 },
      { fact: 'rows.a', below: 10 },
    ];
    expect(checkKnownIssues({ ...whole, conditions: apart }).faults).toEqual([]);
  });

  it.each([
    ['published', '2026-11-01T00:00:00Z'],
    ['modified', '2026-11-01T00:00:00Z'],
    ['modified', '2099-01-01T00:00:00+01:00'],
  ])('%s in the future, at %s, is refused', (name, date) => {
    const now = new Date('2026-10-31T23:54:59Z');
    const dated = { ...whole, published: '2026-10-01T00:00:00Z', modified: date, [name]: date };
    expect(() => parseKnownIssues(dated, now)).toThrow(
      `${name}: ${date} is in the future: it is 2026-10-31T23:54:59.000Z here`,
    );
  });

  it('may be five minutes ahead of this clock, and announce when it will be withdrawn', () => {
    const record = { ...whole, withdrawn: '2099-01-01T00:00:00Z' };
    expect(parseKnownIssues(record, new Date('2026-10-31T23:55:00Z'))).toEqual([record]);
  });

  it.each(Object.keys(whole))('without %s is refused', (key) => {
    const { [key as keyof typeof whole]: _, ...rest } = whole;
    expect(() => parseKnownIssues(rest)).toThrow(`${key}: `);
  });

  it.each([[null], [[]], ['text'], [7]])('%j is none', (json) => {
    expect(() => parseKnownIssues(json)).toThrow('expected an object');
  });

  it('has all its faults named', () => {
    const effect = { kind: 'avoid-landing' };
    const conditions = [{ fact: 'edition', is: 'free' }];
    expect(checkKnownIssues({ ...whole, conditions, effect, when: 'overlap' }).faults).toHaveLength(2);
  });

  it('has every unknown key named', () => {
    const faults = checkKnownIssues({ ...whole, affectd: [], fixd: '1.2.0' }).faults;
    expect(faults.map(describeRecordFault)).toEqual([
      'affectd: unknown key; did you mean `affected`?',
      expect.stringContaining('fixd: unknown key; the keys here are schemaVersion, id, '),
    ]);
  });
});

describe('a set of records', () => {
  const setOf = (...records: readonly unknown[]) => ({ schemaVersion: '1', records });
  const other = { ...whole, id: 'another-issue' };

  it('is read, with its date or without', () => {
    const later = { ...other, modified: '2026-11-02T00:00:00Z' };
    expect(parseKnownIssues(setOf(whole, later))).toEqual([whole, later]);
    // As a mirror has those of two places that differ, and were modified at the same moment.
    expect(parseKnownIssues(setOf(whole, { ...whole, summary: 'It bends.' }))).toHaveLength(2);
    expect(parseKnownIssues({ ...setOf(other), publishedAt: '2026-11-01T00:00:00Z' })).toEqual([other]);
  });

  it.each([
    [setOf(), 'records: expected at least 1 in the list, got an empty list'],
    [
      { ...setOf(whole), knownThrough: { version: '2.0.0', asOf: 'today' } },
      'knownThrough.asOf: expected a date YYYY-MM-DD, got "today"',
    ],
    [{ ...setOf(whole), schemaVersion: '2' }, 'schemaVersion: expected "1", got "2"'],
    [{ ...setOf(whole), recrods: [] }, 'recrods: unknown key; did you mean `records`?'],
    [{ schemaVersion: '1', records: whole }, /^records: expected a list/],
    [
      setOf(other, whole, { ...other, modified: '2026-11-02T00:00:00Z' }),
      'records[2].id: another-issue is listed twice, and only the one modified last would count',
    ],
    [setOf(other, { ...whole, when: 'always' }), /^records\[1\]\.when: /],
    [setOf(other, { ...whole, conditions: [{ fact: 'edition' }] }), /^records\[1\]\.conditions\[0\]: /],
  ])('%j is refused', (json, message) => {
    const [first] = checkKnownIssues(json).faults;
    expect(first && describeRecordFault(first)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });
});
