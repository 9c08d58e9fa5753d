import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/answer/html.js';
import { renderMarkdown } from '../../src/answer/markdown.js';
import { answerOfReport } from '../../src/answer/report.js';
import { textOf } from '../../src/answer/section.js';
import { preflightSection } from '../../src/answer/sections.js';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { parseReleaseSafetyIndexText } from '../../src/release-safety/parse-index.js';
import { buildReport } from '../../src/release-safety/report.js';
import { requireVersion } from '../../src/release-safety/version.js';
import { migratorFact } from '../support/facts.js';
import { judgedBy } from '../support/judged-by.js';
import { inputOf, publishedOf, type Situation, upgradeTo } from '../support/preflight.js';

/** A role that migrates with little time, of this name. */
const hurried = (name: string): Situation =>
  upgradeTo([{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }], {
    migrator: { ...migratorFact, name, statementTimeoutMs: 30_000 },
  });

function preflightOf(situation: Situation) {
  const result = runChecks(checks, inputOf(situation));
  const facts = { source: 'facts.json', collectedAt: '2026-09-06T18:00:00Z', ageMs: 0 };
  return { result, decision: decide(result, 'stop'), facts };
}

function documentOf(situation: Situation) {
  const index = parseReleaseSafetyIndexText(publishedOf(situation).index);
  return {
    report: buildReport(index, {
      from: requireVersion('2.0.0'),
      to: requireVersion('2.1.0'),
      outcomes: new Map(),
    }),
    preflight: preflightOf(situation),
    index: { source: 'i', generatedAt: '2026-09-06T18:00:00Z', latestVersion: '2.1.0', sha256: 'x' },
    judgedBy,
    madeAt: new Date('2026-09-06T19:00:00Z'),
    madeBy: 'lightspan',
  } as Parameters<typeof answerOfReport>[0];
}

describe('the findings of a preflight in a report', () => {
  it('stand the gravest first, with their commands, and what is in order at the end', () => {
    const { blocks, notes } = preflightSection(preflightOf(hurried('lightdash')), 1);
    const leads = blocks.map(({ lead }) => lead);
    expect(leads[0]).toMatch(/^NOT KNOWN\. \d+ checks: 1 not checked, 1 warn, \d+ ok$/);
    const rows = blocks[0]?.kind === 'table' ? blocks[0].rows : [];
    expect(rows.map(([status]) => textOf(status ?? ''))).toEqual(['NOT CHECKED', 'WARN']);
    // What was not looked at does not look like what is in order.
    expect(rows.map(([status]) => (typeof status === 'object' ? status.mark : undefined))).toEqual([
      'warn',
      'warn',
    ]);
    expect(leads).toContain('In psql (timeouts)');
    expect(leads.at(-1)).toMatch(/^\d+ checks that found nothing$/);
    expect(notes).toEqual([
      'Facts: facts.json, collected 2026-09-06T18:00:00Z (less than a minute old).',
      'Give upgrade-preflight what the checks that were not done need; --facts-out writes the facts again.',
    ]);
  });

  it('are all listed, however many there are', () => {
    const preflight = preflightOf(hurried('lightdash'));
    const [, warn] = preflight.result.findings.filter(({ status }) => status !== 'ok');
    const findings = Array.from({ length: 30 }, (_, i) => ({
      ...warn,
      evidence: { ...warn?.evidence, role: `role-${i}` },
    })) as typeof preflight.result.findings;
    const { blocks } = preflightSection({ ...preflight, result: { ...preflight.result, findings } }, 1);
    expect(blocks[0]).toMatchObject({ kind: 'table', whole: true, rows: { length: 30 } });
  });

  it('say what they are about where there are several hops, and what was not asked', () => {
    const preflight = preflightOf(hurried('lightdash'));
    const result = { ...preflight.result, notAsked: ['queue', 'vacuums'] as const };
    expect(preflightSection({ ...preflight, result }, 3).notes.slice(2)).toEqual([
      expect.stringMatching(/^The route has 3 hops\. This is about all of them together;/),
      'Not requested: queue, vacuums.',
    ]);
  });

  it.each([
    ['lightdash', '```sql', 'ALTER ROLE "lightdash" '],
    ['a```b', '````sql', 'ALTER ROLE "a```b" '],
    ['</details>', '```sql', 'ALTER ROLE "</details>" '],
  ])('in Markdown, commands are code that the name %j does not end', (name, fence, line) => {
    const text = renderMarkdown(answerOfReport(documentOf(hurried(name)), { verbose: false }));
    const [, code = ''] = text.split(`\n${fence}\n`);
    expect(code).toContain(`\n${line}`);
  });

  it('in HTML, a name is text', () => {
    const page = renderHtml(
      answerOfReport(documentOf(hurried('<img src=x onerror=alert(1)>')), { verbose: false }),
    );
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
