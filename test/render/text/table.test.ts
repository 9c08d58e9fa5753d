import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../../src/render/palette.js';
import { renderTable } from '../../../src/render/wrap.js';

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

  it('is a paragraph a row where a line would be wider than the terminal', () => {
    const header = ['HOP', 'LANDS THERE AS'];
    const rows = [
      ['1', 'the index floor'],
      ['2', ''],
    ];
    const table = 'HOP  LANDS THERE AS\n1    the index floor\n2\n';
    expect(renderTable(header, rows, plainPalette, 20)).toBe(table);
    expect(renderTable(header, rows, plainPalette, undefined)).toBe(table);
    expect(renderTable(header, rows, plainPalette, 19)).toBe(
      'HOP: 1\nLANDS THERE AS: the\n  index floor\n\nHOP: 2\nLANDS THERE AS:\n',
    );
  });

  it('lines up what is wider or narrower than its length', () => {
    const rows = [
      ['漢字', 'a'],
      ['한국어', 'b'],
      ['🎉', 'c'],
      ['👨‍👩‍👧', 'd'],
      ['Zoe\u0308', 'e'],
      ['plain', 'f'],
    ];
    expect(renderTable(['名前', 'X'], rows)).toBe(
      [
        '名前    X',
        '漢字    a',
        '한국어  b',
        '🎉      c',
        '👨‍👩‍👧      d',
        'Zoe\u0308     e',
        'plain   f',
        '',
      ].join('\n'),
    );
    expect(renderTable(['名前', 'X'], rows, plainPalette, 9)).toContain('漢字    a\n');
    expect(renderTable(['名前', 'X'], rows, plainPalette, 8)).toContain('名前:\n  한국어\n');
  });

  it('makes text from outside harmless', () => {
    expect(renderTable(['A'], [['\u001b[31m\n']])).toBe('A\n\\u001b[31m\\u000a\n');
  });
});
