import { neverRolls } from '../../words/route/compose.js';
import type { Answer } from '../answer.js';
import { headlineOf } from '../headline.js';

/** A plan of docker compose where only rolling hops were asked for. What else forbids it stays its headline. */
export function asNeverRolling(answer: Answer): Answer {
  const why = [neverRolls.reason];
  const refused: Answer = {
    ...answer,
    ...{ safe: false, strategy: 'Recreate' },
    questions: [...answer.questions, { name: 'Rolling update', yes: false, answer: 'no', why }],
  };
  if (answer.headline?.exitCode !== 0) return refused;
  const headline = headlineOf({ kind: 'no', reason: neverRolls.reason });
  return { ...refused, headline, next: neverRolls.next };
}
