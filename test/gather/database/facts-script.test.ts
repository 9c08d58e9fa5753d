import { expect, it } from 'vitest';
import { factsScript } from '../../../src/gather/database/facts-script.js';
import { grantsSql } from '../../../src/gather/database/grants.js';

/** Every query, which a live connection asks, too: `facts-script.sql`. */

it('the script that collects facts is held, whole', async () => {
  await expect(factsScript({ migratingRole: "o'migrator's" })).toMatchFileSnapshot('facts-script.sql');
});

it('the script that grants the least role is held, whole', async () => {
  await expect(grantsSql("o'looker")).toMatchFileSnapshot('grants.sql');
});

it('the script that measures nothing ends with another fact', () => {
  const lines = new Set(factsScript().split('\n'));
  const others = factsScript({ measure: false })
    .split('\n')
    .filter((line) => !lines.has(line));
  expect(others).toEqual([`\\echo '"vacuums":':answer_vacuums`]);
});
