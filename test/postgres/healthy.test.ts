import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../src/checks/checks.js';
import { runChecks } from '../../src/checks/run-checks.js';
import { factsScript } from '../../src/gather/database/facts-script.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { parseFactsFile } from '../../src/instance/facts/read-facts.js';
import { collect } from '../support/facts-of-database.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { factsOf, healthyFacts, inputOf, issuesUnder } from '../support/preflight.js';

/** A database with nothing the matter has no warning, on the oldest server, the installed one and the newest. */

const ran = '20260801000000_ran';
const releaseDate = '2025-01-01T00:00:00Z';
const releases = [
  { version: '2.0.0', migrations: [{ name: ran }], entry: { releaseDate } },
  {
    version: '2.1.0',
    migrations: [
      { name: '20260901000000_alter', tables: ['saved_queries'], does: ['locks' as const] },
      {
        name: '20260902000000_fill',
        tables: ['scheduler_log'],
        does: ['rewrites' as const, 'scans' as const],
      },
      { name: '20260903000000_drop_index', tables: ['query_history'] },
    ],
    entry: { releaseDate },
  },
];

describe.each([undefined, '12', '18'])('PostgreSQL %s', (major) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startPostgres({}, [], major);
    cluster.database('instance', instanceTables({ names: [`${ran}.js`] }));
    cluster.sql('instance', 'CREATE EXTENSION "uuid-ossp"');
    cluster.sql('instance', grantsSql('looker'));
  });
  afterAll(() => cluster.stop());

  const found = ({ facts }: Awaited<ReturnType<typeof collect>>) => {
    // So small a database tells nothing of how fast its server is.
    const { readRate, sortRate } = factsOf(healthyFacts());
    const input = {
      ...inputOf({ releases, diskFree: 40 * 1024 ** 3 }),
      facts: { ...facts, readRate, sortRate },
    };
    const only = new Set(checks.filter(({ group }) => group === 'database').map(({ id }) => id));
    return runChecks(checks, { ...input, issues: issuesUnder(input) }, only)
      .findings.filter(({ status }) => status !== 'ok')
      .map(({ check, status, evidence }) => `${check}: ${status} ${evidence.kind}`);
  };

  it('has nothing to warn of, by the least role', async () => {
    expect(found(await collect(cluster.url('looker', 'instance')))).toEqual([]);
  });

  it('has nothing to warn of, by the script', () => {
    const script = factsScript({ measure: false });
    expect(found(parseFactsFile(cluster.sql('instance', script, 'looker')))).toEqual([]);
  });
});
