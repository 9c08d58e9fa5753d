import type { ReconciledSpanResult } from '../../release-safety/reconcile.js';
import type { Route } from '../../release-safety/route.js';
import type { SpanResult } from '../../release-safety/span.js';
import { describeDisagreement } from '../words/disagreements.js';
import { capped } from '../words/lists.js';
import { type Answer, answersOfSpan } from '../words/questions.js';
import { type GateAnswer, type GateQuestion, listReleases, questionOfInstance } from './answer.js';

/**
 * @param route from and to the same releases, as the alternative
 * @param instance what its facts say
 */
export function gateAnswerOfCheck(
  result: SpanResult | ReconciledSpanResult,
  { hops }: Pick<Route, 'hops'>,
  instance?: Answer,
): GateAnswer {
  const disagreements = 'disagreements' in result ? result.disagreements.map(describeDisagreement) : [];
  const { fromVersion, toVersion, safe, rolling, verdict } = result;
  const answers = answersOfSpan(result, listReleases, disagreements);
  const questions: GateQuestion[] = [
    ...answers.map(({ question, answer, why }) => ({
      name: question,
      yes: answer === 'yes',
      why: capped(why),
    })),
    ...questionOfInstance(instance),
  ];
  return {
    title: `upgrade-check ${fromVersion} -> ${toVersion}`,
    yes: safe,
    safe,
    verdict,
    strategy: rolling ? 'RollingUpdate' : 'Recreate',
    hops,
    questions,
  };
}
