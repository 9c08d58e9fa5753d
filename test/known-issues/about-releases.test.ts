import { describe, expect, it } from 'vitest';
import { isAboutRelease, isAboutReleases } from '../../src/known-issues/known-issues.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { afterRecords, recordOf } from '../support/known-issues.js';

const record = recordOf({
  affected: [{ introduced: '1.1.0', fixed: '1.2.0' }, { introduced: '1.5.0' }],
});
const fixed = recordOf({ affected: [{ introduced: '1.1.0', fixed: '1.2.0' }] });

describe('what a record is about', () => {
  it.each([
    ['1.0.0', '1.1.0', true],
    ['1.0.0', '1.0.9', false],
    ['1.1.9', '1.3.0', true],
    ['1.2.0', '1.4.0', false],
    ['1.0.0', undefined, true],
    ['1.2.0', undefined, false],
    [undefined, '1.1.0', true],
    [undefined, '1.0.9', false],
    [undefined, undefined, true],
  ])('of releases after %s and up to %s: %s', (from, to, isAbout) => {
    const ends = {
      ...(from === undefined ? {} : { from: parseVersion(from) }),
      ...(to === undefined ? {} : { to: parseVersion(to) }),
    };
    expect(isAboutReleases(fixed, ends)).toBe(isAbout);
  });

  it('of releases with any of its ranges, also one that nothing fixes', () => {
    const from = parseVersion('1.2.0');
    expect(isAboutReleases(record, { from })).toBe(true);
    expect(isAboutReleases(record, { from, to: parseVersion('1.4.0') })).toBe(false);
  });

  it.each([
    ['1.0.9', false],
    ['1.1.0', true],
    ['1.2.0', false],
    ['1.5.0', true],
  ])('of %s: %s', (version, isAbout) => {
    expect(isAboutRelease(record, parseVersion(version), afterRecords)).toBe(isAbout);
    const withdrawn = { ...record, withdrawn: record.published };
    expect(isAboutRelease(withdrawn, parseVersion(version), afterRecords)).toBe(false);
  });
});
