import { expect, it } from 'vitest';
import { parseReleaseArtifact } from '../../src/release-safety/artifact.js';
import { collectMigrations, weightOf } from '../../src/release-safety/changes.js';
import type { Verdict } from '../../src/release-safety/index-schema.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { inventedArtifact } from '../support/artifacts.js';

type Effects = readonly [rewritesTable: Verdict, scansTable: Verdict, locksTable: Verdict];

/** The heaviest first. */
const migrations: readonly (readonly [weight: string, effects: Effects])[] = [
  ['heavy', [true, true, true]],
  ['heavy', [true, false, false]],
  ['heavy', ['unknown', true, true]],
  ['heavy', ['unknown', 'unknown', true]],
  ['heavy', [false, true, false]],
  ['heavy', [false, false, true]],
  ['may-be-heavy', ['unknown', false, false]],
  ['may-be-heavy', [false, 'unknown', 'unknown']],
  ['may-be-heavy', [false, 'unknown', false]],
  ['may-be-heavy', [false, false, 'unknown']],
  ['light', [false, false, false]],
];

const files = migrations.map(([, [rewritesTable, scansTable, locksTable]], i) => ({
  name: `${i}`,
  edition: 'core' as const,
  tables: [],
  heaviness: { rewritesTable, scansTable, locksTable },
}));

const artifactWith = (migrations: unknown) =>
  parseReleaseArtifact(
    inventedArtifact(
      {
        version: '1.1.0',
        previousVersion: '1.0.0',
        rollingUpdateSafe: true,
        requiredStops: [],
        minPreviousVersion: null,
      },
      { migrations },
    ),
  );

it.each(files.map((file, i) => [migrations[i]?.[0], file.heaviness, file] as const))(
  '%s: %j',
  (weight, _, file) => {
    expect(weightOf(file)).toBe(weight);
  },
);

it('sorts the heaviest first', () => {
  const count = files.length;
  const artifact = artifactWith({
    present: true,
    count,
    coreCount: count,
    eeCount: 0,
    files: files.toReversed(),
  });
  const sorted = collectMigrations([{ version: parseVersion('1.1.0'), artifact }], () => false).files;
  expect(sorted.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
});

const none = { count: 0, coreCount: 0, eeCount: 0, files: [] };

it.each([
  ['no section', undefined, true],
  ['unknown', { present: 'unknown', ...none }, true],
  ['none', { present: false, ...none }, false],
])('a release may ship more where its artifact tells so: %s', (_, migrations, notReported) => {
  const artifact = artifactWith(migrations);
  expect(collectMigrations([{ version: parseVersion('1.1.0'), artifact }], () => false).notReported).toEqual(
    notReported ? ['1.1.0'] : [],
  );
});

it('a release without an artifact may ship some, and where nothing is told there is no number', () => {
  expect(collectMigrations([{ version: parseVersion('1.1.0'), artifact: undefined }], () => true)).toEqual({
    count: null,
    coreCount: null,
    eeCount: null,
    files: [],
    notReported: ['1.1.0'],
  });
});
