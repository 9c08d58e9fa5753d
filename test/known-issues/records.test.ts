import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  describeRecordFault,
  faultsOfKnownIssues,
  parseKnownIssues,
} from '../../src/known-issues/records.js';
import { readYaml } from '../../src/sources/yaml.js';
import { recordOf } from '../support/known-issues.js';

const whole = recordOf({ affected: [{ introduced: '1.0.0', fixed: '1.1.0' }] });

describe('the records of the repository', () => {
  it.each(readdirSync('known-issues'))('%s is one', (file) => {
    const reading = readYaml(readFileSync(`known-issues/${file}`, 'utf8'));
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    expect(faultsOfKnownIssues(reading.value)).toEqual([]);
    expect(reading.value).toMatchObject({ id: file.replace(/\.yaml$/, '') });
    // Else a mirror's older one would count as well.
    const { modified, withdrawn = modified } = parseKnownIssues(reading.value)[0] ?? whole;
    expect(Date.parse(withdrawn)).toBeLessThanOrEqual(Date.parse(modified));
  });
});

describe('a record', () => {
  it('is read as it is', () => expect(parseKnownIssues(whole)).toEqual([whole]));

  it.each<[Record<string, unknown>, string | RegExp]>([
    [{ affectd: [] }, 'affectd: unknown key; did you mean `affected`?'],
    [{ schemaVersion: '2' }, 'schemaVersion: expected "1", got "2"'],
    [{ id: 'An Issue' }, 'id: expected small letters, digits and -, got "An Issue"'],
    [{ id: '' }, /^id: /],
    [{ id: 1 }, 'id: expected an id, got 1'],
    [{ id: 'a'.repeat(81) }, /^id: expected small letters, digits and -/],
    ...['a-', '-a'].map((id): [Record<string, unknown>, string] => [
      { id },
      `id: expected small letters, digits and -, got "${id}"`,
    ]),
    [{ summary: 7 }, 'summary: expected a string, got 7'],
    [{ summary: ' ' }, /^summary: expected a text/],
    [{ aliases: 'x' }, 'aliases: expected other names, got "x"'],
    [{ references: 'x' }, 'references: expected references, got "x"'],
    [{ evidence: 'x' }, 'evidence: expected evidence, got "x"'],
    [{ conditions: 'x' }, 'conditions: expected conditions, got "x"'],
    [{ conditions: [{}] }, /^conditions\[0\]: expected a fact with "is", or with "atLeast" or "below"/],
    [
      { conditions: [{ fact: 'postgres-major', atLeast: -1 }] },
      'conditions[0].atLeast: expected 0 or more, got -1',
    ],
    [
      { conditions: [{ fact: 'postgres-major', below: 'x' }] },
      'conditions[0].below: expected a version X.Y.Z, got "x"',
    ],
    [{ references: ['x'] }, 'references[0]: expected an object, got "x"'],
    [
      { references: [{ type: 'NEWS', url: 'https://a.example' }] },
      'references[0].type: expected "ADVISORY", "ARTICLE", "DETECTION", "DISCUSSION", "REPORT", "FIX" or "WEB", got "NEWS"',
    ],
    [{ affected: 'x' }, 'affected: expected ranges of releases, got "x"'],
    [{ affected: ['x'] }, 'affected[0]: expected a range of releases, got "x"'],
    [{ affected: [] }, /^affected: expected a range of releases/],
    [{ affected: [{ introduced: '1.0' }] }, /^affected\[0\]\.introduced: expected a version/],
    [
      { affected: [{ introduced: '1.0.0', last: '1.1.0' }] },
      'affected[0].last: unknown key; the keys here are introduced, fixed',
    ],
    [
      { affected: [{ introduced: '1.1.0', fixed: '1.1.0' }] },
      'affected[0]: no release is from 1.1.0 on and before 1.1.0',
    ],
    [{ when: 'always' }, /^when: expected "landing", "crossing" or "overlap"/],
    [
      { when: 'crossing', effect: { kind: 'avoid-landing' } },
      'when: only a landing can be avoided, not crossing',
    ],
    [
      { when: 'overlap', fromBefore: true },
      'fromBefore: only a landing can be reached from before, not overlap',
    ],
    [{ fromBefore: 'yes' }, 'fromBefore: expected true or false, got "yes"'],
    [
      { effect: { kind: 'warn' } },
      'effect.kind: expected "avoid-landing", "required-stops", "recreate", "action-first" or "long", got "warn"',
    ],
    [{ effect: 'recreate' }, 'effect: expected an object, got "recreate"'],
    [{ effect: { kind: 'recreate', seen: 'hours' } }, 'effect.seen: unknown key; the keys here are kind'],
    [{ effect: { kind: 'long' } }, 'effect.seen: missing; expected a text'],
    [{ effect: { kind: 'long', seen: ' ' } }, 'effect.seen: expected a text, got " "'],
    [{ effect: { kind: 'required-stops', stops: [] } }, /^effect\.stops: expected a stop/],
    [
      { effect: { kind: 'required-stops', stops: ['1.2.0', '1.1.0'] } },
      'effect.stops[1]: 1.1.0 is not newer than 1.2.0 before it',
    ],
    [
      { effect: { kind: 'required-stops', stops: ['1.2.0', '1.2.0'] } },
      'effect.stops[1]: 1.2.0 is not newer than 1.2.0 before it',
    ],
    [
      { conditions: [{ fact: 'editoin', is: 'community' }] },
      /^conditions\[0\]: there is no fact "editoin"; the facts are edition, /,
    ],
    [
      { conditions: [{ fact: 'edition', is: 'free' }] },
      'conditions[0]: edition is community or enterprise, not "free"',
    ],
    [{ conditions: [{ fact: 'edition', atLeast: 1 }] }, 'conditions[0]: edition wants "is"'],
    [
      { conditions: [{ fact: 'rows.a', is: '5' }] },
      'conditions[0]: rows.a wants "atLeast" or "below", not "is"',
    ],
    [{ conditions: [{ fact: 'rows.a' }] }, 'conditions[0]: rows.a wants "atLeast" or "below"'],
    [
      { conditions: [{ fact: 'rows.a', atLeast: '1.0.0' }] },
      'conditions[0]: rows.a is bound by whole numbers',
    ],
    [
      { conditions: [{ fact: 'rows.a', atLeast: 5, below: '2.0.0' }] },
      'conditions[0]: rows.a is bound by whole numbers',
    ],
    [
      { conditions: [{ fact: 'chart-version', below: 3 }] },
      'conditions[0]: chart-version is bound by versions',
    ],
    [{ conditions: [{ fact: 'rows.a', atleast: 5 }] }, /^conditions\[0\]/],
    [{ conditions: [{ fact: 'edition', is: 'community', isnt: 'x' }] }, /^conditions\[0\]/],
    [
      { conditions: [{ fact: 'rows.a', atLeast: 5, below: 5 }] },
      'conditions[0]: no value of rows.a meets all conditions on it',
    ],
    [
      { conditions: [{ fact: 'chart-version', atLeast: '2.10.0', below: '2.9.0' }] },
      'conditions[0]: no value of chart-version meets all conditions on it',
    ],
    [
      { conditions: [{ fact: 'chart-version', atLeast: '2.9.0', below: '2.9.0' }] },
      'conditions[0]: no value of chart-version meets all conditions on it',
    ],
    [
      {
        conditions: [
          { fact: 'rows.a', atLeast: 9 },
          { fact: 'rows.b', below: 3 },
          { fact: 'rows.a', below: 3 },
        ],
      },
      'conditions[2]: no value of rows.a meets all conditions on it',
    ],
    [
      {
        conditions: [
          { fact: 'edition', is: 'community' },
          { fact: 'edition', is: 'enterprise' },
        ],
      },
      'conditions[1]: no value of edition meets all conditions on it',
    ],
    ...['modified', 'withdrawn'].map((name): [Record<string, unknown>, string] => [
      { [name]: '2026-10-01T00:00:00Z' },
      `${name}: 2026-10-01T00:00:00Z is before published, ${whole.published}`,
    ]),
    ...['http://example.com', 'see https://example.com', 'https://example.com and more'].map(
      (url): [Record<string, unknown>, string] => [
        { references: [{ type: 'FIX', url }] },
        `references[0].url: expected an https address, got "${url}"`,
      ],
    ),
    [
      { evidence: { certainty: 'sure', basis: 'x' } },
      /^evidence\.certainty: expected "confirmed" or "reported"/,
    ],
  ])('with %j is refused', (fields, message) => {
    expect(() => parseKnownIssues({ ...whole, ...fields })).toThrow(
      expect.objectContaining({
        code: 'invalid-known-issue',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    );
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
    expect(() => parseKnownIssues(json)).toThrow('expected the record of a known issue');
  });

  it('tells every fault', () => {
    expect(
      faultsOfKnownIssues({
        ...whole,
        conditions: [{ fact: 'edition', is: 'free' }],
        effect: { kind: 'avoid-landing' },
        when: 'overlap',
      }),
    ).toHaveLength(2);
  });

  it('is told of every key that there is not', () => {
    const faults = faultsOfKnownIssues({ ...whole, affectd: [], fixd: '1.2.0' });
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
    [setOf(), /^records: /],
    [{ ...setOf(whole), schemaVersion: '2' }, 'schemaVersion: expected "1", got "2"'],
    [{ ...setOf(whole), recrods: [] }, 'recrods: unknown key; did you mean `records`?'],
    [{ schemaVersion: '1', records: whole }, /^records: expected records/],
    [
      setOf(other, whole, { ...other, modified: '2026-11-02T00:00:00Z' }),
      'records[2].id: another-issue is listed twice, and only the one modified last would count',
    ],
    [setOf(other, { ...whole, when: 'always' }), /^records\[1\]\.when: /],
    [setOf(other, { ...whole, conditions: [{ fact: 'edition' }] }), /^records\[1\]\.conditions\[0\]: /],
  ])('%j is refused', (json, message) => {
    const [first] = faultsOfKnownIssues(json);
    expect(first && describeRecordFault(first)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });
});
