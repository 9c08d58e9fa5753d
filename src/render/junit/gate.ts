import type { Failure } from '../../errors.js';
import type { GateAnswer } from '../gate/answer.js';
import { escapeXml } from './xml.js';

/** One test case a question; a no is a `<failure>`, one that was not looked at and should have been an `<error>`. */
export function renderGateJunit({ title, questions }: GateAnswer): string {
  return renderSuite(
    title,
    questions.map(({ name, yes, why, answer, notes = [] }) => {
      // What speaks against it is told of a yes, too: a hop that is a Recreate may be one.
      const beside = yes ? [...why, ...notes] : notes;
      const note = beside.length === 0 ? undefined : beside.join('\n');
      if (yes) return { name, note };
      const element = answer === 'not checked' ? 'error' : 'failure';
      const told = { message: why[0] ?? 'no', details: why.join('\n') };
      return { name, fault: { element, type: answer ?? 'no', ...told }, note };
    }),
  );
}

/** Where there is no answer: one test case that is an `<error>`. */
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
  /** What else there is to say of it. */
  readonly note?: string | undefined;
}

/** In the form that Jenkins, GitLab and others read alike. */
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
