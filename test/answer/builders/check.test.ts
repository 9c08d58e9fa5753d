import { describe, expect, it } from 'vitest';
import { answerOfCheck } from '../../../src/answer/builders/check.js';
import type { TextOptions } from '../../../src/answer/formats/format.js';
import { plainPalette } from '../../../src/answer/formats/palette.js';
import { renderText } from '../../../src/answer/formats/text.js';
import { latestVersionOf } from '../../../src/core/index/index-summary.js';
import { parseReleaseSafetyIndex } from '../../../src/core/index/parse-index.js';
import { evaluateSpan } from '../../../src/library/library.js';
import { judgedBy, noDemands } from '../../support/judged-by.js';
import { indexWith, recordOf } from '../../support/known-issues.js';
import { markedPalette } from '../../support/marked-palette.js';
import { indexOf, realIndex } from '../../support/real-index.js';

function text(from: string, to: string, options: Partial<TextOptions> = {}, index = realIndex()) {
  const { verbose = false } = options;
  const latestVersion = latestVersionOf(index);
  return renderText(
    answerOfCheck(evaluateSpan(index, { from, to }), {
      verbose,
      latestVersion,
      judgedBy,
      demands: noDemands,
      deploy: undefined,
    }),
    {
      palette: plainPalette,
      verbose,
      width: undefined,
      ...options,
    },
  );
}

it('a known issue that forbids to roll makes the strategy of safe verdicts a Recreate', () => {
  const affected = [{ introduced: '1.1.0' }];
  const record = recordOf({ affected, when: 'crossing', effect: { kind: 'recreate' } });
  const index = indexWith(
    [record],
    {},
    parseReleaseSafetyIndex(indexOf({ version: '1.0.0' }, { version: '1.1.0' })),
  );
  const result = evaluateSpan(index, { from: '1.0.0', to: '1.1.0' });
  expect(result).toMatchObject({ verdict: true, rolling: false });
  const latestVersion = latestVersionOf(index);
  expect(
    answerOfCheck(result, {
      ...{ verbose: false, latestVersion, judgedBy, demands: noDemands },
      deploy: undefined,
    }).strategy,
  ).toBe('Recreate');
});

describe('a check as text', () => {
  const stop = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0', requiredStops: ['1.1.0'] }, { version: '1.2.0' }),
  );

  it.each([
    ['1.121.0', '1.156.0', 'good(SAFE)'],
    ['1.111.0', '1.115.0', 'warn(UNSAFE)'],
    ['0.1050.0', '2.134.2', 'bad(UNSAFE)'],
    ['2.134.0', '2.200.0', 'bad(UNSAFE)'],
    // Nothing against rolling, and no direct upgrade.
    ['1.0.0', '1.2.0', 'bad(UNSAFE)', stop],
  ])('%s to %s: %s, and never another word for safe', (from, to, painted, index = realIndex()) => {
    const said = text(from, to, { palette: markedPalette }, index);
    expect(said).toContain(`\nVerdict: bold(${painted})\n`);
    expect(/\b(SAFE|safe)\b/.test(said)).toBe(painted.startsWith('good'));
  });

  it('keeps a span of 500 releases readable, and lists all of it when asked', () => {
    const short = text('1.111.0', '2.134.2');
    expect(short).toContain('Covered releases: 522 releases, 1.112.0 to 2.134.2 (--verbose lists them)\n');
    for (const line of short.split('\n')) expect(line.length).toBeLessThan(240);
    const whole = text('1.111.0', '2.134.2', { verbose: true });
    expect(/^Covered releases: (.*)$/m.exec(whole)?.[1]?.split(', ')).toHaveLength(522);
  });
});
