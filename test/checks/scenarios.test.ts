import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { inputOf, type Situation } from '../support/preflight.js';
import { type Scenario, scenarios } from './scenarios.js';

/**
 * The incidents of the fact sheet, each as a file in `scenarios/`: the way, the facts in which the instance differs from
 * the same one without the incident, and what is found; the words of it are elsewhere. Write them anew with
 * `npx vitest run test/checks/scenarios.test.ts --update`, and read the difference.
 */

function answer(situation: Situation, asked: Scenario['asked'] = 'database') {
  const input = inputOf(situation);
  const only = new Set(checks.filter(({ group }) => group === asked).map(({ id }) => id));
  const result = runChecks(checks, input, only);
  const found = result.findings.filter(({ status }) => status !== 'ok');
  return { input, decision: decide(result, 'stop'), findings: found };
}

/** What is told of the broken instance and not of the healthy one. */
function differences({ broken, healthy }: Scenario): object {
  const same = Object.entries(inputOf(healthy).facts).map(
    ([name, fact]) => `${name} ${JSON.stringify(fact)}`,
  );
  const own = Object.entries(inputOf(broken).facts).filter(
    ([name, fact]) => !same.includes(`${name} ${JSON.stringify(fact)}`),
  );
  return Object.fromEntries(own);
}

const rows = Object.entries(scenarios);

it.each(rows)('%s', async (name, scenario) => {
  const { source, expected, asked, broken } = scenario;
  const { input, decision, findings } = answer(broken, asked);
  const { from, to, edition = 'not stated' } = input;
  const way = { from, to, edition, releases: broken.releases };
  const record = { source, expected, way, facts: differences(scenario), decision, findings };
  await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(`scenarios/${name}.json`);
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
