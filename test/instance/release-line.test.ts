import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndexText } from '../../src/core/index/parse-index.js';
import { requireVersion } from '../../src/core/version.js';
import { migrationsOf, releaseLine } from '../../src/instance/release-line.js';
import { inputOf, publishedOf, type ReleaseCase } from '../support/preflight.js';

const rolls = {
  entry: { rollingUpdateSafe: true },
  artifact: { compatibility: { rollingUpdateSafe: true } },
};

describe('a line of releases', () => {
  const artifact = (rollingUpdateSafe: boolean | 'unknown') => ({ compatibility: { rollingUpdateSafe } });
  const unknown = { rollingUpdateSafe: 'unknown' as const };
  const stop = { upgrade: { minPreviousVersion: null, requiredStops: ['2.1.0'] } };
  it.each<[string, Partial<ReleaseCase>, boolean]>([
    ['index and artifact say so', rolls, true],
    ['the index says no', { ...rolls, entry: { rollingUpdateSafe: false } }, false],
    ['the index does not know', { ...rolls, entry: unknown }, false],
    ['the artifact says no', { ...rolls, artifact: artifact(false) }, false],
    ['the artifact does not know', { ...rolls, artifact: artifact('unknown') }, false],
    ['the artifact requires a stop that the index does not', { ...rolls, artifact: stop }, false],
    ['the artifact is of another release', { ...rolls, artifact: { version: '9.9.9' } }, false],
    ['an artifact is missing', { ...rolls, artifact: 'missing' }, true],
    ['an artifact is missing and the index does not know', { entry: unknown, artifact: 'missing' }, false],
    ['a backfilled release says yes', { entry: { rollingUpdateSafe: true, backfilled: true } }, false],
  ])('where %s', (_, target, rolling) => {
    const { line } = inputOf({ releases: [{ version: '2.0.0' }, { version: '2.1.0', ...target }] });
    expect(line.rolling).toBe(rolling);
  });

  it('does not where one artifact says no, and another is missing', () => {
    const no: Partial<ReleaseCase> = { ...rolls, artifact: { compatibility: { rollingUpdateSafe: false } } };
    const releases: ReleaseCase[] = [
      { version: '2.0.0' },
      { version: '2.1.0', ...no },
      { version: '2.2.0', ...rolls, artifact: 'missing' },
    ];
    expect(inputOf({ releases }).line).toMatchObject({ rolling: false, unread: 1 });
  });

  it('holds the releases from where it begins, up to the one that is wanted', () => {
    const releases = ['1.8.0', '1.9.0', '2.0.0', '2.1.0', '2.2.0'].map((version) => ({ version }));
    const index = parseReleaseSafetyIndexText(publishedOf({ releases }).index);
    const span = { from: requireVersion('2.0.0'), to: requireVersion('2.1.0') };
    const line = releaseLine(index, span, requireVersion('1.9.0'), new Map());
    expect(line.before.map(({ version }) => version)).toEqual(['1.9.0', '2.0.0']);
    expect(line.span.map(({ version }) => version)).toEqual(['2.1.0']);
  });

  it('has the migrations of a release in the order in which they run', () => {
    const names = ['20260803000000_c', '20260801000000_a', '20260802000000_b'];
    const target = { version: '2.1.0', migrations: names.map((name) => ({ name })) };
    const { line } = inputOf({ releases: [{ version: '2.0.0' }, target] });
    expect(line.span.flatMap(migrationsOf).map(({ name }) => name)).toEqual([...names].sort());
  });
});
