import { describe, expect, it } from 'vitest';
import { dateTime, releaseVersion } from '../../src/core/kinds.js';

const most = '9'.repeat(15);
const tooMany = `1${'0'.repeat(15)}`;

describe('releaseVersion', () => {
  it.each(['0.0.0', '1.2.3', '10.20.30', '0.2155.10', `${most}.${most}.${most}`])('takes %s', (text) => {
    expect(text).toMatch(releaseVersion);
  });

  it.each([
    ...[`${tooMany}.0.0`, `0.${tooMany}.0`, `0.0.${tooMany}`],
    ...['01.2.3', '1.02.3', '1.2.03', '00.0.0', '0.00.0', '0.0.00'],
    ...['a.2.3', '1.a.3', '1.2.a', '1a.2.3', '1.2a.3', '1.2.3a', '.2.3', '1..3', '1.2.'],
    ...['1.2', '1.2.3.4', '1x2.3', '1.2x3', ' 1.2.3', 'v1.2.3', '1.2.3 ', '1.2.3\n', '-1.2.3', '1.2.3-rc.1'],
  ])('refuses %j', (text) => {
    expect(text).not.toMatch(releaseVersion);
  });
});

describe('dateTime', () => {
  it.each([
    '2026-09-06T18:08:42.053Z',
    '2026-09-06T18:08:42Z',
    '2026-09-06T18:08Z',
    '0000-01-01T00:00:00.0+00:00',
    '9999-12-31T23:59:59.123456789-23:59',
    '2026-10-10T09:19:20+19:30',
    '2026-11-20T10:00:00-01:00',
    '2026-09-30T20:00:00Z',
  ])('takes %s', (text) => {
    expect(text).toMatch(dateTime);
  });

  const written = '2026-09-06T18:08:42.053Z';
  /** The date-time with other parts in place of one. */
  const instead = (part: string, others: string) =>
    others.split(' ').map((other) => written.replace(part, other));
  it.each([
    ...['2026-09-06 18:08:42Z', '2026-09-06', '2026-09-06T18:08:42Z\n', ' 2026-09-06T18:08:42Z'],
    ...instead('2026', 'x2026 026 22026 yyyy'),
    ...instead('-09-', '-00- -13- -20- -9- -0x- -1x- -x9-'),
    ...instead('09-06', '09-00 09-32 09-40 09-6 09-1x 09-0x 09-3x 09-x6 09/06'),
    ...instead('18:08:42', '24:08:42 30:08:42 18:60:42 18:08:60 8:08:42 18:8:42 18:08:4 1x:08:42 2x:08:42'),
    ...instead('18:08:42', 'x8:08:42 18:x8:42 18:0x:42 18:08:x2 18:08:4x 18 180842 18-08-42'),
    ...instead('42.053Z', '42.Z 42.1234567890Z 42.xZ 42,053Z 42 42.053 42.053z 42.053+ 42.053_Z 42.053Zx'),
    ...instead('Z', '+24:00 +30:00 +00:60 +0000 +00 +0:00 +00:0 01:00 +1x:00 +2x:00 +x0:00'),
    ...instead('Z', '+00:x0 +00:0x *00:00 +000:00 +00:000'),
  ])('refuses %j', (text) => {
    expect(text).not.toMatch(dateTime);
  });
});
