import { describe, expect, it } from 'vitest';
import { checks } from '../../src/preflight/checks.js';
import { decide } from '../../src/preflight/decision.js';
import { runChecks } from '../../src/preflight/run-checks.js';
import { describeFinding } from '../../src/render/words/checks.js';
import { inputOf, type Situation } from '../support/preflight.js';
import { type Scenario, scenarios } from './scenarios.js';

/**
 * The incidents of the fact sheet, each as a file in `scenarios/`: way, facts, and what is found. Write them anew with
 * `npx vitest run test/preflight/scenarios.test.ts --update`, and read the difference.
 */

function answer(situation: Situation, asked: Scenario['asked'] = 'database') {
  const input = inputOf(situation);
  const only = new Set(checks.filter(({ group }) => group === asked).map(({ id }) => id));
  const result = runChecks(checks, input, only);
  return {
    way: {
      from: input.from,
      to: input.to,
      edition: input.edition ?? 'not stated',
      releases: situation.releases,
    },
    facts: input.facts,
    decision: decide(result, 'stop'),
    findings: result.findings
      .filter(({ status }) => status !== 'ok')
      .map((finding) => ({ check: finding.check, status: finding.status, ...describeFinding(finding) })),
  };
}

const rows = Object.entries(scenarios);

it.each(rows)('%s', async (name, { source, expected, asked, broken }: Scenario) => {
  const text = `${JSON.stringify({ source, expected, ...answer(broken, asked) }, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`scenarios/${name}.json`);
});

describe('an incident', () => {
  it.each(rows.filter(([, { expected }]) => typeof expected === 'string'))(
    '%s is seen by its check, and the same instance without it is not',
    (_, { expected, asked, broken, healthy }) => {
      const seen = answer(broken, asked).findings.filter(({ check }) => check === expected);
      expect(seen.map(({ status }) => status)).toContainEqual(expect.stringMatching(/^(?:stop|warn)$/));
      expect(answer(healthy, asked).findings).toEqual([]);
    },
  );

  it.each(rows.filter(([, { expected }]) => typeof expected !== 'string'))(
    '%s is missed',
    (_, { asked, broken }) => {
      expect(answer(broken, asked).findings).toEqual([]);
    },
  );
});
