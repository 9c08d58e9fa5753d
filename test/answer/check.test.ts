import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/answer/answer.js';
import { answerOfCheck } from '../../src/answer/check.js';
import { plainPalette } from '../../src/answer/palette.js';
import { renderText, type TextOptions } from '../../src/answer/text.js';
import { evaluateSpan } from '../../src/library.js';
import { latestVersionOf } from '../../src/release-safety/index-summary.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { judgedBy } from '../support/judged-by.js';
import { indexOf, realIndex } from '../support/real-index.js';

interface Options extends Partial<TextOptions> {
  readonly instance?: Question;
}

function text(from: string, to: string, { instance, ...options }: Options = {}, index = realIndex()) {
  const { verbose = false } = options;
  const latestVersion = latestVersionOf(index);
  return renderText(
    answerOfCheck(evaluateSpan(index, { from, to }), { verbose, latestVersion, instance, judgedBy }),
    { palette: plainPalette, verbose, width: undefined, ...options },
  );
}

describe('a check as text', () => {
  const stop = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0', requiredStops: ['1.1.0'] }, { version: '1.2.0' }),
  );

  it.each([
    ['1.121.0', '1.156.0', 'good(SAFE)'],
    ['1.111.0', '1.115.0', 'bad(UNSAFE)'],
    // Nothing against rolling, and no direct upgrade.
    ['1.0.0', '1.2.0', 'bad(UNSAFE)', stop],
  ])('paints the verdict of %s to %s as it is', (from, to, painted, index = realIndex()) => {
    const palette = {
      ...plainPalette,
      good: (word: string) => `good(${word})`,
      bad: (word: string) => `bad(${word})`,
    };
    expect(text(from, to, { palette }, index)).toContain(`\nVerdict: ${painted}\n`);
  });

  it('keeps a span of 500 releases readable, and lists all of it when asked', () => {
    const short = text('1.111.0', '2.134.2');
    expect(short).toContain('Covered releases: 522 releases, 1.112.0 to 2.134.2 (--verbose lists them)\n');
    for (const line of short.split('\n')) expect(line.length).toBeLessThan(240);
    const whole = text('1.111.0', '2.134.2', { verbose: true });
    expect(/^Covered releases: (.*)$/m.exec(whole)?.[1]?.split(', ')).toHaveLength(522);
  });

  it('never says safe of a span that is not', () => {
    for (const [from, to] of [
      ['1.111.0', '1.115.0'],
      ['0.1050.0', '2.134.2'],
      ['2.134.0', '2.200.0'],
      ['1.156.0', '1.157.0'],
    ] as const) {
      expect(text(from, to)).not.toMatch(/\b(SAFE|safe)\b/);
    }
  });
});

it('what is unknown is no yes', () => {
  const result = evaluateSpan(realIndex(), { from: '1.121.0', to: '9.9.9' });
  expect(result.jump).toBe('unknown');
  const details = { verbose: false, latestVersion: latestVersionOf(realIndex()), judgedBy };
  const { title, yes, safe, questions } = answerOfCheck(result, details);
  expect({ title, yes, safe }).toEqual({
    ...{ title: 'Release safety check: 1.121.0 -> 9.9.9', yes: false, safe: false },
  });
  expect(questions.map((question) => question.yes)).toEqual([false, false]);
});
