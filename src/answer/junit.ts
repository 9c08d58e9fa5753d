import type { Failure } from '../errors.js';
import { capped } from '../words/lists.js';
import { printable } from '../words/printable.js';
import type { Answer } from './answer.js';

/**
 * One test case per question; a no is a `<failure>`, a check that should have been done and was not is an `<error>`.
 */
export function renderJunit(answer: Answer): string {
  const { asked, questions, notices, provenance, facts, warnings, remarks } = answer;
  // What is not about one question is shown at the first one.
  const beside = [
    ...notices,
    ...[...provenance, ...facts].map(({ label, text }) => `${label}: ${text}`),
    ...warnings,
    ...remarks.map(({ text }) => text),
  ];
  return renderSuite(
    asked,
    questions.map(({ name, yes, why: all, answer: word }, i) => {
      const why = capped(all);
      // For a yes, what speaks against it is shown too: a Recreate hop may be a yes.
      const note = [...(i === 0 ? beside : []), ...(yes ? why : [])].join('\n');
      if (yes) return { name, note };
      const element = word === 'not checked' ? 'error' : 'failure';
      const texts = { message: why[0] ?? 'no', details: why.join('\n') };
      return { name, fault: { element, type: word === 'unknown' ? 'no' : word, ...texts }, note };
    }),
  );
}

export function renderJunitFailure({ code, message, hint }: Failure): string {
  const details = hint === undefined ? message : `${message}\n${hint}`;
  return renderSuite('no answer', [
    { name: 'No answer', fault: { element: 'error', type: code, message, details } },
  ]);
}

interface TestCase {
  readonly name: string;
  readonly fault?: {
    readonly element: 'failure' | 'error';
    readonly type: string;
    readonly message: string;
    readonly details: string;
  };
  readonly note?: string;
}

/** In the form that Jenkins, GitLab and others all accept. */
function renderSuite(name: string, cases: readonly TestCase[]): string {
  const count = (element: string) => cases.filter(({ fault }) => fault?.element === element).length;
  const totals = `name="lightspan" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite ${totals.replace('"lightspan"', `"${escapeXml(name)}"`)} skipped="0">`,
    ...cases.map((testCase) => renderCase(testCase, escapeXml(name))),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function renderCase({ name, fault, note = '' }: TestCase, className: string): string {
  const lines: string[] = [];
  if (fault !== undefined) {
    const { element, type, message, details } = fault;
    const attributes = `type="${escapeXml(type)}" message="${escapeXml(message)}"`;
    lines.push(`      <${element} ${attributes}>${escapeXml(details)}</${element}>`);
  }
  if (note !== '') lines.push(`      <system-out>${escapeXml(note)}</system-out>`);
  const start = `    <testcase classname="${className}" name="${escapeXml(name)}"`;
  return lines.length === 0 ? `${start}/>` : [`${start}>`, ...lines, '    </testcase>'].join('\n');
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
