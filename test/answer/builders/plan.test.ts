import { describe, expect, it } from 'vitest';
import { answerOfPlan } from '../../../src/answer/builders/plan.js';
import { planRoute } from '../../../src/core/route/route.js';
import { withWaysBack } from '../../../src/core/route/way-back.js';
import { parseVersion } from '../../../src/core/version.js';
import { judgedBy, noDemands } from '../../support/judged-by.js';
import { realIndex } from '../../support/real-index.js';

const details = {
  ...{ verbose: false, judgedBy, demands: noDemands },
  ...{ requireRolling: false, maxHops: undefined, startIsNoRelease: false },
  ...{ renderedHops: undefined, scripts: undefined, deploy: undefined },
};
const answerOf = (from: string, to: string, more: object = {}) =>
  answerOfPlan(withWaysBack(planRoute(realIndex(), { from: parseVersion(from), to: parseVersion(to) })), {
    ...details,
    ...more,
  });

describe('a plan for a pipeline', () => {
  it('is a no for a hop that the index does not certify, with a downtime too', () => {
    const route = withWaysBack(
      planRoute(realIndex(), { from: parseVersion('1.111.0'), to: parseVersion('1.115.0') }),
    );
    const missingRanges = [{ afterVersion: parseVersion('1.112.0'), beforeVersion: parseVersion('1.114.0') }];
    const issue = (id: string, kind: 'avoid-landing' | 'recreate') => ({
      ...{ id, summary: 'It breaks.', version: parseVersion('1.115.0'), effect: { kind } },
      ...{ remedy: 'Fix it first.', notKnown: [] },
    });
    const knownIssues = [issue('avoided', 'avoid-landing'), issue('stopped', 'recreate')];
    const landingIssues = [issue('further', 'avoid-landing')];
    const against = { certified: false, missingRanges, knownIssues, landingIssues };
    const hops = route.hops.map((hop) => ({ ...hop, ...against }));
    const { headline, questions, remarks } = answerOfPlan(
      { ...route, hops, certified: false },
      { ...details, requireRolling: false },
    );
    expect(headline).toMatchObject({ exitCode: 1, tone: 'bad' });
    expect(questions.map((question) => question.yes)).toEqual([false, false]);
    expect(questions.at(-1)).toMatchObject({
      why: [
        'the index lacks releases after 1.112.0 and before 1.114.0 (span rule 7)',
        'known issue avoided',
        expect.stringMatching(/^1 release is unsafe to roll/),
        expect.stringMatching(/^4 releases are unknown, which counts as unsafe/),
        'known issue stopped',
      ],
    });
    // Each known issue stands there once, below all that it does.
    expect(remarks.map(({ text }) => text)).toEqual(
      [
        /^Hop 1 is unproven: .* \(span rule 7\); known issue avoided\.$/,
        /^Hop 1 needs downtime \(Recreate\): .*; known issue stopped\.$/,
        /^Hop 1 stops there because of a later problem: known issue further\.$/,
        ...[/known issue avoided: /, /known issue stopped: /, /known issue further: /],
      ].map((line) => expect.stringMatching(line)),
    );
  });

  it('has the commands of each hop, with their script where there is one', () => {
    const part = (commands: string) => ({
      ...{ steps: [], preamble: [], commands, block: `functions, ${commands}` },
      script: { name: '', text: '' },
    });
    const hop = (commands: string) => ({
      ...{ ...part(commands), functions: 'functions', before: [commands] },
      back: part(`back from ${commands}`),
    });
    const renderedHops = [hop('a')];
    const { steps } = answerOf('1.121.0', '1.156.0', {
      renderedHops,
      scripts: [{ script: 'a.sh', back: 'b.sh' }],
    });
    const title = 'Hop 1: 1.121.0 -> 1.156.0 (RollingUpdate)';
    const back = { commands: 'back from a', script: 'b.sh', notes: [] };
    const toPaste = { functions: 'functions', commands: 'a', block: 'functions, a', back };
    expect(steps).toEqual([{ title, before: ['a'], steps: [], script: 'a.sh', toPaste }]);
    expect(answerOf('1.121.0', '1.156.0', { renderedHops }).steps[0]?.script).toBeUndefined();
  });
});
