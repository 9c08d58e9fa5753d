import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/context.js';

function showOn(
  stderr: { readonly isTTY?: boolean; readonly columns?: number },
  env: Record<string, string> = {},
): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const progress = createProgress({ stderr: { ...stderr, write }, env });
  progress.show('The query is executing');
  progress.clear();
  return written;
}

describe('progress', () => {
  it('is one line on a terminal, and gone at the end', () => {
    expect(showOn({ isTTY: true, columns: 80 })).toBe('\r\u001b[KThe query is executing\r\u001b[K');
  });

  it('never wraps', () => {
    expect(showOn({ isTTY: true, columns: 10 })).toBe('\r\u001b[KThe query\r\u001b[K');
  });

  it('is whole where a terminal does not say how wide it is', () => {
    expect(showOn({ isTTY: true, columns: 0 })).toContain('The query is executing\r');
  });

  it('is nothing elsewhere', () => {
    expect(showOn({})).toBe('');
    expect(showOn({ isTTY: true, columns: 80 }, { TERM: 'dumb' })).toBe('');
  });
});
