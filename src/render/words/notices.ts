import type { Notice } from '../../notice.js';
import { printable } from '../printable.js';
import { describeAge } from './age.js';
import { describeIssue } from './reasons.js';

/** A notice for a person, on stderr. */
export function renderNotice(notice: Notice): string {
  return `${printable(words(notice))}\n`;
}

function words(notice: Notice): string {
  switch (notice.kind) {
    case 'old-index':
      return `Warning: the index ${notice.source} is ${describeAge(notice.ageMs)} (generated ${notice.generatedAt}): newer releases may be missing. --max-age sets how old it may be.`;
    case 'offline':
      return `Offline: ${notice.source} was not asked; this is its cached answer, ${describeAge(notice.ageMs)}.`;
    case 'cache-entry-refused':
      return `Warning: the cached answer of ${notice.source} is not used: ${notice.reason}.`;
    case 'cache-unavailable':
      return `Warning: nothing is cached in ${notice.folder}: ${notice.reason}. --no-cache or LIGHTSPAN_CACHE_DIR avoid this.`;
    case 'publisher-only':
      return 'Known issues are left out (--publisher-only): what came to light after a release was published counts for nothing here.';
    case 'known-issue':
      return `${describeIssue(notice.issue)}.`;
    case 'strategy-contradiction':
      return `Warning: ${notice.versions.join(', ')}: the artifact recommends another strategy than its verdict means; the verdict counts.`;
  }
}
