import { expect, it } from 'vitest';
import { joinRecords } from '../../src/known-issues/join-records.js';
import { recordOf } from '../support/known-issues.js';

const record = (fields: { readonly id?: string; readonly modified?: string; readonly remedy?: string }) =>
  recordOf({ affected: [{ introduced: '1.0.0' }], ...fields });

const early = record({ modified: '2026-11-01T00:00:00Z', remedy: 'Early.' });
const late = record({ modified: '2026-11-02T00:00:00Z', remedy: 'Late.' });
const lateElsewhere = record({ modified: '2026-11-02T01:00:00+01:00', remedy: 'Elsewhere.' });
const other = record({ id: 'another-issue' });

it.each([
  ['records of several ids', [[early], [other]], [early, other]],
  ['what was modified last counts, wherever it stands', [[early], [late]], [late]],
  ['…and in any order', [[late], [early]], [late]],
  ['what is the same stands once', [[early], [early]], [early]],
  ['…however it is written', [[early], [Object.fromEntries(Object.entries(early).reverse())]], [early]],
  ['what differs from the same moment on: both', [[late], [lateElsewhere]], [late, lateElsewhere]],
  ['…of three places', [[early, other], [lateElsewhere], [late]], [lateElsewhere, late, other]],
])('%s', (_, places, joined) => {
  expect(joinRecords(places as (typeof early)[][])).toEqual(joined);
});
