import type { ReplacedIssue } from '../known-issues/join-records.js';
import type { Notice } from '../notice.js';
import { compact } from '../shared/compact.js';
import { describeAge } from './measures.js';
import { describeIssue } from './reasons.js';
import { type Descriptions, describeBy } from './word.js';

const noticeWords: Descriptions<Notice> & Record<Notice['kind'], { readonly label: string }> = {
  'old-index': {
    label: 'Warning',
    describe: ({ source, ageMs, generatedAt }) =>
      `the index ${source} is ${describeAge(ageMs)} (generated ${generatedAt}): newer releases may be missing. --max-age sets how old it may be`,
  },
  'old-facts': {
    label: 'Warning',
    describe: ({ source, ageMs, seenAt }) =>
      `the facts ${source} are ${describeAge(ageMs)} (seen ${seenAt}): what they state may have changed. --max-age sets how old they may be`,
  },
  offline: {
    label: 'Offline',
    describe: ({ source, ageMs }) =>
      `${source} was not asked; this is its cached answer, ${describeAge(ageMs)}`,
  },
  waiting: {
    label: 'Waiting',
    describe: ({ host }) => `${host} has not answered yet. --timeout sets how long to wait`,
  },
  'cache-unavailable': {
    label: 'Warning',
    describe: ({ folder, reason }) =>
      `nothing is cached in ${folder}: ${reason}. --no-cache or LIGHTSPAN_CACHE_DIR avoids this`,
  },
  leftover: { label: 'Removed', describe: ({ path }) => `${path}, which a run that was killed left` },
  'publisher-only': {
    label: 'Publisher only',
    describe: () => 'known issues are left out: what came to light after a release was published is ignored',
  },
  'replaced-issue': {
    label: 'Replaced',
    describe: ({ id, source, withdrawn }) =>
      withdrawn
        ? `${source} withdraws the built-in known issue ${id}`
        : `the known issue ${id} of ${source} counts, not the older one that is built in`,
  },
  'known-issue': { label: 'Known issue', describe: ({ issue }) => describeIssue(issue) },
  'option-over-fact': {
    label: 'Warning',
    describe: ({ option, fact }) => `${option} counts; the facts of the deployment say ${fact}`,
  },
  'strategy-contradiction': {
    label: 'Warning',
    describe: ({ versions }) =>
      `${versions.join(', ')}: the artifact recommends another strategy than its verdict means; the verdict counts`,
  },
};

export function renderNotice(notice: Notice): string {
  return `${describeNotice(notice)}\n`;
}

function describeNotice(notice: Notice): string {
  return `${noticeWords[notice.kind].label}: ${describeBy(noticeWords, notice)}.`;
}

/** Which known issues were excluded on request, and which built-in ones a source of records replaced. */
export interface LeftOut {
  /** Whether no known issue was considered: then none is accepted by name. */
  readonly publisherOnly: boolean;
  readonly acceptedIssues: readonly string[];
  readonly replacedIssues: readonly ReplacedIssue[];
}

/** One sentence each, for output that is read without standard error. */
export function describeLeftOut(leftOut: Pick<LeftOut, 'publisherOnly' | 'replacedIssues'>): string[] {
  return compact(
    leftOut.publisherOnly && describeNotice({ kind: 'publisher-only' }),
    leftOut.replacedIssues.map((issue) => describeNotice({ kind: 'replaced-issue', ...issue })),
  );
}
