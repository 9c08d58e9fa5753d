import { expect, it } from 'vitest';
import type { Notice } from '../../src/notice.js';
import { renderNotice } from '../../src/words/notices.js';

const dayMs = 86_400_000;
const lines: readonly (readonly [notice: Notice, line: string])[] = [
  [
    { kind: 'old-index', source: 'a.json', generatedAt: '2026-09-06T18:08:42Z', ageMs: 8 * dayMs },
    'Warning: the index a.json is 8 days old (generated 2026-09-06T18:08:42Z): newer releases may be missing. --max-age sets how old it may be.',
  ],
  [
    { kind: 'old-facts', source: 'f.json', seenAt: '2026-09-06T18:08:42Z', ageMs: 8 * dayMs },
    'Warning: the facts f.json are 8 days old (seen 2026-09-06T18:08:42Z): what they state may have changed. --max-age sets how old they may be.',
  ],
  [
    { kind: 'offline', source: 'https://a.example/', ageMs: 2 * dayMs },
    'Offline: https://a.example/ was not asked; this is its cached answer, 2 days old.',
  ],
  [
    { kind: 'cache-unavailable', folder: '/a', reason: 'no space is left' },
    'Warning: nothing is cached in /a: no space is left. --no-cache or LIGHTSPAN_CACHE_DIR avoids this.',
  ],
  [
    { kind: 'strategy-contradiction', versions: ['1.0.0', '1.1.0'] },
    'Warning: 1.0.0, 1.1.0: the artifact recommends another strategy than its verdict means; the verdict counts.',
  ],
];

it.each(lines)('%j', (notice, line) => {
  expect(renderNotice(notice)).toBe(`${line}\n`);
  expect(line).not.toMatch(/\bsafe\b/i);
});

it('stays one line, whatever a name holds', () => {
  const notice = renderNotice({ kind: 'cache-unavailable', folder: 'a\n\u001b[2Jb', reason: 'c' });
  expect(notice).toContain('a\\u000a\\u001b[2Jb');
  expect(notice.match(/\n/g)).toHaveLength(1);
});
