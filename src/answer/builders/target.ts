import type { ChosenTargetWords } from '../../words/route/target.js';
import type { Answer } from '../answer.js';
import { withCaution } from '../headline.js';

/** An answer about a release that a name stands for says why it is this one. */
export function withTarget(answer: Answer, words: ChosenTargetWords | undefined): Answer {
  if (words === undefined) return answer;
  const { why, caution } = words;
  return {
    ...answer,
    headline: caution === undefined ? answer.headline : withCaution(answer.headline, caution),
    remarks: [{ text: why }, ...answer.remarks],
  };
}
