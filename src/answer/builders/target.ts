import type { ChosenTargetWords } from '../../words/route/target.js';
import type { Answer, Question } from '../answer.js';
import { withCaution } from '../headline.js';
import { notAllChecked } from './questions.js';

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

/**
 * An answer about releases, where facts of the instance were given and not all that can stop the upgrade is among them: it
 * stays what it is, because facts can only take away, and is no calm one.
 */
export function withInstance(answer: Answer, instance: Question | undefined): Answer {
  const { headline } = answer;
  return instance?.answer === 'not checked' && headline.tone !== 'bad'
    ? { ...answer, headline: withCaution(headline, notAllChecked) }
    : answer;
}

/** Of a check: also with what its target was chosen for. */
export function withSentences(
  answer: Answer,
  instance: Question | undefined,
  words: ChosenTargetWords | undefined,
): Answer {
  return withTarget(withInstance(answer, instance), words);
}
