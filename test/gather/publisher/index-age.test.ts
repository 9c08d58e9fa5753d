import { describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/core/notice.js';
import { checkIndexAge, requireNotOlder } from '../../../src/gather/publisher/index-age.js';

const now = new Date('2026-09-06T12:00:00Z');
const check = (generatedAt: string, maxAgeMs?: number) => {
  const notices: Notice[] = [];
  checkIndexAge(
    { generatedAt },
    { source: 'the source', now, maxAgeMs, notify: (notice) => notices.push(notice) },
  );
  return notices.map(({ kind }) => kind);
};
const hour = 3_600_000;

describe('the age of an index', () => {
  it.each<[string, string, number | undefined, string[]]>([
    ['fresh', '2026-09-06T11:00:00Z', undefined, []],
    ['seven days', '2026-08-30T12:00:00Z', undefined, []],
    ['a moment more', '2026-08-30T11:59:59.999Z', undefined, ['old-index']],
    ['old, and allowed to be', '2026-08-01T12:00:00Z', 9999 * hour, []],
    ['exactly as old as is allowed', '2026-09-06T11:00:00Z', hour, []],
    ['a clock that is a little ahead', '2026-09-06T12:05:00Z', undefined, []],
    ['in another zone', '2026-09-06T14:00:00+02:00', hour, []],
  ])('%s', (_, generatedAt, maxAgeMs, notices) => {
    expect(check(generatedAt, maxAgeMs)).toEqual(notices);
  });

  it.each([
    ['older than --max-age', '2026-09-06T10:59:59.999Z', hour, 'too-old'],
    ['from the future', '2026-09-06T12:05:00.001Z', undefined, 'invalid-index'],
    ['from the future, whatever is allowed', '2027-09-06T12:00:00Z', hour, 'invalid-index'],
  ])('%s: refused', (_, generatedAt, maxAgeMs, code) => {
    expect(() => check(generatedAt, maxAgeMs)).toThrow(expect.objectContaining({ code }));
  });

  it('says that it is from the future, and by which clock', () => {
    expect(() => check('2027-09-06T12:00:00Z')).toThrow(
      'generatedAt is in the future: 2027-09-06T12:00:00Z, but it is 2026-09-06T12:00:00.000Z here',
    );
  });
});

describe('an index that was had before', () => {
  const came = { generatedAt: '2026-09-06T12:00:00Z' };
  it.each<[what: string, before: string | undefined, later: string | undefined]>([
    ['that is none', undefined, undefined],
    ['generated before', '{"generatedAt":"2026-09-06T11:59:59Z"}', undefined],
    ['of the same moment, in another zone', '{"generatedAt":"2026-09-06T14:00:00+02:00"}', undefined],
    ['generated later', '\uFEFF{"generatedAt":"2026-09-06T12:00:01Z"}', '2026-09-06T12:00:01Z'],
    ['that is no index', '{"generatedAt":7}', undefined],
    ['that is no record', 'null', undefined],
    ['that is no JSON', '<html>', undefined],
  ])('%s', (_, before, later) => {
    const message = (_: string, before: string) => before;
    const check = () =>
      requireNotOlder(came, before === undefined ? undefined : Buffer.from(before), { message, orElse: 'x' });
    if (later === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'too-old', message: later }));
  });
});
