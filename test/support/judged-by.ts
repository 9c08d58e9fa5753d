import type { Demands } from '../../src/known-issues/demands.js';
import type { JudgedBy } from '../../src/words/evidence/judged-by.js';

/** What an answer rests on where a test is about something else. */
export const judgedBy: JudgedBy = {
  index: '2026-09-06T18:08:42Z',
  knownIssues: 12,
  artifacts: { read: 0, of: 60 },
  facts: null,
};

/** Nothing is asked of whoever upgrades. */
export const noDemands: Demands = { majors: [], notes: [], beyond: undefined, laterStops: [] };
