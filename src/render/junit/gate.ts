import type { Failure } from '../../errors.js';
import type { GateAnswer } from '../gate/answer.js';
import { escapeXml } from './xml.js';

/**
 * One test case per question; a no is a `<failure>`, a check that should have been done and was not is an `<error>`.
 */
export function renderGateJunit({ title, questions }: GateAnswer): string {
  return renderSuite(
    title,
    questions.map(({ name, yes, why, answer, notes = [] }) => {
      // For a yes, what speaks against it is shown too: a Recreate hop may be a yes.
      const beside = yes ? [...why, ...notes] : notes;
      const note = beside.length === 0 ? undefined : beside.join('\n');
      if (yes) return { name, note };
      const element = answer === 'not checked' ? 'error' : 'failure';
      const texts = { message: why[0] ?? 'no', details: why.join('\n') };
      return { name, fault: { element, type: answer ?? 'no', ...texts }, note };
    }),
  );
}

/** If there is no answer: one test case that is an `<error>`. */
export function renderFailureJunit({ code, message, hint }: Failure): string {
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
  /** Further remarks. */
  readonly note?: string | undefined;
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

function renderCase({ name, fault, note }: TestCase, className: string): string {
  const attributes = `classname="${className}" name="${escapeXml(name)}"`;
  if (fault === undefined) {
    return note === undefined
      ? `    <testcase ${attributes}/>`
      : `    <testcase ${attributes}>\n      <system-out>${escapeXml(note)}</system-out>\n    </testcase>`;
  }
  const { element, type, message, details } = fault;
  return [
    `    <testcase ${attributes}>`,
    `      <${element} type="${escapeXml(type)}" message="${escapeXml(message)}">${escapeXml(details)}</${element}>`,
    ...(note === undefined ? [] : [`      <system-out>${escapeXml(note)}</system-out>`]),
    '    </testcase>',
  ].join('\n');
}
