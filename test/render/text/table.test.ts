import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../src/render/text/table.js';

describe('renderTable', () => {
  it('lines up its columns', () => {
    expect(
      renderTable(
        ['HOP', 'TO'],
        [
          ['1', '1.2.3'],
          ['10', ''],
        ],
      ),
    ).toBe('HOP  TO\n1    1.2.3\n10\n');
  });

  it('makes text from outside harmless', () => {
    expect(renderTable(['A'], [['\u001b[31m\n']])).toBe('A\n\\u001b[31m\\u000a\n');
  });
});
