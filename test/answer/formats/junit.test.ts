import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { type Answer, emptyAnswer, noHops } from '../../../src/answer/answer.js';
import { renderJunit, renderJunitFailure } from '../../../src/answer/formats/junit.js';
import { headlineOf } from '../../../src/answer/headline.js';
import { hostileText } from '../../support/hostile-text.js';

const schema = readFileSync('test/support/junit.xsd', 'utf8');

async function faultsOf(xml: string): Promise<readonly unknown[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: xml }],
    schema: [{ fileName: 'junit.xsd', contents: schema }],
  });
  return errors;
}

const answer: Answer = {
  ...emptyAnswer,
  title: 'A check',
  headline: headlineOf({ kind: 'no', reason: 'of all this' }),
  safe: false,
  verdict: false,
  strategy: 'Recreate',
  ...noHops,
  questions: [
    { name: 'Direct upgrade', answer: 'yes', yes: true, why: [] },
    { name: 'Rolling update', answer: 'no', yes: false, why: ['first', 'second'] },
  ],
};

describe('JUnit XML', () => {
  it('tells beside a yes and a no what else is to be known', () => {
    const all = { notices: ['so'], facts: [{ label: 'a', text: 'b' }], remarks: [{ text: 'and so' }] };
    const xml = renderJunit({ ...answer, ...all });
    expect(
      xml.match(/<system-out>Answer: no: of all this&#10;so&#10;a: b&#10;and so<\/system-out>/g),
    ).toHaveLength(1);
    expect(xml).toContain('tests="2" failures="1" errors="0"');
  });

  it('tells what is warned of beside a yes, and counts what was not looked at as an error', () => {
    const xml = renderJunit({
      ...answer,
      questions: [
        { name: 'disk-space', yes: true, answer: 'warn', why: ['WARN: little room'] },
        { name: 'queue', yes: true, answer: 'not checked', why: ['NOT CHECKED: no right'] },
        { name: 'ledger', yes: false, answer: 'not checked', why: ['NOT CHECKED: no rows'] },
      ],
    });
    expect(xml).toContain('tests="3" failures="0" errors="1"');
    expect(xml).toContain('<system-out>Answer: no: of all this&#10;WARN: little room</system-out>');
    expect(xml).toContain('<system-out>NOT CHECKED: no right</system-out>');
    expect(xml).toContain('<error type="not checked" message="NOT CHECKED: no rows">');
  });

  it('counts no answer as an error', () => {
    const xml = renderJunitFailure({ code: 'network', message: 'gone', hint: 'Wait.' }, 3);
    expect(xml).toContain('tests="1" failures="0" errors="1"');
    expect(xml).toContain('<error type="network" message="Answer: not known: gone">gone&#10;Wait.</error>');
  });

  it('is refused by the schema where it is wrong', async () => {
    expect(await faultsOf(renderJunit(answer).replaceAll('testcase', 'test'))).not.toEqual([]);
  });

  const hostile = { name: hostileText, answer: 'no', yes: false, why: [hostileText] } as const;
  it.each<[string, string]>([
    ['a no', renderJunit(answer)],
    [
      'a yes',
      renderJunit({
        ...answer,
        headline: headlineOf({ kind: 'rolls' }, { deploy: 'helm' }),
        questions: answer.questions.slice(0, 1),
      }),
    ],
    ['hostile text', renderJunit({ ...answer, title: hostileText, questions: [hostile] })],
    ['notes beside a yes and a no', renderJunit({ ...answer, notices: [hostileText, 'so'] })],
    ['no answer', renderJunitFailure({ code: 'network', message: hostileText, hint: hostileText }, 3)],
  ])('is valid: %s', async (_, xml) => {
    expect(await faultsOf(xml)).toEqual([]);
  });
});
