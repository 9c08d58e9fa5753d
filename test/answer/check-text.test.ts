import { describe, expect, it } from 'vitest';
import type { Question } from '../../src/answer/answer.js';
import { answerOfCheck } from '../../src/answer/check.js';
import { renderText, type TextOptions } from '../../src/answer/text.js';
import { evaluateSpan, withKnownIssues } from '../../src/library.js';
import { latestVersionOf } from '../../src/release-safety/index-summary.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { plainPalette } from '../../src/render/palette.js';
import { judgedBy } from '../support/judged-by.js';
import { recordOf } from '../support/known-issues.js';
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

  it('begins with the documented lines, to the letter', () => {
    expect(text('1.111.0', '1.115.0').split('\n').slice(0, 7)).toEqual([
      'Release safety check: 1.111.0 -> 1.115.0',
      'Direction: upgrade',
      'Verdict: UNSAFE',
      'Unsafe rolling-update safety: 1.112.0',
      'Unknown rolling-update safety: 1.113.0, 1.113.1, 1.114.0, 1.115.0',
      'Minimum previous version: 1.111.0',
      'Covered releases: 1.112.0, 1.113.0, 1.113.1, 1.114.0, 1.115.0',
    ]);
  });

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

  it('is a downtime where a known issue takes back what the publisher calls safe', () => {
    const recreate = recordOf({
      affected: [{ introduced: '1.122.0' }],
      when: 'crossing',
      effect: { kind: 'recreate' },
    });
    const index = withKnownIssues(realIndex(), { records: [recreate] });
    const lines = text('1.121.0', '1.156.0', {}, index).split('\n');
    expect(lines).toContain('Verdict: UNSAFE');
    expect(lines).toContainEqual(
      expect.stringMatching(/^Rolling update: no \(strategy Recreate, downtime: /),
    );
  });

  it('keeps a span of 500 releases readable, and lists all of it when asked', () => {
    const short = text('1.111.0', '2.134.2');
    expect(short).toContain('Covered releases: 522 releases, 1.112.0 to 2.134.2 (--verbose lists them)\n');
    for (const line of short.split('\n')) expect(line.length).toBeLessThan(240);
    const whole = text('1.111.0', '2.134.2', { verbose: true });
    expect(/^Covered releases: (.*)$/m.exec(whole)?.[1]?.split(', ')).toHaveLength(522);
  });

  it('draws the span only for a terminal', () => {
    expect(text('1.111.0', '1.115.0')).not.toContain('█');
    expect(text('1.111.0', '1.115.0', { strip: ['Releases:', '█▄▄▄▄'] })).toContain('\n\nReleases:\n█▄▄▄▄\n');
  });

  const gap = parseReleaseSafetyIndex(
    indexOf({ version: '1.0.0' }, { version: '1.1.0', previousVersion: '1.0.9' }, { version: '1.2.0' }),
  );
  const lateStops = parseReleaseSafetyIndex(
    indexOf(
      { version: '1.0.0' },
      { version: '1.1.0' },
      { version: '1.2.0', requiredStops: ['1.2.0', '1.1.0'] },
    ),
  );

  it.each<[string, string, string, ReturnType<typeof realIndex>, string[]]>([
    [
      'a stop',
      '1.0.0',
      '1.2.0',
      stop,
      [
        'Required stops: 1.1.0',
        '  - 1.1.0 must be installed on the way and its migrations run (span rule 3, required by 1.1.0)',
        'Rolling update: yes',
        'Next: upgrade to 1.1.0 first, let its migrations run',
      ],
    ],
    [
      'a stop that is the target',
      '1.0.0',
      '1.1.0',
      stop,
      [
        'Required stops: 1.1.0',
        'Next: go as lightspan upgrade-plan --from 1.0.0 --to 1.1.0 says; 1.1.0 is a stop itself, so let its migrations run before a later release.',
      ],
    ],
    [
      'stops that are told late',
      '1.0.0',
      '1.2.0',
      lateStops,
      ['Required stops: 1.2.0, 1.1.0', 'Next: upgrade to 1.1.0 first'],
    ],
    [
      'a gap',
      '1.0.0',
      '1.2.0',
      gap,
      [
        'Missing release-safety index coverage:\n  - after 1.0.0 and before 1.1.0\n',
        'Direct upgrade: unknown\n  - the index lacks releases after 1.0.0 and before 1.1.0 (span rule 7)',
        'Next: get a complete index',
      ],
    ],
  ])('%s: says what may be done and what to do next', (_, from, to, index, expected) => {
    const answer = text(from, to, {}, index);
    for (const words of expected) expect(answer).toContain(words);
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
