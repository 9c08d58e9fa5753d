import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexSchema } from '../../src/release-safety/index-schema.js';
import {
  parseReleaseSafetyIndex,
  parseReleaseSafetyIndexText,
} from '../../src/release-safety/parse-index.js';
import { propertyRuns } from '../support/property-runs.js';
import { indexOf, type LooseIndex, realIndex, realIndexJson, realIndexText } from '../support/real-index.js';

const three = () => indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0' });

describe('the real index', () => {
  it('is read whole', () => {
    const count = (verdict: unknown) =>
      realIndex().entries.filter((e) => e.rollingUpdateSafe === verdict).length;
    expect(realIndex().entries).toHaveLength(3598);
    expect([count('unknown'), count(true), count(false)]).toEqual([3026, 498, 74]);
    expect(realIndex().backfillFloorVersion).toBe('0.1893.0');
  });

  it('is the same pretty-printed, as it is published', () => {
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

  it.each<[string, unknown]>([
    ['a string', 'index'],
    ['null', null],
    ['a number', 1],
    ['an array', []],
  ])('refuses %s', (_, json) => {
    expect(() => parseReleaseSafetyIndex(json)).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: expect.stringMatching(/^the index: expected a JSON object, got ./),
      }),
    );
  });

  it.each<[unknown, string]>([
    ['2', '"2"'],
    [1, '1'],
    [null, 'null'],
    [undefined, 'nothing'],
    ['1 ', '"1 "'],
    [['1'], 'a list'],
  ])('refuses schemaVersion %j', (schemaVersion, named) => {
    expect(() => parseReleaseSafetyIndex({ ...three(), schemaVersion })).toThrow(
      expect.objectContaining({
        code: 'unsupported-schema-version',
        message: `schemaVersion is ${named}; this version of lightspan reads index schemaVersion "1"`,
        hint:
          schemaVersion === undefined
            ? 'Look whether it is that file, and not another.'
            : 'A newer lightspan may read it.',
      }),
    );
  });

  it.each<[string, unknown]>([
    ['generatedAt', undefined],
    ['generatedAt', 'yesterday'],
    ['generatedAt', '2026-13-45T00:00:00Z'],
    ['generatedAt', 1788718122053],
    ['generatedAt', ['2026-09-06T18:08:42.053Z']],
    ['backfillFloorVersion', undefined],
    ['backfillFloorVersion', 'v1.0.0'],
    ['backfillFloorVersion', 'null'],
    ['backfillFloorVersion', ''],
    ['backfillFloorVersion', false],
    ['entries', undefined],
    ['entries', {}],
    ['entries', null],
    ['entries', []],
  ])('refuses %s: %j', (field, value) => {
    expect(() => parseReleaseSafetyIndex({ ...three(), [field]: value })).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: expect.stringMatching(new RegExp(`^${field}`)),
      }),
    );
  });

  it('says that entries must be an array', () => {
    expect(() => parseReleaseSafetyIndex({ ...three(), entries: {} })).toThrow(
      'entries: expected a list of releases, got an object',
    );
  });

  it.each<[string, unknown, string?]>([
    ['rollingUpdateSafe', 'true'],
    ['rollingUpdateSafe', 'false'],
    ['rollingUpdateSafe', 'Unknown'],
    ['rollingUpdateSafe', ''],
    ['rollingUpdateSafe', 1],
    ['rollingUpdateSafe', 0],
    ['rollingUpdateSafe', null],
    ['rollingUpdateSafe', undefined],
    ['rollingUpdateSafe', [true]],
    ['rollingUpdateSafe', {}],
    ['version', undefined],
    ['version', null],
    ['version', 2],
    ['version', '1.2'],
    ['version', 'v1.2.0'],
    ['version', '1.2.0-beta.1'],
    ['version', 'development'],
    ['version', '01.2.0'],
    ['previousVersion', undefined],
    ['previousVersion', ''],
    ['previousVersion', '1.1'],
    ['releaseDate', undefined],
    ['releaseDate', null],
    ['releaseDate', '2026-09-06'],
    ['requiredStops', undefined],
    ['requiredStops', null],
    ['requiredStops', '1.1.0'],
    ['requiredStops', ['latest'], 'requiredStops[0]'],
    ['requiredStops', ['1.1.0', null], 'requiredStops[1]'],
    ['minPreviousVersion', undefined],
    ['minPreviousVersion', 1],
    ['minPreviousVersion', '1.x'],
    ['backfilled', undefined],
    ['backfilled', 'false'],
    ['syntheticRequiredStop', undefined],
    ['syntheticRequiredStop', 0],
  ])('refuses an entry with %s: %j, and names it', (field, value, named = field) => {
    const json = three();
    json.entries[2] = { ...json.entries[2], [field]: value };
    expect(() => parseReleaseSafetyIndex(json)).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: expect.stringContaining(
          `entries[2].${named}: ${value === undefined ? 'missing; ' : ''}expected`,
        ),
      }),
    );
  });

  it.each([
    ['version', 'a version X.Y.Z'],
    ['previousVersion', 'a version X.Y.Z or null'],
    ['releaseDate', 'an ISO 8601 date-time'],
    ['rollingUpdateSafe', 'true, false or "unknown"'],
    ['requiredStops', 'a list of versions'],
    ['minPreviousVersion', 'a version X.Y.Z or null'],
    ['backfilled', 'true or false'],
    ['syntheticRequiredStop', 'true or false'],
  ])('says that %s must be %s', (field, expected) => {
    const json = three();
    json.entries[1] = { ...json.entries[1], [field]: 7 };
    expect(() => parseReleaseSafetyIndex(json)).toThrow(`entries[1].${field}: expected ${expected}, got 7`);
  });

  it('refuses an entry that is no object', () => {
    const json = { ...three(), entries: [...three().entries, '1.3.0'] };
    expect(() => parseReleaseSafetyIndex(json)).toThrow('entries[3]: expected a release, got "1.3.0"');
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

  it('accepts exactly what the declared schema accepts', () => {
    const anything = fc.oneof(
      fc.constantFrom<unknown>(
        true,
        false,
        'unknown',
        null,
        '',
        '1',
        '1.0.0',
        '9.9.9',
        'v1.0.0',
        '1.2',
        [],
        {},
      ),
      fc.constantFrom<unknown>(['1.0.0'], ['x'], [1], '2026-09-06T18:08:42Z', '2026-09-06T18:08:42+02:00'),
      fc.constantFrom<unknown>(
        '2026-02-32T18:08:42Z',
        '2026-09-06T18:08Z',
        '2026-09-06T18:08:42',
        '2026-09-06',
      ),
      fc.jsonValue(),
    );
    const fields = Object.keys(three().entries[0] ?? {});
    const change = fc.oneof(
      fc.record({
        where: fc.constant('top'),
        field: fc.constantFrom(...Object.keys(three())),
        value: anything,
      }),
      fc.record({ where: fc.constantFrom(0, 1, 2), field: fc.constantFrom(...fields), value: anything }),
    );
    fc.assert(
      fc.property(change, ({ where, field, value }) => {
        const json: LooseIndex = three();
        const target = typeof where === 'number' ? json.entries[where] : json;
        Object.assign(target ?? {}, { [field]: value });
        // Beyond the shape: some entry there must be, and none twice.
        const versions = Array.isArray(json.entries) ? json.entries.map((e) => e?.version) : [];
        const whole = versions.length > 0 && new Set(versions).size === versions.length;
        const declared = whole && indexSchema.safeParse(json).success;
        const accepted = (() => {
          try {
            parseReleaseSafetyIndex(json);
            return true;
          } catch {
            return false;
          }
        })();
        expect(accepted).toBe(declared);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });
});

describe('parseReleaseSafetyIndexText', () => {
  it.each([
    ['', 'the index is not JSON: it is empty'],
    ['  \n', 'the index is not JSON: it is empty'],
    ['<!doctype html><title>503</title>', 'the index is not JSON: it looks like HTML or XML'],
    [' \n<!doctype html>', 'the index is not JSON: it looks like HTML or XML'],
    [realIndexText.slice(0, 5000), ' in JSON at position 5000'],
    ['{"schemaVersion": "1",}', ' in JSON at position 22'],
    ["{'schemaVersion': '1'}", ' in JSON at position 1'],
    ['[tru\n\n  ]', '"[tru ]" is not valid JSON'],
  ])('refuses text %#: %s', (text, message) => {
    expect(() => parseReleaseSafetyIndexText(text)).toThrow(
      expect.objectContaining({ code: 'invalid-json', message: expect.stringContaining(message) }),
    );
  });

  it('reads an index that is written otherwise than it is published', () => {
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

describe('what no index has', () => {
  it('more than 110,000 releases', () => {
    const index = indexOf({ version: '1.0.0' });
    const [entry] = index.entries;
    const entriesOf = (length: number) =>
      Array.from({ length }, (_, i) => ({ ...entry, version: `1.0.${i}`, previousVersion: null }));
    expect(parseReleaseSafetyIndex({ ...index, entries: entriesOf(110_000) }).entries).toHaveLength(110_000);
    expect(() => parseReleaseSafetyIndex({ ...index, entries: entriesOf(110_001) })).toThrow(
      expect.objectContaining({
        code: 'invalid-index',
        message: 'entries: expected at most 110000 releases, got 110001',
      }),
    );
  });

  it('a floor that is neither a version nor null', () => {
    expect(() =>
      parseReleaseSafetyIndex({ ...indexOf({ version: '1.0.0' }), backfillFloorVersion: 'none' }),
    ).toThrow(/backfillFloorVersion: expected a version X\.Y\.Z or null, got "none"/);
  });
});
