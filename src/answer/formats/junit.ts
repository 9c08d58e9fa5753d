import type { Failure } from '../../core/lightspan-error.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import { firstLines } from '../../words/lists.js';
import type { Answer } from '../answer.js';
import { linesOfChanges } from '../builders/changes.js';
import { headlineOfFailure } from '../headline.js';
import type { Format } from './format.js';

export const junitFormat: Format = {
  write: renderJunit,
  writeFailure: renderJunitFailure,
};

/**
 * One test case per question; a no is a `<failure>`, a check that should have been done and was not is an `<error>`.
 * What is not about one question is shown at the first one.
 */
export function renderJunit(answer: Answer): string {
  const { title, headline, questions, notices, provenance, facts, remarks } = answer;
  const beside = compact(
    `Answer: ${headline.text}`,
    notices,
    [...provenance, ...facts].map(({ label, text }) => `${label}: ${text}`),
    remarks.map(({ text }) => text),
    linesOfChanges(answer.changes).map((line) => `What changes for you: ${line}`),
  );
  return renderSuite(
    title,
    questions.map(({ name, yes, why: all, answer: word }, i) => {
      const why = firstLines(all);
      // For a yes, what speaks against it is shown too: a Recreate hop may be a yes.
      const note = compact(i === 0 && beside, yes && why).join('\n');
      if (yes) return { name, note };
      const element = word === 'not checked' ? 'error' : 'failure';
      const type = word === 'unknown' ? 'no' : word;
      return { name, note, fault: { element, type, message: why[0] ?? 'no', details: why.join('\n') } };
    }),
  );
}

export function renderJunitFailure({ code, message, hint }: Failure, exitCode: number): string {
  const { text } = headlineOfFailure(message, exitCode);
  const details = compact(message, hint).join('\n');
  const fault = { element: 'error', type: code, message: `Answer: ${text}`, details } as const;
  return renderSuite('no answer', [{ name: 'No answer', note: '', fault }]);
}

interface TestCase {
  readonly name: string;
  readonly note: string;
  readonly fault?: {
    readonly element: 'failure' | 'error';
    readonly type: string;
    readonly message: string;
    readonly details: string;
  };
}

/** In the form that Jenkins, GitLab and others all accept. */
function renderSuite(suite: string, cases: readonly TestCase[]): string {
  const name = escapeXml(suite);
  const count = (element: string) => cases.filter(({ fault }) => fault?.element === element).length;
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  const lines = compact(
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="lightspan" ${totals}>`,
    `  <testsuite name="${name}" ${totals} skipped="0">`,
    cases.map(({ name: title, note, fault }) => [
      `    <testcase classname="${name}" name="${escapeXml(title)}">`,
      fault &&
        `      <${fault.element} type="${escapeXml(fault.type)}" ` +
          `message="${escapeXml(fault.message)}">${escapeXml(fault.details)}</${fault.element}>`,
      note !== '' && `      <system-out>${escapeXml(note)}</system-out>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
  );
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Text for an element or for a quoted attribute. Not from a package, because packages escape the five characters of XML
 * 1.0, but do not remove those that it cannot contain at all. Line breaks are kept as character references, which a
 * parser does not normalise in an attribute.
 */
function escapeXml(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      printable(line)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&apos;')
        .replaceAll(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD'),
    )
    .join('&#10;');
}
