import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import { readPublishedForm } from '../../../src/core/index/published-form.js';
import { byteFault, jsonFault } from '../../faults/mutations.js';
import { indexOf, realIndex, realIndexJson, realIndexText } from '../../support/real-index.js';

const small = indexOf(
  { version: '1.0.0', syntheticRequiredStop: true, requiredStops: ['1.0.0'] },
  { version: '1.1.0', rollingUpdateSafe: false, backfilled: true },
  {
    version: '1.2.0',
    rollingUpdateSafe: 'unknown',
    minPreviousVersion: '1.1.0',
    requiredStops: ['1.1.0', '1.2.0'],
  },
);
const text = JSON.stringify(small, null, 2);

/** What is read, or why it is refused. */
function outcomeOf(read: () => unknown) {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

/** What JSON.parse and the check of every field make of a text. */
const readPlainly = (candidate: string) => parseReleaseSafetyIndex(JSON.parse(candidate));

describe('readPublishedForm', () => {
  it.each([
    ['as it is published', JSON.stringify(realIndexJson(), null, 2)],
    ['as it is in the fixtures, one release a line', realIndexText],
    ['on one line', JSON.stringify(realIndexJson())],
  ])('reads the real index %s, all of it', (_, published) => {
    expect(readPublishedForm(published)).toEqual(realIndex());
  });

  it.each([
    ['stops, minimums and every verdict', text],
    ['no stops, and space between the brackets', text.replace('"requiredStops": []', '"requiredStops": [ ]')],
    ['no floor', JSON.stringify({ ...small, backfillFloorVersion: null })],
  ])('reads %s', (_, written) => {
    const published = readPublishedForm(written);
    expect(published).toBeDefined();
    expect(published).toEqual(readPlainly(written));
  });

  it.each([
    ['no entries', JSON.stringify({ ...small, entries: [] })],
    ['a field it does not know', JSON.stringify({ ...small, entries: [{ ...small.entries[0], more: 1 }] })],
    ['fields in another order', JSON.stringify(Object.fromEntries(Object.entries(small).reverse()))],
    ['a comma behind the last entry', text.replace(/\}\s*\]\s*\}$/, '},]}')],
    [
      'a key twice',
      text.replace('"rollingUpdateSafe": false', '"rollingUpdateSafe": false, "rollingUpdateSafe": true'),
    ],
    ['releases in another order', JSON.stringify({ ...small, entries: small.entries.toReversed() })],
    ['a release twice', text.replace('"version": "1.1.0"', '"version": "1.0.0"')],
    ['space before a colon', text.replace('"version":', '"version" :')],
    ['space before a comma', text.replace('"1.0.0",', '"1.0.0" ,')],
    ['more stops than any release has', text.replace('"1.2.0"\n', `${'"1.2.0",'.repeat(100)}"1.2.0"\n`)],
    ['a stop that is no version', text.replace('"1.2.0"\n', '"1.2"\n')],
    ['space that JSON does not have', text.replace('\n', '\u00a0')],
    ['a version with a line break', text.replace('"1.1.0"', '"1.1.0\n"')],
  ])('leaves alone %s', (_, other) => {
    expect(other).not.toBe(text);
    expect(readPublishedForm(other)).toBeUndefined();
  });

  it('leaves alone releases in another order, or one twice, wherever that is', () => {
    const count = 320;
    const numbers = Array.from({ length: count }, (_, minor) => minor);
    const written = (minors: readonly number[]) =>
      JSON.stringify(indexOf(...minors.map((minor) => ({ version: `1.${minor}.0`, previousVersion: null }))));
    expect(readPublishedForm(written(numbers))?.versions.length).toBe(count);
    for (let at = 1; at < count; at++) {
      const before = at - 1;
      expect(readPublishedForm(written(numbers.with(at, before))), `${at} twice`).toBeUndefined();
      const swapped = numbers.with(at, before).with(before, at);
      expect(readPublishedForm(written(swapped)), `${at} before ${before}`).toBeUndefined();
    }
  });

  it('returns the requested entries, whichever were parsed before', () => {
    const all = realIndex().entries;
    const position = fc.integer({ min: 0, max: all.length });
    const asked = fc.array(fc.tuple(position, position), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(asked, (ranges) => {
        const published = readPublishedForm(realIndexText);
        for (const [start, end] of ranges)
          expect(published?.entriesBetween(start, end)).toEqual(all.slice(start, end));
        expect(published?.entries).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses at once a list of three million stops that is not closed', () => {
    const many = Array(3_000_000).fill('"1.1.0"').join();
    expect(readPublishedForm(text.replace('[]', `[${many}`))).toBeUndefined();
  });

  it('reads nothing that JSON.parse and the checks of every field would read differently', () => {
    let read = 0;
    const damaged = fc.oneof(
      byteFault.map(({ apply }) => apply(Buffer.from(text)).toString('latin1')),
      jsonFault.map(({ apply }) => apply(text)),
    );
    fc.assert(
      fc.property(damaged, (candidate) => {
        const published = outcomeOf(() => readPublishedForm(candidate));
        if (published === undefined) return;
        read += 1;
        expect(published).toEqual(outcomeOf(() => readPlainly(candidate)));
      }),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
