import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UpgradeVerifyOptions } from '../../src/commands/upgrade-verify.js';
import { parseVersion } from '../../src/core/version.js';
import { grantsSql } from '../../src/gather/database/grants.js';
import { runCli } from '../support/cli.js';
import { serving, startInstance, verify, waiting } from '../support/instance-server.js';
import { validatorOf } from '../support/json-schema.js';
import { instanceTables } from '../support/lightdash-tables.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { type ReleaseCase, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** After a deploy, on a real server: what the instance says of itself is held against what its database has run. */

const releaseDate = '2025-01-01T00:00:00Z';
const old = '20260801000000_old';
const brought = ['20260901000000_alter', '20260902000000_scan'];

const releases: readonly ReleaseCase[] = [
  { version: '2.0.0', migrations: [{ name: old }], entry: { releaseDate } },
  {
    version: '2.1.0',
    migrations: brought.map((name) => ({ name, tables: ['projects'] })),
    entry: { releaseDate },
  },
];

let cluster: Cluster;
const mirror = temporaryFolder();

beforeAll(async () => {
  await writeSituation(mirror, { releases });
  cluster = await startPostgres();
  cluster.database('instance', instanceTables({ names: [old, ...brought].map((name) => `${name}.js`) }));
  cluster.sql('instance', grantsSql('looker'));
});

const database = () => cluster.url('looker', 'instance');

/** Verifies 2.1.0, which the instance serves unless it is said otherwise. */
async function verified(
  options: Partial<UpgradeVerifyOptions> = {},
  { moment = serving('2.1.0'), onSleep }: { moment?: object; onSleep?: (sleeps: number) => void } = {},
) {
  const { url } = await startInstance(moment);
  return await verify(
    url,
    { version: parseVersion('2.1.0'), index: mirror, database: database(), ...options },
    { now: () => new Date(), ...(onSleep === undefined ? {} : { onSleep }) },
  );
}

/** Which checks ended how, but those that found nothing. */
async function found(options: Partial<UpgradeVerifyOptions> = {}): Promise<string[]> {
  const { stdout } = await verified({ ...options, json: true });
  const answer = JSON.parse(stdout);
  expect(validatorOf('upgrade-verify-result.json')(answer)).toBe(true);
  return answer.findings
    .filter(({ status }: { status: string }) => status !== 'ok')
    .map(
      ({ check, status, evidence }: { check: string; status: string; evidence: { kind: string } }) =>
        `${check}: ${status} ${evidence.kind}`,
    );
}

/** One of each outcome: test/checks/after-upgrade/checks.test.ts has all of them, and preflight.test.ts what brings them about. */
const scenes: readonly [finds: string, code: number, breaks: string, mends: string][] = [
  [
    'ledger: stop ledger-half-applied',
    1,
    `DELETE FROM knex_migrations WHERE name = '${brought[1]}.js'`,
    `INSERT INTO knex_migrations (name, batch) VALUES ('${brought[1]}.js', 3)`,
  ],
  [
    'primary: stop begins-read-only',
    1,
    'ALTER DATABASE instance SET default_transaction_read_only = on',
    'SET default_transaction_read_only = off; ALTER DATABASE instance RESET default_transaction_read_only',
  ],
  [
    'queue: warn jobs-failed',
    0,
    "INSERT INTO graphile_worker.jobs (task_identifier, attempts, max_attempts) VALUES ('t', 25, 25)",
    'DELETE FROM graphile_worker.jobs',
  ],
  [
    'ledger: not-checked facts-not-seen, invalid-indexes: not-checked facts-not-seen',
    3,
    'REVOKE SELECT (name) ON knex_migrations FROM looker',
    grantsSql('looker'),
  ],
];

describe('upgrade-verify --database', () => {
  it('verifies where the database is at the target, and nothing is stuck', async () => {
    const { code, stdout } = await verified();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Answer: Verified: .*ready, and serves 2\.1\.0/);
    expect(stdout).toContain('\nok          6 checks (--verbose lists them)\n');
    expect(await found()).toEqual([]);
  });

  it.each(scenes)('%s: exit %i', async (finds, code, breaks, mends) => {
    cluster.sql('instance', breaks);
    try {
      expect((await found()).join(', ')).toBe(finds);
      const outcome = await verified();
      expect(outcome.code).toBe(code);
      expect(outcome.stdout).toMatch(
        code === 0 ? /^Answer: Verified: / : /^Answer: (Not verified|not known): /,
      );
      if (code > 0) expect(outcome.stdout).toMatch(/\n +To do: [\s\S]*^Why: lightspan explain /m);
    } finally {
      cluster.sql('instance', mends);
    }
    expect(await found()).toEqual([]);
  });

  it('waits on where a migration still runs, until it has ended', async () => {
    const end = 'UPDATE migration_lease SET claim_token = NULL, last_heartbeat = NULL';
    cluster.during(
      'instance',
      'UPDATE migration_lease SET claim_token = gen_random_uuid(), last_heartbeat = now()',
      end,
    );
    const onSleep = (sleeps: number) => {
      if (sleeps === 4) cluster.sql('instance', end);
    };
    const { code, stdout, stderr } = await verified({}, { onSleep });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('(3 of 3 polls in a row, after 20 s)'),
    });
    expect(stderr).toMatch(
      /^10 s: ready, .*; waits on lock-and-lease: .*; migrating for \d+ s, heartbeat \d+ s ago: no lock of it is seen; nobody waits$/m,
    );
  });

  it.each([
    ['due since before it', "run_at) VALUES ('t', now() - interval '1 hour')"],
    ['left locked by a worker that died', "locked_at) VALUES ('t', now() - interval '5 hours')"],
  ])('waits on workers that have yet to take up a job, %s', async (_, job) => {
    const end = 'DELETE FROM graphile_worker.jobs';
    cluster.during('instance', `INSERT INTO graphile_worker.jobs (task_identifier, ${job}`, end);
    expect(await verified({ window: 30_000 })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('queue: '),
    });
    const onSleep = (sleeps: number) => {
      if (sleeps === 4) cluster.sql('instance', end);
    };
    expect(await verified({}, { onSleep })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^10 s: ready, .*; waits on queue: .*$/m),
    });
  });

  it('looks all the same where the instance is not ready, and the answer stays no', async () => {
    cluster.during(
      'instance',
      "UPDATE migration_lease SET parked_at = now(), parked_app_version = '2.1.0'",
      'UPDATE migration_lease SET parked_at = NULL, parked_app_version = NULL',
    );
    const { code, stdout } = await verified({}, { moment: waiting('schema_pending') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Answer: Not verified: .*schema_pending/);
    expect(stdout).toContain('lock-and-lease: ');
  });

  it('holds the database to the release that is served, where a newer one is taken for a yes', async () => {
    const moment = serving('2.1.0');
    const older = { version: parseVersion('2.0.0') };
    expect(await verified({ ...older, allowNewer: true }, { moment })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Answer: Verified: .*newer than 2\.0\.0/),
    });
    expect(await verified(older, { moment })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Answer: Not verified: .*newer than/),
    });
  });

  it('is no yes for a release that the index does not hold', async () => {
    expect(await verified({ version: parseVersion('2.2.0') }, { moment: serving('2.2.0') })).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^Answer: (Not verified|not known): [\s\S]*NOT CHECKED ledger/),
    });
  });

  it('is no yes where the artifacts do not tell what the release migrates', async () => {
    const bare = temporaryFolder();
    await writeSituation(bare, {
      // Released when its migrations were written, or they would be those of a newer release.
      releases: releases.map(({ entry: _, ...release }) => ({ ...release, artifact: 'missing' as const })),
    });
    const { code, stdout } = await verified({ index: bare });
    expect(code).toBe(3);
    expect(stdout).toContain('NOT CHECKED ledger');
  });

  it('takes facts that were collected after the deploy in place of a connection', async () => {
    const file = join(temporaryFolder(), 'facts.json');
    const { stdout: sql } = await runCli(['upgrade-preflight', '--sql']);
    writeFileSync(file, cluster.sql('instance', sql, 'looker'));
    const { url } = await startInstance(serving('2.1.0'));
    const argv = ['upgrade-verify', '--instance', url, '--version', '2.1.0', '--window', '0s'];
    const outcome = await runCli([...argv, '--facts', file, '--index', mirror], { now: new Date() });
    expect(outcome).toMatchObject({ code: 0, stderr: expect.any(String) });
    expect(outcome.stdout).toContain(`\nFacts: ${file}, collected `);
  });

  it('measures nothing, however often it looks', async () => {
    cluster.sql('postgres', "ALTER SYSTEM SET log_statement = 'all'");
    cluster.sql('postgres', 'SELECT pg_reload_conf()');
    const before = (await cluster.log()).length;
    await verified({ window: 0 });
    const asked = (await cluster.log()).slice(before);
    expect(asked).toContain('knex_migrations');
    expect(asked).not.toMatch(/probe_pages|generate_series/);
  });
});
