import { expect, it } from 'vitest';
import { renderFailureText } from '../../src/answer/outputs/messages.js';

it('shows what an error names without obeying it, in the hint as in the message', () => {
  const text = renderFailureText({
    code: 'usage',
    message: 'no \u001b[2Jfile\nhere',
    hint: 'Write \u001b[2Jit.\nOr not.',
  });
  expect(text).toBe('lightspan: no \\u001b[2Jfile\\u000ahere\nWrite \\u001b[2Jit.\nOr not.\n');
});
