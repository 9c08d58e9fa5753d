import { describe, expect, it } from 'vitest';
import { planRoute } from '../../../src/release-safety/route.js';
import { parseVersion } from '../../../src/release-safety/version.js';
import { withWaysBack } from '../../../src/release-safety/way-back.js';
import { gateAnswerOfPlan } from '../../../src/render/gate/plan.js';
import { realIndex } from '../../support/real-index.js';

const details = {
  ...{ requireRolling: false, maxHops: undefined, startIsNoRelease: false },
  ...{ renderedHops: undefined, scripts: undefined },
};
const answerOf = (from: string, to: string, more: object = {}) =>
  gateAnswerOfPlan(withWaysBack(planRoute(realIndex(), { from: parseVersion(from), to: parseVersion(to) })), {
    ...details,
    ...more,
  });

describe('a plan for a pipeline', () => {
  it('names the way, and nothing against what is a yes', () => {
    const answer = answerOf('1.121.0', '1.156.0', { maxHops: 1 });
    expect(answer.title).toBe('upgrade-plan 1.121.0 -> 1.156.0');
    expect(answer.questions).toEqual([
      { name: 'Certified route', yes: true, why: [], notes: [] },
      { name: 'Few enough hops', yes: true, why: [] },
      {
        name: 'Hop 1: 1.121.0 -> 1.156.0 (RollingUpdate)',
        yes: true,
        why: [],
        notes: [
          'Hop 1: going back needs the backup: what 60 releases of it migrate is not known (1.121.1, 1.122.0 and 58 more).',
        ],
      },
    ]);
    expect(answer.commands).toEqual([]);
  });

  it('is a yes for a hop with a downtime, unless only rolling will do', () => {
    const hopOf = (requireRolling: boolean) =>
      answerOf('1.111.0', '1.115.0', { requireRolling }).questions.at(-1);
    expect([hopOf(false)?.yes, hopOf(true)?.yes]).toEqual([true, false]);
    expect(answerOf('1.121.0', '1.156.0', { requireRolling: true }).yes).toBe(true);
    expect(hopOf(false)?.why).toEqual(['unsafe to roll (span rule 2): 1.112.0', expect.any(String)]);
  });

  it('is a no for a hop that the index does not certify, with a downtime too', () => {
    const route = withWaysBack(
      planRoute(realIndex(), { from: parseVersion('1.111.0'), to: parseVersion('1.115.0') }),
    );
    const missingRanges = [{ afterVersion: parseVersion('1.112.0'), beforeVersion: parseVersion('1.114.0') }];
    const issue = (id: string, kind: 'avoid-landing' | 'recreate') => ({
      ...{ id, summary: 'It breaks.', version: parseVersion('1.115.0'), effect: { kind } },
      ...{ remedy: 'Mend it first.', notKnown: [] },
    });
    const knownIssues = [issue('avoided', 'avoid-landing'), issue('stopped', 'recreate')];
    const landingIssues = [issue('further', 'avoid-landing')];
    const against = { certified: false, missingRanges, knownIssues, landingIssues };
    const hops = route.hops.map((hop) => ({ ...hop, ...against }));
    const { yes, questions } = gateAnswerOfPlan(
      { ...route, hops, certified: false },
      { ...details, requireRolling: false },
    );
    expect([yes, ...questions.map((question) => question.yes)]).toEqual([false, false, false]);
    expect(questions.at(-1)).toMatchObject({
      why: [
        'the index lacks releases after 1.112.0 and before 1.114.0 (span rule 7)',
        '1.115.0 has the known issue avoided: It breaks; what to do: Mend it first',
        '1.115.0 has the known issue stopped: It breaks; what to do: Mend it first',
        'unsafe to roll (span rule 2): 1.112.0',
        expect.stringMatching(/^unknown, which counts as unsafe/),
      ],
      notes: [
        'Hop 1 lands there because of an issue further on: 1.115.0 has the known issue further: It breaks; what to do: Mend it first.',
        expect.stringMatching(/^Hop 1: going back needs the backup/),
      ],
    });
  });

  it('says how long it takes, and how long it is down, where a database tells', () => {
    const route = withWaysBack(
      planRoute(realIndex(), { from: parseVersion('1.111.0'), to: parseVersion('1.115.0') }),
    );
    const time = { lowSeconds: 240, highSeconds: 2400, because: [] };
    const hops = route.hops.map((hop) => ({ ...hop, time }));
    const { questions } = gateAnswerOfPlan({ ...route, hops }, { ...details, requireRolling: false });
    expect(questions.flatMap(({ notes = [] }) => notes)).toEqual([
      'Downtime: until the migrations of 5 releases have run (4 to 40 min; waits for locks come on top).',
      'Hop 1: migrations take 4 to 40 min; waits for locks come on top.',
      expect.stringMatching(/^Hop 1: going back needs the backup: /),
    ]);
  });

  it('says why no route leads there', () => {
    expect(answerOf('1.121.0', '9.9.9').questions).toEqual([
      { name: 'Certified route', yes: false, why: [expect.stringMatching(/9\.9\.9/)], notes: [] },
    ]);
  });

  it('says that the version that runs is no release', () => {
    const [certified] = answerOf('1.121.0', '1.156.0', { startIsNoRelease: true }).questions;
    expect(certified?.why).toEqual([expect.stringMatching(/^1\.121\.0 /)]);
  });

  it('has the commands of each hop, with their script where there is one', () => {
    const hop = (block: string) => ({ before: [block], steps: [], block, script: { name: '', text: '' } });
    const renderedHops = [hop('a'), hop('b')];
    const { commands } = answerOf('1.121.0', '1.156.0', { renderedHops, scripts: ['a.sh', 'b.sh'] });
    expect(commands).toEqual([
      { before: ['a'], steps: [], block: 'a', script: 'a.sh' },
      { before: ['b'], steps: [], block: 'b', script: 'b.sh' },
    ]);
    expect(answerOf('1.121.0', '1.156.0', { renderedHops }).commands?.[0]?.script).toBeUndefined();
  });
});
