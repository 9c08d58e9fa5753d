import { describe, expect, it } from 'vitest';
import { renderFailureText } from '../../src/answer/outputs/messages.js';
import { toAscii } from '../../src/words/printable.js';

describe('toAscii', () => {
  it('tells apart what is drawn', () => {
    const drawn = [...'▁▄█◆╳░'];
    expect(new Set(drawn.map((shape) => toAscii(shape))).size).toBe(drawn.length);
    expect(drawn.map((shape) => toAscii(shape)).join('')).toMatch(/^[!-~]{6}$/);
  });

  it('keeps ASCII, and escapes what it has no shape for', () => {
    expect(toAscii('a\t~\u001b[31m\n')).toBe('a\t~\u001b[31m\n');
    expect(toAscii('Zoë… 😀')).toBe('Zo\\u00eb... \\ud83d\\ude00');
  });

  it('leaves a value in JSON what it is', () => {
    const value = { name: 'Zoë█…', emoji: '😀' };
    const text = toAscii(JSON.stringify(value), { exact: true });
    expect(text).toMatch(/^[ -~]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

it('shows what an error names without obeying it, in the hint as in the message', () => {
  const text = renderFailureText({
    code: 'usage',
    message: 'no \u001b[2Jfile\nhere',
    hint: 'Write \u001b[2Jit.\nOr not.',
  });
  expect(text).toBe('lightspan: no \\u001b[2Jfile\\u000ahere\nWrite \\u001b[2Jit.\nOr not.\n');
});
