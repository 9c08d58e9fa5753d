import { expect, it } from 'vitest';
import { describeWhy } from '../../src/answer/sections.js';
import type { ReportedRelease } from '../../src/release-safety/report.js';
import { requireVersion } from '../../src/release-safety/version.js';

const version = requireVersion('1.1.0');

/** A release that nothing speaks against but what it declares to break. */
const declares: ReportedRelease = {
  version,
  releaseDate: '2026-09-01T00:00:00.000Z',
  standing: 'proven',
  hop: 1,
  landing: 'target',
  requiredStop: false,
  artifact: 'read',
  declaredBreaks: [{ reason: 'old pods still read the column', requiredStop: false }],
  declaredAdvisories: [],
  migrations: [],
  disagreements: [],
};
const told = 'declared break: old pods still read the column, no required stop';
const unread = { kind: 'unavailable-artifact', version, message: 'offline' } as const;

it.each<[string, Partial<ReportedRelease>, number, readonly string[]]>([
  ['that is proven and declares a break', {}, 1, [told]],
  ['that is proven', { declaredBreaks: [] }, 1, []],
  ['that is unsafe', { standing: 'unsafe' }, 1, [told]],
  [
    'that is unsafe and backfilled',
    { standing: 'unsafe', artifact: 'backfilled', declaredBreaks: [] },
    1,
    [],
  ],
  [
    'whose artifact was not read, as others were',
    { standing: 'not-borne-out', declaredBreaks: [], disagreements: [unread] },
    1,
    [expect.stringContaining('offline')],
  ],
  [
    'whose artifact was not read, as none was',
    { standing: 'not-borne-out', declaredBreaks: [], disagreements: [unread] },
    0,
    [],
  ],
])('what is told of a release %s', (_, release, read, lines) => {
  const artifacts = { read, backfilled: 0, notRead: 1 };
  expect(describeWhy({ ...declares, ...release }, { artifacts })).toEqual(lines);
});
