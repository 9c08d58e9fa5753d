import { expect, it } from 'vitest';
import { renderTimeline } from '../../../../src/answer/builders/route/timeline.js';
import { parseReleaseSafetyIndex } from '../../../../src/core/index/parse-index.js';
import { buildReport } from '../../../../src/core/report.js';
import { parseVersion } from '../../../../src/core/version.js';
import { indexOf } from '../../../support/real-index.js';

const index = parseReleaseSafetyIndex(
  indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.3.0', previousVersion: '1.2.0' }),
);

it.each([
  ['1.0.0', '1.1.0', 1, 0],
  ['1.0.0', '1.3.0', 2, 1],
  ['1.0.0', '1.4.0', 2, 2],
  ['0.9.0', '1.1.0', 2, 2],
  ['1.3.0', '1.4.0', 0, 1],
])('%s to %s: %i marks, %i crosses', (from, to, releases, gaps) => {
  const span = { from: parseVersion(from), to: parseVersion(to) };
  const report = buildReport(index, { ...span, outcomes: new Map() });
  expect(report.span.missingRanges).toHaveLength(gaps);
  const drawn = renderTimeline(report).text;
  expect(drawn.match(/<path class="m-[a-z]" transform/g) ?? []).toHaveLength(releases);
  expect(drawn.match(/<path class="m-gap" transform/g) ?? []).toHaveLength(gaps);
  expect(/<b>(\d+) gaps?<\/b>/.exec(drawn)?.[1] ?? '0').toBe(String(gaps));
});
