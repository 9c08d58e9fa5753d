import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { describeFinding } from '../../src/checks/describe.js';
import { knownIssues } from '../../src/checks/known-issues.js';
import { runChecks } from '../../src/checks/run-checks.js';
import type { AppliedIssue, IssueEffect } from '../../src/core/results.js';
import { requireVersion } from '../../src/core/version.js';
import {
  healthyFacts,
  inputOf,
  ledgerOf,
  recordEvidence,
  type Situation,
  upgradeTo,
} from '../support/preflight.js';

const issue = (effect: IssueEffect, ...notKnown: readonly string[]): AppliedIssue => ({
  id: `issue-${effect.kind}`,
  summary: 'It breaks.',
  version: requireVersion('2.1.0'),
  effect,
  remedy: 'Fix it.',
  notKnown,
});
const stops = [requireVersion('2.0.5')];
const timezone = '20260610120000_default_saved_chart_timezone_to_project';

function found(issues: readonly AppliedIssue[] | undefined) {
  return runChecks([knownIssues], { ...inputOf({}), issues }).findings;
}

describe('known issues', () => {
  it.each<[string, readonly AppliedIssue[] | undefined, readonly string[]]>([
    ['none', [], ['ok no-known-issue']],
    ['left out', undefined, ['not-checked facts-not-seen']],
    ['do not land', [issue({ kind: 'avoid-landing' })], ['stop known-issue-stops issue-avoid-landing']],
    ['stops', [issue({ kind: 'required-stops', stops })], ['stop known-issue-stops issue-required-stops']],
    ['something first', [issue({ kind: 'action-first' })], ['stop known-issue-stops issue-action-first']],
    [
      'one that may apply',
      [issue({ kind: 'action-first' }, 'edition')],
      ['stop known-issue-stops issue-action-first'],
    ],
    ['no overlap', [issue({ kind: 'recreate' })], ['warn known-issue-warns issue-recreate']],
    [
      'one that may take long',
      [issue({ kind: 'long', seen: 'hours' }, 'rows.sessions')],
      ['warn known-issue-warns issue-long'],
    ],
    [
      'several, the gravest first',
      [issue({ kind: 'recreate' }), issue({ kind: 'avoid-landing' })],
      ['stop known-issue-stops issue-avoid-landing', 'warn known-issue-warns issue-recreate'],
    ],
  ])('%s', (_, issues, expected) => {
    const findings = found(issues);
    recordEvidence(findings);
    const lines = findings.map(({ status, subject, evidence }) =>
      [status, evidence.kind, ...(subject === null ? [] : [subject])].join(' '),
    );
    expect(lines).toEqual(expected);
  });

  it.each<[string, Situation['facts'], RegExp]>([
    ['of this database', {}, /; seen: hours; on this database: up to \d+ seconds?$/],
    ['of no database that was seen', { tables: 'not-permitted' }, /; seen: hours$/],
    ['of one that has it behind it', { ledger: ledgerOf(timezone) }, /; seen: hours$/],
  ])('tell beside what was seen elsewhere the time %s', (_, facts, expected) => {
    const releases = ['0.3137.0', '0.3138.0'].map((version) => ({ version, artifact: 'missing' as const }));
    const situation = { releases, facts: { ...healthyFacts('20260101000000_any'), ...facts } };
    const issues = [{ ...issue({ kind: 'long', seen: 'hours' }), id: 'timezone-backfill-rescans' }];
    const [finding] = runChecks([knownIssues], { ...inputOf(situation), issues }).findings;
    expect(finding && describeFinding(finding).description).toMatch(expected);
  });

  it('that were left out are no go, where nothing else is in the way', () => {
    const input = { ...inputOf(upgradeTo([])), diskFree: 2 ** 40 };
    expect(decide(runChecks(checks, { ...input, issues: [] }), 'stop')).toBe('go');
    expect(decide(runChecks(checks, { ...input, issues: undefined }), 'stop')).toBe('not-known');
  });
});
