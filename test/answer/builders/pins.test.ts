import { describe, expect, it } from 'vitest';
import { answerOfBump, answerOfPins } from '../../../src/answer/builders/pins.js';
import { judgeSpan } from '../../../src/core/judge.js';
import { type JudgedPin, judgeMove, type PinFinding, passes, pinCheckOf } from '../../../src/core/pins.js';
import { parseVersion } from '../../../src/core/version.js';
import { judgedBy, noDemands } from '../../support/judged-by.js';
import { realIndex } from '../../support/real-index.js';

const evidence = { index: realIndex() };
const moved = (from: string, to: string): PinFinding =>
  judgeMove(evidence, judgeSpan(evidence, { from: parseVersion(from), to: parseVersion(to) }));
const proven = moved('1.121.0', '1.156.0');
const recreate = moved('1.111.0', '1.115.0');
const downgrade: PinFinding = { kind: 'downgrade', from: parseVersion('1.2.0'), to: parseVersion('1.1.0') };
const uncovered = moved('1.121.0', '9.9.9');

function answerOf(...findings: readonly PinFinding[]) {
  const accepted = ['recreate'] as const;
  const pins = findings.map(
    (finding, i): JudgedPin<never> => ({
      ...{ file: `values-${i}.yaml`, path: ['image', 'tag'], line: i + 1, previousFile: undefined },
      isOfCompose: false,
      ...{ from: undefined, to: undefined, finding, stops: [], passes: passes(finding, new Set(accepted)) },
    }),
  );
  const side = (name: string) => ({ name, commit: undefined });
  return answerOfPins(
    pinCheckOf(pins, {
      before: side('main'),
      after: side('HEAD'),
      accepted,
      lookedAt: { files: 3, isOfNamedPins: false, ignored: [] },
    }),
    {
      verbose: false,
      latestVersion: parseVersion('2.134.2'),
      judgedBy,
      demands: { majors: [], notes: [], beyond: undefined, laterStops: [] },
    },
  );
}

describe('the pins of a change for a pipeline', () => {
  const yes = { headline: { exitCode: 0 } };
  const no = { headline: { exitCode: 1 }, safe: false, verdict: 'unknown', strategy: 'Recreate' };

  it.each<
    [
      findings: PinFinding[],
      expected: object,
      questions: readonly [file: number, yes: boolean][],
      sentence: string,
    ]
  >([
    [
      [proven, { kind: 'unchanged' }],
      { ...yes, safe: true, verdict: true, strategy: 'RollingUpdate' },
      [[0, true]],
      'yes, rolling',
    ],
    [
      [proven, recreate],
      { ...yes, safe: false, verdict: false, strategy: 'Recreate' },
      [
        [0, true],
        [1, true],
      ],
      'yes, in one step, with downtime; accepted: recreate',
    ],
    [
      [proven, downgrade],
      no,
      [
        [1, false],
        [0, true],
      ],
      'no: 1.1.0 is older than 1.2.0: an older image undoes no migration, and the index covers forward steps only',
    ],
    [[uncovered], no, [[0, false]], 'no: the index lacks releases after 2.134.2 and before 9.9.9'],
  ])('%#', (findings, expected, questions, sentence) => {
    const answer = answerOf(...findings);
    expect(answer).toMatchObject({ ...expected, hops: [] });
    expect(answer.questions.map(({ name, yes }) => [name, yes])).toEqual(
      questions.map(([file, yes]) => [`values-${file}.yaml:${file + 1} image.tag`, yes]),
    );
    expect(answer.headline.text).toBe(sentence);
    expect(answer.facts).toMatchObject([{ text: expect.stringMatching(/^3 files: /) }]);
  });

  it('are a yes where none changes', () => {
    const answer = answerOf({ kind: 'unchanged' }, { kind: 'untouched', why: 'a template' });
    expect(answer).toMatchObject({ ...yes, safe: true, verdict: true, places: [] });
    expect(answer.questions).toEqual([
      { name: 'No pin changes (2 pins)', answer: 'yes', yes: true, why: [] },
    ]);
  });

  it('stand at their lines, a no first, with what to do about it', () => {
    const { places = [] } = answerOf(proven, downgrade);
    expect(places).toEqual([
      {
        ...{ file: 'values-1.yaml', line: 2, yes: false, title: 'image.tag' },
        message: expect.stringMatching(
          /^1\.1\.0 is older than 1\.2\.0: .*\nTo go back, restore the database backup/,
        ),
      },
      {
        ...{ file: 'values-0.yaml', line: 1, yes: true, title: 'image.tag' },
        message: '1.121.0 to 1.156.0 is proven safe to roll in one step',
      },
    ]);
  });
});

describe('a bump that is stopped', () => {
  const stop = (check: string) => ({
    ...{ check, status: 'stop', subject: null, description: 'why', remedy: null, accepted: undefined },
    evidence: { kind: check },
  });
  it.each<[stops: readonly string[], by: string]>([
    [['majors'], 'a major stops'],
    [['postgres-version'], 'the facts of the instance stop'],
    [['majors', 'postgres-version'], 'the facts of the instance stop'],
    [['postgres-version', 'majors'], 'the facts of the instance stop'],
  ])('by %j says that %s it', (stops, by) => {
    const [from, to] = [parseVersion('1.121.0'), parseVersion('1.156.0')];
    const { result, accepted } = judgeSpan(evidence, { from, to });
    const findings = stops.map(() => ({ status: 'stop' as const }));
    const bump = {
      result,
      accepted,
      stops: findings,
      preflight: undefined,
      unseen: [],
      decision: 'refused',
      blockedBy: null,
    } as const;
    const { title } = answerOfBump(bump, {
      ...{ pin: 'a#b', otherPlaces: [], evidence: [], check: false, accepted: [], demands: noDemands },
      ...{ request: { to, allowRecreate: false }, rollsOn: false, deploy: 'helm' },
      described: stops.map(stop) as never,
    });
    expect(title).toContain(`a#b stays at 1.121.0: ${by} the upgrade to 1.156.0.`);
  });
});
