import { describe, expect, it } from 'vitest';
import { factsOfAudit, mostShown } from '../../../src/answer/outputs/release-index.js';
import { renderFacts } from '../../../src/answer/text.js';
import { parseVersion } from '../../../src/release-safety/version.js';

/** Lists that an index may make as long as it likes: what is left out is counted. */

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

describe('the faults of an index', () => {
  const verify = (positions: readonly number[], count: number) => {
    const faults = many(
      count,
      () => ({ kind: 'duplicate', version: parseVersion('1.0.0'), positions }) as const,
    );
    const audit = { generatedAt: '2026-09-06T18:08:42Z', entries: 9, faults, faultCount: count };
    return renderFacts(factsOfAudit(audit, 'index.json'));
  };

  it.each([
    [10, 'entries[8], entries[9]\n'],
    [12, 'entries[8], entries[9] and 2 more\n'],
  ])('a release that stands there %i times', (count, end) => {
    expect(
      verify(
        many(count, (i) => i),
        1,
      ),
    ).toContain(`appears in the index ${count} times, as entries[0]`);
    expect(
      verify(
        many(count, (i) => i),
        1,
      ),
    ).toContain(end);
  });

  it('are a thousand, and how many more', () => {
    const text = verify([0, 1], mostShown + 5);
    expect(text.match(/^ {2}- duplicate: /gm)).toHaveLength(mostShown);
    expect(text).toContain('\n  - and 5 more\n');
  });
});
