import { expect, it } from 'vitest';
import { answerOfCheck } from '../../src/answer/check.js';
import { evaluateSpan } from '../../src/release-safety/span.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { judgedBy } from '../support/judged-by.js';
import { realIndex } from '../support/real-index.js';

it('what is unknown is no yes', () => {
  const span = { from: parseVersion('1.121.0'), to: parseVersion('9.9.9') };
  const result = evaluateSpan(realIndex(), span);
  expect(result.jump).toBe('unknown');
  const { asked, yes, safe, questions } = answerOfCheck(result, {
    verbose: false,
    latestVersion: span.to,
    judgedBy,
  });
  expect({ asked, yes, safe }).toEqual({ asked: 'upgrade-check 1.121.0 -> 9.9.9', yes: false, safe: false });
  expect(questions.map((question) => question.yes)).toEqual([false, false]);
});
