import { expect, it } from 'vitest';
import { factsScript } from '../../../src/sources/database/facts-script.js';
import { grantsSql } from '../../../src/sources/database/grants.js';

/** Every query, which a live connection asks, too: `facts-script.sql`. */

it('the script that collects facts is held, whole', async () => {
  await expect(factsScript({ migratingRole: "o'migrator's" })).toMatchFileSnapshot('facts-script.sql');
});

it('the script that grants the least role is held, whole', async () => {
  await expect(grantsSql("o'looker")).toMatchFileSnapshot('grants.sql');
});

it('the script that measures nothing is the same but for that', () => {
  const lines = new Set(factsScript().split('\n'));
  const script = factsScript({ measure: false }).split('\n');
  const [answers, refused, ...others] = script.filter((line) => !lines.has(line));
  expect(others).toEqual([]);
  expect(answers?.match(/"status":"not-asked","source":"database"}' AS "answer_\w+Rate"/g)).toHaveLength(2);
  expect(refused).toContain('observation AS "answer_readRate", observation AS "answer_sortRate"');
});
