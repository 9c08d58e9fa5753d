import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { decide } from '../../src/checks/decision.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { inputOf, type Situation } from '../support/preflight.js';
import { withoutRemedies } from '../support/remedies.js';
import { folder, type Scenario, scenarios } from './scenarios.js';

/** What is found is a part of each file: write it anew with `--update`, and read the difference; its words are elsewhere. */

function answer(situation: Situation, asked: Scenario['asked'] = 'database') {
  const only = new Set(checks.filter(({ group }) => group === asked).map(({ id }) => id));
  const result = runChecks(checks, inputOf(situation), only);
  const found = result.findings.filter(({ status }) => status !== 'ok');
  return { decision: decide(result, 'stop'), findings: found };
}

/** Whatever else is in order: who crosses a major is told. */
function withoutMajors({ findings }: ReturnType<typeof answer>) {
  return findings.filter(({ check }) => check !== 'majors');
}

const rows = Object.entries(scenarios);

it.each(rows)('%s', async (name, { asked, broken }) => {
  const file = new URL(`${name}.json`, folder);
  const { decision, findings } = answer(broken, asked);
  const record = { ...JSON.parse(readFileSync(file, 'utf8')), decision, findings };
  await expect(withoutRemedies(`${JSON.stringify(record, null, 2)}\n`)).toMatchFileSnapshot(file.pathname);
});

describe('an incident', () => {
  it.each(rows.filter(([, { expected }]) => typeof expected === 'string'))(
    '%s is seen by its check, and the same instance without it is not',
    (_, { expected, asked, broken, healthy }) => {
      const seen = answer(broken, asked).findings.filter(({ check }) => check === expected);
      expect(answer(healthy, asked).findings.filter(({ check }) => check === expected)).toEqual([]);
      expect(seen.map(({ status }) => status)).toContainEqual(expect.stringMatching(/^(?:stop|warn)$/));
      expect(withoutMajors(answer(healthy, asked))).toEqual([]);
    },
  );

  it.each(rows.filter(([, { expected }]) => typeof expected !== 'string'))(
    '%s is missed',
    (_, { asked, broken }) => {
      expect(withoutMajors(answer(broken, asked))).toEqual([]);
    },
  );
});
