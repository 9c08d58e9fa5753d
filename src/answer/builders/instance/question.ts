import type { Preflight } from '../../../checks/checks.js';
import { type Decision, decide, decisionWords, describeCounts } from '../../../checks/decision.js';
import type { FindingInWords } from '../../../checks/describe.js';
import { compact } from '../../../core/text/compact.js';
import type { ChosenTargetWords } from '../../../words/route/target.js';
import type { Answer, Question } from '../../answer.js';
import { withCaution } from '../../headline.js';
import { withTarget } from '../target.js';

/**
 * What the facts of an instance say to an answer about releases: only a stop is a no there.
 *
 * @param stops those of its findings; a route settles others
 */
export function questionOfInstance(
  { checks, counts }: Preflight,
  stops: readonly FindingInWords[],
): Question {
  const settled = checks.filter(
    ({ id, status }) => status === 'stop' && !stops.some(({ check }) => check === id),
  );
  const findings = stops.map(({ status }) => ({ status }));
  const answer = answers[decide({ checks, findings }, 'stop')];
  return {
    name: checks.every(({ id }) => id === 'majors') ? 'No major' : 'Preflight',
    answer,
    yes: answer !== 'no',
    why: compact(
      linesOfStops(stops),
      settled.length > 0 && `the route settles ${settled.map(({ id }) => id).join(' and ')}`,
      describeCounts(counts),
      answer === 'not checked' && notAllChecked,
    ),
  };
}

/** Of an instance of which facts were given. */
export const notAllChecked = 'not everything that can stop it was checked';

const answers: Record<Decision, Question['answer']> = {
  go: 'yes',
  'go-with-care': 'yes',
  stop: 'no',
  'not-known': 'not checked',
};

/** What stops an upgrade, one line each, with what to do about it. A line that several checks share stands once. */
export function linesOfStops(stops: readonly FindingInWords[]): string[] {
  const lines = stops.flatMap(({ check, description, remedy }) => [
    `${decisionWords.stop.label}: ${check}: ${description}`,
    ...(remedy === null ? [] : [`To do: ${remedy.text}`]),
  ]);
  return [...new Set(lines)];
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
