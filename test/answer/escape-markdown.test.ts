import { describe, expect, it } from 'vitest';
import { escapeMarkdown } from '../../src/answer/markdown.js';
import { hostileText } from '../support/hostile-text.js';

describe('text in Markdown', () => {
  it.each([
    ['1.121.0 -> 1.156.0 (span rule 2)', '1.121.0 -&gt; 1.156.0 (span rule 2)'],
    ['<script>x</script>', '&lt;script&gt;x&lt;/script&gt;'],
    ['[a](javascript:x)', '\\[a\\](javascript:x)'],
    ['*a* _b_ `c` ~d~ $e$', '\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$'],
    ['a | b', 'a \\| b'],
    ['# title', '\\# title'],
    ['- item', '&#8203;- item'],
    ['1. item', '&#8203;1. item'],
    ['see #12, @team', 'see \\#12, &#64;team'],
    ['https://x.example www.x.example', 'https&#58;//x.example www&#46;x.example'],
    ['a\nb', 'a\\\\u000ab'],
    ['&lt;', '&amp;lt;'],
  ])('%j', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });

  it('is one line without markup, whatever it holds', () => {
    expect(escapeMarkdown(hostileText)).not.toMatch(/[\p{Cc}<>@\u202E]|(?<!\\)[[\]|`]|:\/\//u);
  });
});
