import { describe, expect, it } from 'vitest';
import { inputOf, type ReleaseCase } from '../support/preflight.js';

const rolls = {
  entry: { rollingUpdateSafe: true },
  artifact: { compatibility: { rollingUpdateSafe: true } },
};

describe('a line of releases', () => {
  it.each<[string, Partial<ReleaseCase>, true | false | 'unknown']>([
    ['rolls where index and artifact say so', rolls, true],
    ['does not where the index says no', { ...rolls, entry: { rollingUpdateSafe: false } }, false],
    ['does not where the index does not know', { ...rolls, entry: { rollingUpdateSafe: 'unknown' } }, false],
    [
      'does not where the artifact says no',
      { ...rolls, artifact: { compatibility: { rollingUpdateSafe: false } } },
      false,
    ],
    [
      'does not where the artifact does not know',
      { ...rolls, artifact: { compatibility: { rollingUpdateSafe: 'unknown' } } },
      false,
    ],
    ['is not known to where an artifact is missing', { ...rolls, artifact: 'missing' }, 'unknown'],
    [
      'does not where a backfilled release says yes',
      { entry: { rollingUpdateSafe: true, backfilled: true } },
      false,
    ],
  ])('%s', (_, target, rolling) => {
    const { line } = inputOf({ releases: [{ version: '2.0.0' }, { version: '2.1.0', ...target }] });
    expect(line.rolling).toBe(rolling);
  });
});
