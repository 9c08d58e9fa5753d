import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex, parseReleaseSafetyIndexText } from '../../../src/core/index/parse-index.js';
import { indexOf, realIndex, realIndexJson, realIndexText } from '../../support/real-index.js';

const three = () => indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0' });

describe('the real index', () => {
  it('is read whole', () => {
    const count = (verdict: unknown) =>
      realIndex().entries.filter((e) => e.rollingUpdateSafe === verdict).length;
    expect(realIndex().entries).toHaveLength(3598);
    expect([count('unknown'), count(true), count(false)]).toEqual([3026, 498, 74]);
    expect(realIndex().backfillFloorVersion).toBe('0.1893.0');
  });

  it('reads the same from the published, pretty-printed text', () => {
    const published = `${JSON.stringify(realIndexJson(), null, 2)}\n`;
    expect(published).toHaveLength(1_030_269);
    expect(parseReleaseSafetyIndexText(published)).toEqual(realIndex());
  });
});

describe('parseReleaseSafetyIndex', () => {
  it('reads entries that are out of order in version order', () => {
    const json = realIndexJson();
    json.entries.reverse();
    expect(parseReleaseSafetyIndex(json)).toEqual(realIndex());
  });

  it('reads past fields it does not know', () => {
    const json = three();
    json.publisher = { rollingUpdateSafe: true };
    for (const entry of json.entries) entry.notes = ['new'];
    expect(parseReleaseSafetyIndex(json)).toMatchObject(parseReleaseSafetyIndex(three()));
  });

  it('leaves the parsed JSON as it was', () => {
    const json = three();
    json.entries.reverse();
    const before = structuredClone(json);
    parseReleaseSafetyIndex(json);
    expect(json).toEqual(before);
  });

  it.each([
    ['3', 'A newer lightspan may read it.'],
    [1, 'Check that it is the right file: the version is a text, in quotes.'],
    [undefined, 'Check that it is the right file.'],
  ])('says what to do about schemaVersion %j', (schemaVersion, hint) => {
    expect(() => parseReleaseSafetyIndex({ ...three(), schemaVersion })).toThrow(
      expect.objectContaining({ hint }),
    );
  });

  it.each([['2'], [1], [null], [undefined], ['1 '], [['1']]])('refuses schemaVersion %j', (schemaVersion) => {
    expect(() => parseReleaseSafetyIndex({ ...three(), schemaVersion })).toThrow(
      expect.objectContaining({
        code: 'unsupported-schema-version',
        message: expect.stringMatching(/^schemaVersion is .+; this .+ reads index schemaVersion "1"$/),
        hint: expect.stringContaining(typeof schemaVersion === 'string' ? 'A newer' : 'the right file'),
      }),
    );
  });

  const version = 'expected a version X.Y.Z';
  const verdict = 'expected true, false or "unknown"';
  const dateTime = 'expected an ISO 8601 date-time';
  const entryWith = (fields: object) => ({
    entries: [{}, {}, fields].map((f, i) => ({ ...three().entries[i], ...f })),
  });
  it.each<[string, unknown, fault: string]>([
    ...['index', null, 1, []].map((json): [string, unknown, string] => [
      'the index',
      json,
      'the index: expected a JSON object, got ',
    ]),
    ['no date', { generatedAt: undefined }, `generatedAt: missing; ${dateTime}`],
    ['no date at all', { generatedAt: '2026-13-45T00:00:00Z' }, `generatedAt: ${dateTime}, got "2026-13`],
    ['a date list', { generatedAt: ['2026-09-06T18:08:42.053Z'] }, `generatedAt: ${dateTime}, got a list`],
    ['no floor', { backfillFloorVersion: undefined }, `backfillFloorVersion: missing; ${version} or null`],
    ['a v floor', { backfillFloorVersion: 'v1.0.0' }, `backfillFloorVersion: ${version} or null, got "v1`],
    ['no entries', { entries: undefined }, 'entries: missing; expected a list of releases'],
    ['entries that are no list', { entries: {} }, 'entries: expected a list of releases, got an object'],
    ['an empty list', { entries: [] }, 'entries: expected at least one release, got an empty list'],
    ['a hole', { entries: Array(3) }, 'entries[0]: missing; expected a release'],
    ['a text', { entries: [...three().entries, '1.3.0'] }, 'entries[3]: expected a release, got "1.3.0"'],
    ...(
      [
        ['version', 'v1.2.0', `: ${version}, got "v1.2.0"`],
        ['previousVersion', '', `: ${version} or null, got ""`],
        ['releaseDate', '2026-09-06', `: ${dateTime}, got "2026-09-06"`],
        ['rollingUpdateSafe', 'true', `: ${verdict}, got "true"`],
        ['rollingUpdateSafe', undefined, `: missing; ${verdict}`],
        ['requiredStops', '1.1.0', ': expected a list of versions, got "1.1.0"'],
        ['requiredStops', ['1.1.0', null], `[1]: ${version}, got null`],
        ['minPreviousVersion', '1.x', `: ${version} or null, got "1.x"`],
      ] as const
    ).map(([field, value, fault]): [string, unknown, string] => [
      `${field} = ${JSON.stringify(value)}`,
      entryWith({ [field]: value }),
      `entries[2].${field}${fault}`,
    ]),
  ])('refuses %s, and names it: %#', (_, change, fault) => {
    const isIndex = typeof change === 'object' && change !== null && !Array.isArray(change);
    expect(() => parseReleaseSafetyIndex(isIndex ? { ...three(), ...change } : change)).toThrow(
      expect.objectContaining({ code: 'invalid-index', message: expect.stringContaining(fault) }),
    );
  });

  it('refuses one version twice, wherever the two stand', () => {
    const json = indexOf(
      { version: '1.0.0' },
      { version: '1.1.0' },
      { version: '1.2.0' },
      { version: '1.1.0' },
    );
    expect(() => parseReleaseSafetyIndex(json)).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: 'entries[3].version: 1.1.0 stands in the index twice, first as entries[1]',
      }),
    );
  });
});

describe('parseReleaseSafetyIndexText', () => {
  it.each([
    ['', 'the index is not JSON: it is empty'],
    ['  \n', 'the index is not JSON: it is empty'],
    ['<!doctype html><title>503</title>', 'the index is not JSON: it looks like HTML or XML'],
    [realIndexText.slice(0, 5000), ' in JSON at position 5000'],
    ["{'schemaVersion': '1'}", ' in JSON at position 1'],
    ['[tru\n\n  ]', '"[tru ]" is not valid JSON'],
  ])('refuses text %#: %s', (text, message) => {
    expect(() => parseReleaseSafetyIndexText(text)).toThrow(
      expect.objectContaining({ code: 'invalid-json', message: expect.stringContaining(message) }),
    );
  });

  it('reads an index in another layout than the published one', () => {
    const json = three();
    json.publisher = 'a field that is not documented';
    expect(parseReleaseSafetyIndexText(JSON.stringify(json))).toEqual(parseReleaseSafetyIndex(three()));
  });

  it('refuses a key that stands twice, where JSON.parse would keep the second', () => {
    const text = JSON.stringify(three()).replace(
      '"rollingUpdateSafe":true',
      '"rollingUpdateSafe":false,"rollingUpdateSafe":true',
    );
    expect(parseReleaseSafetyIndex(JSON.parse(text)).entries[0]?.rollingUpdateSafe).toBe(true);
    expect(() => parseReleaseSafetyIndexText(text)).toThrow(
      expect.objectContaining({
        code: 'invalid-json',
        message: expect.stringContaining('the key "rollingUpdateSafe" twice'),
      }),
    );
  });
});

it('refuses more than 110,000 releases, however they are written', () => {
  const index = indexOf({ version: '1.0.0' });
  const entriesOf = (length: number) =>
    Array.from({ length }, (_, i) => ({ ...index.entries[0], version: `1.0.${i}`, previousVersion: null }));
  expect(parseReleaseSafetyIndex({ ...index, entries: entriesOf(110_000) }).entries).toHaveLength(110_000);
  const tooMany = { ...index, entries: entriesOf(110_001) };
  for (const read of [
    () => parseReleaseSafetyIndex(tooMany),
    () => parseReleaseSafetyIndexText(JSON.stringify(tooMany)),
  ]) {
    expect(read).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: 'entries: expected at most 110000 releases, got a list',
      }),
    );
  }
});
