import { describe, expect, it } from 'vitest';
import { requireVersion } from '../../src/release-safety/version.js';
import type { WayBack, WayBackReason } from '../../src/release-safety/way-back.js';
import {
  describeAllWaysBack,
  describeWayBack,
  describeWaysBack,
  wayBackReasonWords,
  wayBackWords,
} from '../../src/words/way-back.js';

const version = requireVersion('1.121.1');
const knownFrom = requireVersion('1.122.0');
const neededBelow = requireVersion('1.123.0');
const flag = 'ALLOW_MISSING_MIGRATIONS';

const cases: readonly [WayBack['needs'], WayBackReason, string][] = [
  ['code', { kind: 'no-migrations' }, 'going back needs code only: no release of it brings a migration'],
  [
    'code',
    { kind: 'starts-on-newer-database', migrations: 1 },
    'going back needs code only: the old image starts despite 1 migration that it does not know, and its code is proven to work there',
  ],
  [
    'flag',
    { kind: 'starts-with-flag', migrations: 2, flag, knownFrom, neededBelow },
    'going back needs a flag: with ALLOW_MISSING_MIGRATIONS=true the old image starts despite 2 migrations that it does not know, and its code is proven to work there; the flag is certain from 1.122.0 on, and not needed from 1.123.0 on',
  ],
  ['backup', { kind: 'hop-not-covered' }, 'going back needs the backup: the index does not cover it'],
  [
    'backup',
    { kind: 'migrations-not-told', versions: [version] },
    'going back needs the backup: what 1 release of it migrates is not known (1.121.1)',
  ],
  [
    'backup',
    { kind: 'old-code-not-proven', versions: [version, knownFrom, neededBelow] },
    'going back needs the backup: the old code is not proven to work on the new schema (1.121.1, 1.122.0 and 1 more)',
  ],
  ['backup', { kind: 'issues-hold', ids: ['a'] }, 'going back needs the backup: a applies, or may'],
  ['backup', { kind: 'issues-hold', ids: ['a', 'b'] }, 'going back needs the backup: a, b apply, or may'],
  [
    'backup',
    { kind: 'refuses-newer-database', version, flag, knownFrom },
    'going back needs the backup: 1.121.1 refuses a database with migrations that it does not know, and is not certain to know ALLOW_MISSING_MIGRATIONS, as releases are from 1.122.0 on',
  ],
  [
    'backup',
    { kind: 'sorts-before', migrations: ['20260801_a'] },
    'going back needs the backup: the old image would find that the database has diverged: 20260801_a sorts before what it contains',
  ],
  [
    'backup',
    { kind: 'sorts-before', migrations: ['20260801_a', 'b\u001b[31m'] },
    'going back needs the backup: the old image would find that the database has diverged: 20260801_a, b\\u001b[31m sort before what it contains',
  ],
  [
    'backup',
    { kind: 'order-not-known' },
    'going back needs the backup: whether a migration of it sorts before what the old image contains is not known (--facts of the database shows it)',
  ],
];

describe('what going back costs', () => {
  it.each(cases)('%s, %j', (needs, reason, words) => {
    expect(describeWayBack({ needs, because: [reason] })).toBe(words);
  });

  it('is told of every kind', () => {
    expect(new Set(cases.map(([, { kind }]) => kind))).toEqual(new Set(Object.keys(wayBackReasonWords)));
    expect(new Set(cases.map(([needs]) => needs))).toEqual(new Set(Object.keys(wayBackWords)));
  });

  it('never calls safe what is not proven', () => {
    for (const [, , words] of cases) expect(words).not.toMatch(/\bsafe\b|\bok\b/i);
  });
});

it('is told of all hops in one where nothing is known of any', () => {
  const notReported: WayBack = {
    needs: 'backup',
    because: [{ kind: 'migrations-not-told', versions: [version] }],
  };
  const other: WayBack = { needs: 'backup', because: [{ kind: 'order-not-known' }] };
  expect(describeAllWaysBack([notReported, notReported])).toBe('needs the backup (migrations not known)');
  expect(describeAllWaysBack([notReported, other])).toBeUndefined();
  expect(describeAllWaysBack([])).toBeUndefined();
});

describe('of hops in a row', () => {
  const notReported = (...versions: readonly string[]): WayBack => ({
    needs: 'backup',
    because: [{ kind: 'migrations-not-told', versions: versions.map((text) => requireVersion(text)) }],
  });
  const code: WayBack = { needs: 'code', because: [{ kind: 'no-migrations' }] };

  it.each<[string, readonly WayBack[], readonly string[]]>([
    ['none', [], []],
    [
      'those of which nothing is told together',
      [notReported('1.0.0'), notReported('1.1.0', '1.2.0'), code, notReported('1.3.0')],
      [
        'Hops 1 to 2: going back needs the backup: what 3 releases of them migrate is not known.',
        'Hop 3: going back needs code only: no release of it brings a migration.',
        'Hop 4: going back needs the backup: what 1 release of it migrates is not known (1.3.0).',
      ],
    ],
    [
      'others each by itself',
      [code, code],
      [
        'Hop 1: going back needs code only: no release of it brings a migration.',
        'Hop 2: going back needs code only: no release of it brings a migration.',
      ],
    ],
  ])('%s', (_, ways, lines) => {
    expect(describeWaysBack(ways)).toEqual(lines);
  });
});
