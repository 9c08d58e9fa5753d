import { expect, it } from 'vitest';
import { renderLegend, renderTimeline } from '../../src/answer/timeline.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { buildReport } from '../../src/release-safety/report.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { indexOf } from '../support/real-index.js';

const index = parseReleaseSafetyIndex(
  indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.3.0', previousVersion: '1.2.0' }),
);

/** The months as they are headed, in their order, with what each holds. */
const monthsOf = (...dates: readonly string[]) => {
  const dated = dates.map((releaseDate, i) => ({
    version: `2.${i}.0`,
    releaseDate: `${releaseDate}T00:00:00Z`,
  }));
  const ends = { from: parseVersion('2.0.0'), to: parseVersion(`2.${dates.length - 1}.0`) };
  const report = buildReport(parseReleaseSafetyIndex(indexOf(...dated)), { ...ends, outcomes: new Map() });
  const headings = /<figcaption><b>(.*?)<\/b> <span>(.*?)<\/span>/g;
  return [...renderTimeline(report).text.matchAll(headings)].map(([, month, held]) => `${month}: ${held}`);
};

it('has a figure a month, and a release that is dated back stays behind the one before it', () => {
  const back = ['2026-04-01', '2026-05-02', '2026-06-03', '2026-05-30', '2026-06-04', '2026-07-01'];
  expect(monthsOf(...back)).toEqual(['May 2026: 1 release', 'June 2026: 3 releases', 'July 2026: 1 release']);
});

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
  expect(drawn.match(/<path class="m-[a-z]"/g) ?? []).toHaveLength(releases);
  expect(drawn.match(/<path class="m-gap"/g) ?? []).toHaveLength(gaps);
  expect(/<b>(\d+) gaps?<\/b>/.exec(renderLegend(report).text)?.[1] ?? '0').toBe(String(gaps));
});
