import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../../src/answer/builders/details.js';
import { answerOfReport } from '../../../src/answer/builders/report.js';
import { renderHtml } from '../../../src/answer/formats/html.js';
import { renderMarkdown } from '../../../src/answer/formats/markdown.js';
import { buildReport, type UpgradeReport } from '../../../src/core/report.js';
import { parseVersion } from '../../../src/core/version.js';
import { migratorFact } from '../../support/facts.js';
import { realIndex } from '../../support/real-index.js';
import { documentOf, preflightOf, withPreflight } from '../reports.js';

it('of variables that are set, it says nothing where no artifact was read, and not that none is changed', () => {
  const span = { from: parseVersion('1.121.0'), to: parseVersion('1.123.0') };
  const variablesSet = new Set(['A', 'B']);
  const report = buildReport(realIndex(), { ...span, outcomes: new Map(), variablesSet });
  expect(report.config.variablesSet).toBe(2);
  const said = saidIn(report, /variables/).join();
  expect(said).toMatch(/^not known: no artifact was read$|^not known: no artifact was read,/);
  expect(said).not.toMatch(/\d/);
});

/** What is said of all that has a label like this, a line each. */
function saidIn(report: UpgradeReport, label: RegExp): readonly string[] {
  const details = detailsOf(report).filter((fact) => label.test(fact.label));
  return details.flatMap(({ text, items = [] }) => [text, ...items]);
}

/** A report of an instance whose role of this name migrates with little time. */
const documentOfHurried = (name: string) =>
  withPreflight(
    documentOf('1.9.0', '1.10.0'),
    preflightOf({ migrator: { ...migratorFact, name, statementTimeoutMs: 30_000 } }),
  );

describe('the findings of a preflight in a report', () => {
  it('are no yes where something that can stop was not looked at', () => {
    const { questions, next } = answerOfReport(documentOfHurried('lightdash'), { verbose: false });
    expect(next).toMatch(/^state the free space on the database disk \(--disk-free/);
    expect(questions[0]).toMatchObject({ name: 'Preflight', answer: 'not checked', yes: false });
  });

  it.each([
    ['lightdash', '```sql', 'ALTER ROLE "lightdash" '],
    ['a```b', '````sql', 'ALTER ROLE "a```b" '],
    ['</details>', '```sql', 'ALTER ROLE "</details>" '],
  ])('in Markdown, commands are code that the name %j does not end', (name, fence, line) => {
    const text = renderMarkdown(answerOfReport(documentOfHurried(name), { verbose: false }));
    const [, code = ''] = text.split(`\n  ${fence}\n`);
    expect(code).toContain(`\n  ${line}`);
  });

  it('in HTML, a name is text', () => {
    const document = documentOfHurried('<img src=x onerror=alert(1)>');
    const page = renderHtml(answerOfReport(document, { verbose: false }), document.report);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
