import { describe, expect, it } from 'vitest';
import { withKnownIssues } from '../../../src/known-issues/library.js';
import { evaluateSpan } from '../../../src/library.js';
import { latestVersionOf } from '../../../src/release-safety/index-summary.js';
import { parseReleaseSafetyIndex } from '../../../src/release-safety/parse-index.js';
import { plainPalette } from '../../../src/render/palette.js';
import {
  renderUpgradeCheckText,
  type UpgradeCheckTextOptions,
} from '../../../src/render/text/upgrade-check.js';
import { judgedBy } from '../../support/judged-by.js';
import { recordOf } from '../../support/known-issues.js';
import { indexOf, realIndex } from '../../support/real-index.js';

function text(from: string, to: string, options: Partial<UpgradeCheckTextOptions> = {}, index = realIndex()) {
  return renderUpgradeCheckText(evaluateSpan(index, { from, to }), {
    palette: plainPalette,
    verbose: false,
    strip: undefined,
    latestVersion: latestVersionOf(index),
    instance: undefined,
    judgedBy,
    ...options,
  });
}

describe('renderUpgradeCheckText', () => {
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
    expect(lines).toContainEqual(expect.stringMatching(/^Rolling update: no \(strategy Recreate: downtime /));
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
      'safe',
      '1.121.0',
      '1.156.0',
      realIndex(),
      [
        'Verdict: SAFE',
        'Direct upgrade: yes',
        'Rolling update: yes (strategy RollingUpdate)',
        'Next: upgrade to 1.156.0 in one step',
        'upgrade.mode=RollingUpdate',
      ],
    ],
    [
      'same version',
      '1.121.0',
      '1.121.0',
      realIndex(),
      ['Direction: same-version', 'Next: nothing; 1.121.0'],
    ],
    [
      'not rolling, but direct',
      '1.111.0',
      '1.115.0',
      realIndex(),
      [
        'Direct upgrade: yes',
        'Rolling update: no (strategy Recreate: downtime until the migrations of 5 releases have run; their length is not known)',
        '  - 1 release is unsafe to roll (span rule 2)',
        '  - 4 releases are unknown, which counts as unsafe (span rule 1)',
        'Why: lightspan explain unsafe-release unknown-release',
        'Next: back up the database, plan a downtime',
        'upgrade.mode=Recreate',
      ],
    ],
    [
      'a minimum',
      '1.3.0',
      '1.115.0',
      realIndex(),
      [
        'Direct upgrade: no\n  - 1.3.0 is older than 1.111.0, the oldest version to jump from (span rule 4, required by 1.112.0 and 4 more)',
        'Next: upgrade to 1.111.0 or a later release first',
      ],
    ],
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
    [
      'below the floor',
      '0.1050.0',
      '0.1900.0',
      realIndex(),
      [
        'Required stops: 0.1893.0',
        '  - 0.1050.0 is older than the index floor 0.1893.0 (span rule 5)',
        'Next: upgrade to 0.1893.0 first, with Recreate (no index covers that step); lightspan upgrade-plan',
      ],
    ],
    [
      'from below the floor to the floor',
      '0.1050.0',
      '0.1893.0',
      realIndex(),
      [
        'downtime until the migrations of at least 1 release have run;',
        'Next: test the step on a copy, because no index covers it; then upgrade to 0.1893.0 with Recreate, and let its migrations run.',
      ],
    ],
    [
      'a target that is not out yet',
      '2.134.0',
      '2.200.0',
      realIndex(),
      [
        'Missing release-safety index coverage:\n  - after 2.134.2 and before 2.200.0\n',
        'Next: wait until the index lists 2.200.0 (it ends at 2.134.2)',
      ],
    ],
    [
      'a start that never was',
      '1.121.77',
      '1.122.0',
      realIndex(),
      [
        'Missing release-safety index coverage:\n  - version 1.121.77 is not present\n  - after 1.121.77 and before 1.122.0\n',
        '  - version 1.121.77 is not present in the index (span rule 7)',
        'Next: check the version: 1.121.77 is not a release in this index.',
      ],
    ],
    [
      'a version that never was',
      '1.121.0',
      '1.121.77',
      realIndex(),
      ['Next: check the version: 1.121.77 is not a release in this index.'],
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
