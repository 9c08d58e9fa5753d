import { describe, expect, it } from 'vitest';
import { html } from '../../../src/answer/formats/markup.js';

describe('html', () => {
  it.each([
    ['text', html`<p>${'a < b & "c" \'d\' >'}</p>`, '<p>a &lt; b &amp; &quot;c&quot; &#39;d&#39; &gt;</p>'],
    ['an attribute', html`<p title="${'"><script>'}"></p>`, '<p title="&quot;&gt;&lt;script&gt;"></p>'],
    ['what was escaped before', html`${'&lt;'}`, '&amp;lt;'],
    ['HTML made here', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    ['lists', html`${['<', html`<br>`, [1, undefined]]}`, '&lt;<br>1'],
    ['nothing', html`<p>${undefined}</p>`, '<p></p>'],
    ['control and direction characters', html`${'\u001b[31m\u202ea\n'}`, '\\u001b[31m\\u202ea\\u000a'],
  ])('%s', (_, markup, expected) => {
    expect(markup.text).toBe(expected);
  });
});
