import { describe, expect, it } from 'vitest';
import { groupFindings } from '../../../src/answer/builders/findings.js';
import { answerOfPreflight, answerOfVerify } from '../../../src/answer/builders/preflight.js';
import type { PreflightDocument } from '../../../src/answer/json/upgrade.js';
import type { FindingStatus, NotChecked } from '../../../src/checks/check.js';
import { checks } from '../../../src/checks/checks.js';
import { decide, type FailOn } from '../../../src/checks/decision.js';
import { describeFinding, findingStatusWords } from '../../../src/checks/describe.js';
import type { Verdict } from '../../../src/core/field-schemas.js';
import { parseVersion } from '../../../src/core/version.js';
import { judgedBy, noDemands } from '../../support/judged-by.js';

const [from, to] = ['1.0.0', '1.1.0'].map(parseVersion);
const [first, second] = checks.filter(({ canStop }) => canStop).map(({ id }) => id);
const [warning] = checks.filter(({ canStop }) => !canStop).map(({ id }) => id);
const evidence: NotChecked = { kind: 'check-failed', message: 'told' };

type Found = readonly [status: FindingStatus, ...more: FindingStatus[]];

/** A preflight whose first two checks can stop, and whose third can warn alone, by the statuses that each found. */
function answerOf([one, two, three]: readonly [Found, Found, Found], failOn: FailOn) {
  if (!from || !to || !first || !second || !warning) throw new Error('there are such checks');
  const all = [
    { id: first, canStop: true, statuses: one },
    { id: second, canStop: true, statuses: two },
    { id: warning, canStop: false, statuses: three },
  ];
  const counts = { stop: 0, 'not-checked': 0, warn: 0, ok: 0 };
  for (const { statuses } of all) counts[statuses[0]]++;
  const result: PreflightDocument['result'] = {
    ...{ from, to, notAsked: [], counts },
    checks: all.map(({ id, canStop, statuses }) => ({
      ...{ id, canStop, group: 'database', status: statuses[0] },
      whole: !statuses.includes('not-checked'),
    })),
    findings: all.flatMap(({ id, statuses }) =>
      statuses.map((status) => ({ check: id, status, subject: null, evidence })),
    ),
  };
  return answerOfPreflight({
    ...{ result, failOn, decision: decide(result, failOn), hops: 1, fromSource: '--from' },
    index: { source: 'index', generatedAt: '2026-09-06T18:00:00Z', latestVersion: to, sha256: '' },
    facts: { source: 'facts.json', collectedAt: '2026-09-06T18:00:00Z', ageMs: 0 },
    judgedBy,
    demands: noDemands,
  });
}

describe('a preflight for a pipeline', () => {
  const ok: Found = ['ok'];

  it.each<
    [
      found: readonly [Found, Found, Found],
      failOn: FailOn,
      verdict: Verdict,
      questions: string,
      label: string,
    ]
  >([
    [[ok, ok, ok], 'stop', true, 'yes; yes; yes', 'GO'],
    [[['stop'], ok, ok], 'stop', false, 'no; yes; yes', 'STOP'],
    [[['stop', 'not-checked'], ok, ok], 'stop', false, 'no; yes; yes', 'STOP'],
    [[ok, ['warn'], ok], 'stop', true, 'yes; yes, warn; yes', 'GO, WITH CARE'],
    [[ok, ['warn', 'ok'], ok], 'warn', false, 'yes; no; yes', 'STOP'],
    [[ok, ['stop', 'warn'], ok], 'warn', false, 'yes; no; yes', 'STOP'],
    [[ok, ['not-checked'], ok], 'stop', 'unknown', 'yes; no, not checked; yes', 'NOT KNOWN'],
    [[ok, ['not-checked', 'warn'], ok], 'stop', 'unknown', 'yes; no, not checked; yes', 'NOT KNOWN'],
    [[ok, ok, ['not-checked']], 'stop', true, 'yes; yes; yes, not checked', 'GO, WITH CARE'],
    [[ok, ok, ['not-checked']], 'warn', 'unknown', 'yes; yes; no, not checked', 'NOT KNOWN'],
  ])('found %j, where %s is a no: %j', (found, failOn, verdict, questions, label) => {
    const answer = answerOf(found, failOn);
    const yes = verdict === true;
    expect(answer).toMatchObject({ safe: yes, verdict, strategy: undefined, hops: [] });
    expect(answer.title).toBe('Upgrade preflight: 1.0.0 -> 1.1.0');
    expect(answer.headline.text).toMatch(new RegExp(`^${label}: `));
    expect(answer.headline.exitCode).toBe(yes ? 0 : verdict === false ? 1 : 3);
    expect(answer.questions.map(({ name }) => name)).toEqual([first, second, warning]);
    expect(
      answer.questions.map((one) => [...new Set([one.yes ? 'yes' : 'no', one.answer])].join(', ')).join('; '),
    ).toBe(questions);
  });
});

describe('what was not checked', () => {
  const lacking = (need: string, why = 'not-asked') => ({
    ...{ status: 'not-checked' as const, subject: null },
    evidence: { kind: 'facts-not-seen', missing: [{ need, why, detail: undefined }] } as NotChecked,
  });
  const grouped = (findings: Parameters<typeof groupFindings<never>>[0]) =>
    groupFindings<never>(findings, findingStatusWords, describeFinding);

  it('is one group for all that one thing would settle', () => {
    const needs = ['ledger', 'tables', 'indexes', 'locks', 'queue'];
    const [group, ...others] = grouped(needs.map((need) => ({ check: `${need}-check`, ...lacking(need) })));
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      checks: needs.map((need) => `${need}-check`),
      description: 'no database was read',
      remedy: { text: 'Pass --database, or --facts with a file that contains it.' },
    });
  });

  it('stands with everything that would settle it', () => {
    const groups = grouped([
      { check: 'a', ...lacking('ledger') },
      { check: 'b', ...lacking('ledger') },
      { check: 'b', ...lacking('disk-free') },
      { check: 'c', ...lacking('disk-free') },
    ]);
    expect(groups.map(({ checks }) => checks)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(groups[1]?.description).toBe('the free space on the database disk: not requested');
    expect(groups[1]?.remedy?.text).toMatch(/--disk-free/);
  });

  it('is not told of a check that stops, but of one that warns', () => {
    const groups = grouped([
      { check: 'a', status: 'stop', subject: null, evidence },
      { check: 'a', ...lacking('ledger') },
      { check: 'b', status: 'warn', subject: null, evidence },
      { check: 'b', ...lacking('ledger') },
    ]);
    expect(groups.map(({ status, checks }) => [status, ...checks])).toEqual([
      ['stop', 'a'],
      ['not-checked', 'b'],
      ['warn', 'b'],
    ]);
  });
});

it.each([
  ['not-verified', false, ['unreachable']],
  ['verified', true, []],
] as const)('what is %s names what keeps it from that', (outcome, safe, why) => {
  const lastState = { kind: 'unreachable', message: 'no', isUnknownHost: false } as const;
  const answer = answerOfVerify({
    ...{ outcome, safe, lastState, instance: 'https://bi.example.com', version: parseVersion('1.1.0') },
    ...{ polls: 3, pollsInRow: 0, elapsedMs: 0, facts: null, findings: [] },
  });
  expect(answer).toMatchObject({ safe, why });
  expect(answer.headline.exitCode === 0).toBe(safe);
});
