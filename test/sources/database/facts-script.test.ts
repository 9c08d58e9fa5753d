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
  expect(script.filter((line) => !lines.has(line))).toEqual([
    expect.stringMatching(
      /^SELECT '.*"status":"not-asked".*' AS "unread_readRate", '.*"status":"not-asked".*' AS "unread_sortRate" \\gset$/,
    ),
    expect.stringMatching(/observation AS "unread_sortRate"/),
  ]);
});
