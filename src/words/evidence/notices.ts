import type { Notice, ReplacedIssue } from '../../core/notice.js';
import { compact } from '../../core/text/compact.js';
import { describeAge } from '../phrase.js';
import { describeIssue } from '../route/reasons.js';
import { type Descriptions, describeBy } from '../word.js';

const noticeWords: Descriptions<Notice> = {
  'old-index': {
    describe: ({ source, ageMs, generatedAt }) =>
      `Warning: the index ${source} is ${describeAge(ageMs)} (generated ${generatedAt}): newer releases may be ` +
      'missing. --max-age sets how old it may be',
  },
  'old-facts': {
    describe: ({ source, ageMs, seenAt }) =>
      `Warning: the facts ${source} are ${describeAge(ageMs)} (seen ${seenAt}): what they say may have ` +
      'changed. --max-age sets how old they may be',
  },
  offline: {
    describe: ({ source, ageMs }) =>
      `Offline: ${source} was not contacted; this is its cached answer, ${describeAge(ageMs)}`,
  },
  waiting: {
    describe: ({ host }) => `Waiting: ${host} has not answered yet. --timeout sets how long to wait`,
  },
  'cache-unavailable': {
    describe: ({ folder, reason }) =>
      `Warning: nothing is cached in ${folder}: ${reason}. --no-cache or LIGHTSPAN_CACHE_DIR avoids this`,
  },
  leftover: { describe: ({ path }) => `Removed: ${path}, left by a run that was killed` },
  'publisher-only': {
    describe: () =>
      'Publisher only: known issues are left out, so problems found after a release was published are ignored',
  },
  'replaced-issue': {
    describe: ({ id, source, withdrawn }) =>
      withdrawn
        ? `Replaced: ${source} withdraws the built-in known issue ${id}`
        : `Replaced: the known issue ${id} of ${source} counts, not the older built-in one`,
  },
  'changed-record': {
    describe: ({ id, source, modified, withdrawn }) =>
      `Records: ${source} ${withdrawn ? 'has withdrawn' : 'has changed'} the known issue ${id} (${modified})`,
  },
  'missing-record': {
    describe: ({ id, source, file }) =>
      `Warning: ${source} no longer has the known issue ${id}, which it had before and did not withdraw: it still ` +
      `counts. If it was removed for good, remove ${file}`,
  },
  'old-records': {
    describe: ({ source, end, builtIn }) =>
      `Warning: the known issues ${source} end at ${end}, and those that are built in at ${builtIn}`,
  },
  'known-issue': { describe: ({ issue }) => `Known issue: ${describeIssue(issue)}` },
  'strategy-contradiction': {
    describe: ({ versions }) =>
      `Warning: ${versions.join(', ')}: the artifact recommends a strategy that does not match its verdict; ` +
      'the verdict counts',
  },
};

export function renderNotice(notice: Notice): string {
  return `${describeBy(noticeWords, notice)}.\n`;
}

export interface LeftOut {
  /** Whether no known issue was considered: then none is accepted by name. */
  readonly publisherOnly: boolean;
  readonly acceptedIssues: readonly string[];
  readonly replacedIssues: readonly ReplacedIssue[];
}

/** One sentence each, for output that is read without standard error. */
export function describeLeftOut(leftOut: Pick<LeftOut, 'publisherOnly' | 'replacedIssues'>): string[] {
  const notices = compact<Notice>(
    leftOut.publisherOnly && { kind: 'publisher-only' },
    leftOut.replacedIssues.map((issue) => ({ kind: 'replaced-issue', ...issue }) as const),
  );
  return notices.map((notice) => renderNotice(notice).trimEnd());
}
