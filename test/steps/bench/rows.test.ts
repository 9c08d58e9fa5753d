import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Bench, Benches, type BenchOf, composeFile } from './bench.js';

/** What operators do, and what must not come of it. */
const benches = new Benches();

const open = (of: BenchOf) => benches.open(of);

const compose = { kind: 'compose' } as const;
const helm = { kind: 'helm' } as const;
/** The variables of a client as the role of Lightdash, which is no superuser. */
const asLightdash = ({ database }: Bench) => ({
  PGHOST: benches.server.socketDir,
  PGPORT: String(benches.server.port),
  PGUSER: 'lightdash',
  PGDATABASE: database,
});

const stops = (bench: Bench) =>
  bench.calls().filter((call) => / stop | down|replicas=0|upgrade bi(?!.*dry-run)/.test(call));

describe('what is no end is not called one', () => {
  it.each([
    ['a parked migration', { parked: true }, 'is parked'],
    ['an answer from a cache', { age: 30 }, 'comes from a cache'],
    ['an old pod that answers every second time', { alternate: '1.125.0' }, 'three times in a row'],
  ])('%s', async (_, answers, said) => {
    const bench = await open({ ...compose, strategy: 'RollingUpdate' });
    bench.answers = answers;
    const { status, out } = await bench.hop('--yes', { LIGHTSPAN_WAIT: '30' });
    expect(status).toBe(1);
    expect(out).toContain(said);
    expect(out).toMatch(/^Backup: .*\.dump \(\d+ bytes, SHA-256 [0-9a-f]{64}\)$/m);
    expect(out).toMatch(/^To go back to 1\.125\.0: sh hops\/hop-1-back\.sh$/m);
    expect(out).not.toContain('Done.');
  });
});

describe('another deployment is left alone', () => {
  it('PGDATABASE of staging', async () => {
    const bench = await open({ ...helm, deployment: { database: undefined } });
    benches.server.database(`staging_${benches.count}`, 'CREATE TABLE knex_migrations (id int, name text)');
    const env = { PGHOST: benches.server.socketDir, PGPORT: String(benches.server.port), PGUSER: 'postgres' };
    const { status, out } = await bench.hop('--yes', { ...env, PGDATABASE: `staging_${benches.count}` });
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain(`PGDATABASE is staging_${benches.count}, and Lightdash uses ${bench.database}`);
    expect(await bench.hop('--yes', { ...env, PGDATABASE: bench.database })).toMatchObject({ status: 0 });
  });

  it('another context of kubectl', async () => {
    const bench = await open(helm);
    bench.change((world) => {
      world.context = 'staging';
    });
    const { status, out } = await bench.hop('--yes');
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('kubectl does not use the context prod');
  });

  it('a project that is not what answers at the address: it is noticed at the stop, with what starts it again', async () => {
    const bench = await open(compose);
    bench.answers = { other: bench.from };
    const { status, out } = await bench.hop('--yes');
    expect(status).toBe(1);
    expect(out).toContain('another Lightdash answers there');
    expect(out).toContain(`To start ${bench.from} again instead: docker compose start lightdash worker`);
    expect(bench.isMigrated()).toBe(false);
    bench.shell('docker compose start lightdash worker');
    expect(bench.running()).toBe(bench.from);
  });

  it('another Docker host than that of the first run has a state of its own', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'up --detach', how: 'fail' };
    });
    expect(await bench.hop('--yes')).toMatchObject({ status: 1 });
    const { status, out } = await bench.hop('4', { DOCKER_HOST: 'ssh://other' });
    expect(status).toBe(1);
    expect(out).toContain(
      'No first run of this hop is known for docker compose project bi, host ssh://other',
    );
    expect(bench.isMigrated()).toBe(false);
  });

  it('another project', async () => {
    const bench = await open(compose);
    const { status, out } = await bench.hop('--yes', { COMPOSE_PROJECT_NAME: 'other' });
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('The service lightdash does not run');
  });
});

describe('a continuation', () => {
  it('starts no tag that somebody has moved since', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'up --detach', how: 'fail' };
    });
    expect(await bench.hop('--yes')).toMatchObject({ status: 1 });
    bench.setTag('2.134.2');
    const { status, out } = await bench.hop('4');
    expect(status).toBe(1);
    expect(out).toContain(`does not give ${bench.to} to the service lightdash`);
    expect(bench.isMigrated()).toBe(false);
    bench.setTag(bench.to);
    expect(await bench.hop('4')).toMatchObject({ status: 0 });
    expect(bench.running()).toBe(bench.to);
  });

  it('in a shell without COMPOSE_PROFILES starts what ran', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'up --detach', how: 'fail' };
    });
    await bench.hop('--yes', { COMPOSE_PROFILES: 'worker' });
    expect(await bench.hop('4')).toMatchObject({ status: 0 });
    expect(bench.running()).toBe(bench.to);
  });

  it('after an abort backs up again, with nobody at work', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'pg_dump --format', how: 'fail' };
    });
    const { out } = await bench.hop('--yes');
    expect(out).toContain(`To start ${bench.from} again instead: docker compose start lightdash worker`);
    bench.shell('docker compose start lightdash worker');
    bench.sql("INSERT INTO projects (name) VALUES ('written meanwhile')");
    const before = bench.fingerprint();
    expect(await bench.hop('3')).toMatchObject({ status: 0 });
    bench.setTag(bench.from);
    expect(await bench.back('--yes')).toMatchObject({ status: 0 });
    expect(bench.fingerprint()).toBe(before);
  });

  it('does not start on a backup that is older than a day', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'config --images lightdash', nth: 4, how: 'fail' };
    });
    expect(await bench.hop('--yes')).toMatchObject({ status: 1 });
    bench.shell('find backups -name "*.dump" -exec touch -d "25 hours ago" {} +');
    const { status, out } = await bench.hop('4');
    expect(status).toBe(1);
    expect(out).toContain('The backup is older than a day: begin with step 3.');
    expect(bench.isMigrated()).toBe(false);
    expect(await bench.hop('3')).toMatchObject({ status: 0 });
  });

  it('does not start on a backup that misses what was written since', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.fault = { call: 'config --images lightdash', nth: 4, how: 'fail' };
    });
    expect(await bench.hop('--yes')).toMatchObject({
      status: 1,
      out: expect.stringContaining('Stopped in step 4'),
    });
    bench.sql("INSERT INTO projects (name) VALUES ('written meanwhile')");
    const { status, out } = await bench.hop('4');
    expect(status).toBe(1);
    expect(out).toContain('The database was written to after the backup: begin with step 3.');
    expect(bench.isMigrated()).toBe(false);
  });
});

describe('a second Lightdash', () => {
  const fork = (tag: string, database: string) =>
    composeFile(
      tag,
      database,
      `  exports:
    image: our/fork:9
    environment: {PGHOST: db, PGDATABASE: ${database}, LIGHTDASH_SECRET: secret}
`,
    );

  it('of the same project that the plan does not name is refused, and says what to set', async () => {
    const bench = await open({ ...compose, compose: fork });
    bench.shell('docker compose up --detach exports');
    bench.write('calls', '');
    const { status, out } = await bench.hop('--yes');
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toMatch(
      /Not of this plan, but Lightdash, in the same project: exports\nSet LIGHTDASH_SERVICE .*, or OTHER_LIGHTDASH/,
    );
  });

  describe('of another image, which the plan is told of', () => {
    const both = (tagOfTheirs: (tag: string) => string) => (tag: string, database: string) =>
      composeFile(
        tag,
        database,
        `  exports:
    build: ./own
    image: our/lightdash:${tagOfTheirs(tag)}
    environment: {PGHOST: db, PGDATABASE: ${database}, LIGHTDASH_SECRET: secret}
`,
      );
    const told = { LIGHTDASH_SERVICE: 'lightdash worker exports' };
    const images = (bench: Bench) =>
      Object.fromEntries(
        Object.values<{ service: string; image: string }>(bench.world().containers).map(
          ({ service, image }) => [service, image],
        ),
      );

    it('goes along with its own image, which is built here', async () => {
      const bench = await open({ ...compose, compose: both((tag) => tag) });
      bench.setTag(bench.from);
      bench.shell('docker compose up --detach exports');
      bench.setTag(bench.to);
      bench.write('calls', '');
      const without = await bench.hop('--yes', told);
      expect({ status: without.status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
      expect(without.out).toContain(`The image our/lightdash:${bench.to} cannot be pulled, and is not here`);
      bench.change((world) => {
        world.loaded = [`our/lightdash:${bench.to}`];
      });
      const { status, out } = await bench.hop('--yes', told);
      expect(status, out).toBe(0);
      expect(images(bench)).toMatchObject({
        lightdash: `lightdash/lightdash:${bench.to}`,
        exports: `our/lightdash:${bench.to}`,
      });
      bench.setTag(bench.from);
      expect(await bench.back('--yes', told)).toMatchObject({ status: 0 });
      expect(images(bench)).toMatchObject({
        lightdash: `lightdash/lightdash:${bench.from}`,
        exports: `our/lightdash:${bench.from}`,
      });
    });

    it('is not replaced where its release is not that of the plan', async () => {
      const bench = await open({ ...compose, compose: both(() => '9') });
      bench.shell('docker compose up --detach exports');
      bench.write('calls', '');
      const { status, out } = await bench.hop('--yes', told);
      expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
      expect(out).toContain('The service exports runs our/lightdash:9, and not 1.111.0');
      expect(images(bench)).toMatchObject({ exports: 'our/lightdash:9' });
    });
  });

  it('that is connected to the database stops the backup', async () => {
    const bench = await open(compose);
    const client = bench.run(
      `psql -X -h ${benches.server.socketDir} -p ${benches.server.port} -U lightdash -d ${bench.database} -c 'SELECT pg_sleep(600)'`,
    );
    const sessions = `SELECT count(*) FROM pg_stat_activity WHERE datname = '${bench.database}' AND query LIKE 'SELECT pg_sleep%'`;
    await expect.poll(() => bench.sql(sessions, 'postgres')).toBe('1');
    const { status, out } = await bench.hop('--yes');
    process.kill(client.pid);
    expect(status).toBe(1);
    expect(out).toContain('Something may still write to the database');
    expect(out).toContain('OTHER_SESSIONS=allowed');
  });

  it('run of the same hop is refused while the first is at work', async () => {
    const bench = await open({ ...compose, lasts: true });
    const first = bench.hop('--yes');
    await expect.poll(() => bench.calls().some((call) => call.includes('up --detach'))).toBe(true);
    for (const step of ['', '2', '3']) {
      const { status, out } = await bench.hop(`${step} --yes`);
      expect({ step, status }).toEqual({ step, status: 1 });
      expect(out).toMatch(/This hop is run by \d+/);
      // In another home, nothing is known of the first.
      expect(
        await bench.hop(`${step} --yes`, { LIGHTSPAN_BACKUPS: join(bench.home, 'other') }),
      ).toMatchObject({ status: 1 });
    }
    bench.goOn();
    expect(await first).toMatchObject({ status: 0 });
    expect({ killed: bench.world().killedMigrations, runs: bench.running() }).toEqual({
      killed: 0,
      runs: bench.to,
    });
  });
});

describe('before anything stops', () => {
  it.each([
    ['a folder in a Git tree', { LIGHTSPAN_BACKUPS: 'tree/backups' }, 'is in the Git tree'],
    ['a folder that is a file', { LIGHTSPAN_BACKUPS: 'block.sh' }, 'set LIGHTSPAN_BACKUPS'],
    ['no room', { PATH: 'small' }, 'has room for 1 kB'],
  ])('%s is seen', async (_, env, said) => {
    const bench = await open(compose);
    mkdirSync(join(bench.folder, 'tree', '.git'), { recursive: true });
    mkdirSync(join(bench.folder, 'small'));
    bench.write('small/df', "#!/bin/sh\necho; echo 'x 1 1 1'\n");
    bench.shell('chmod +x small/df');
    const path = 'PATH' in env ? { PATH: `${bench.folder}/small:${bench.env().PATH}` } : env;
    const { status, out } = await bench.hop('--yes', path);
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain(said);
  });

  it('a folder that only others may write is seen', async () => {
    const bench = await open(compose);
    bench.shell(
      'mkdir -p backups/docker-compose-project-bi--host-default; chmod -R a+rX,go-w backups; chmod 777 calls world.json',
    );
    const { status, out } = await bench.run(
      'setpriv --reuid=65534 --regid=65534 --clear-groups sh hops/hop.sh --yes',
    );
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('cannot be written: set LIGHTSPAN_BACKUPS');
  });

  it.each([
    ['only docker-compose 1', 'there is no plugin'],
    ['podman, whose compose is of others', 'unrecognized command'],
  ])('%s is told apart from a wrong tag', async (_, said) => {
    const bench = await open(compose);
    mkdirSync(join(bench.folder, 'without'));
    bench.write('without/docker', `#!/bin/sh\necho '${said}' >&2\nexit 125\n`);
    bench.shell('chmod +x without/docker');
    const { status, out } = await bench.hop('--yes', { PATH: `${bench.folder}/without:${bench.env().PATH}` });
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('There is no docker compose here (its plugin, from version 2 on)');
    expect(out).not.toContain('set the tag');
  });

  it('a role that cannot rename databases is told of the way back, and goes on', async () => {
    const bench = await open({ ...helm, deployment: { database: undefined } });
    const { out, status } = await bench.hop('--yes', asLightdash(bench));
    expect(out).toContain('the way back needs an administrator, or a snapshot');
    expect(status, out).toBe(0);
  });

  it('a lock that a session holds is seen', async () => {
    const bench = await open(compose);
    bench.shell("sed -i 's/lock-wait-timeout=30s/lock-wait-timeout=1s/' hops/lib.sh");
    const client = bench.run(
      `psql -X -h ${benches.server.socketDir} -p ${benches.server.port} -U lightdash -d ${bench.database} -c 'BEGIN; LOCK projects' -c 'SELECT pg_sleep(600)'`,
    );
    await expect
      .poll(() =>
        bench.sql(
          "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'projects'::regclass",
        ),
      )
      .toBe('1');
    const { status } = await bench.hop('--yes');
    process.kill(client.pid);
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
  });

  it('a table of another role, which this one may not read, is seen', async () => {
    const bench = await open({ ...helm, deployment: { database: undefined } });
    bench.sql('CREATE TABLE of_others (id int)');
    const { status, out } = await bench.hop('--yes', asLightdash(bench));
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('This role cannot dump all of');
    expect(out).toContain('of_others');
  });

  it.each(['argocd.argoproj.io/instance', 'helm.toolkit.fluxcd.io/name'])(
    'what is applied from Git is left alone: %s',
    async (label) => {
      const bench = await open(helm);
      bench.change((world) => {
        world.clusters.prod.deployments['bi-backend'].labels = { [label]: 'bi' };
      });
      const { status, out } = await bench.hop('--yes');
      expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
      expect(out).toContain('is applied from Git');
    },
  );

  it('values that only the release has are not dropped', async () => {
    const bench = await open(helm);
    bench.change((world) => {
      world.clusters.prod.release.values = 'note: set';
    });
    const { status, out } = await bench.hop('--yes');
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('RELEASE_VALUES=drop');
  });
});

describe('Helm', () => {
  it('an autoscaler and the former number of pods come back', async () => {
    const bench = await open(helm);
    bench.change((world) => {
      world.clusters.prod.autoscalers = { bi: 'bi-backend' };
    });
    expect(await bench.hop('--yes')).toMatchObject({ status: 0 });
    const { deployments, autoscalers } = bench.world().clusters.prod;
    expect({ autoscalers, replicas: deployments['bi-backend'].replicas }).toEqual({
      autoscalers: { bi: 'bi-backend' },
      replicas: 2,
    });
  });

  it('an autoscaler that the chart removes comes back, also after a continuation', async () => {
    const bench = await open(helm);
    bench.change((world) => {
      world.clusters.prod.autoscalers = { bi: 'bi-backend' };
      world.fault = { call: 'helm upgrade bi', nth: 2, how: 'fail' };
    });
    expect(await bench.hop('--yes')).toMatchObject({ status: 1 });
    bench.change((world) => {
      world.clusters.prod.autoscalers = {};
    });
    const { status, out } = await bench.hop('4');
    expect(status, out).toBe(0);
    const { deployments, autoscalers } = bench.world().clusters.prod;
    expect({ autoscalers, replicas: deployments['bi-backend'].replicas }).toEqual({
      autoscalers: { bi: 'bi-backend' },
      replicas: 2,
    });
  });

  it.each(['./lightdash-2.16.361.tgz', 'oci://registry.example.com/charts/lightdash', 'mirror/lightdash'])(
    'takes the chart from another place, and asks no repository of the publisher: %s',
    async (chart) => {
      const bench = await open(helm);
      const { status, out } = await bench.hop('--yes', { CHART: chart });
      expect(status, out).toBe(0);
      const calls = bench.calls();
      expect(calls.filter((call) => call.startsWith('helm repo'))).toEqual([]);
      const named = calls.filter((call) => /^helm (?:template|upgrade) /.test(call));
      expect(named.filter((call) => !call.includes(` bi ${chart} `))).toEqual([]);
    },
  );

  it('that lost its terminal is waited for: no second job, no rollback, and the end is the target', async () => {
    const bench = await open({ ...helm, lasts: true });
    const first = bench.hop('--yes');
    await expect.poll(() => Object.keys(bench.world().clusters.prod.jobs)).toEqual(['bi-migrate']);
    process.kill(-first.pid, 'SIGKILL');
    await first;
    expect(bench.world().clusters.prod.release.status).toBe('pending-upgrade');
    const again = bench.hop('4');
    const asks = () => bench.calls().filter((call) => call.includes('get job')).length;
    const before = asks();
    await expect.poll(asks).toBeGreaterThan(before + 1);
    bench.goOn();
    const { status, out } = await again;
    expect(status, out).toBe(0);
    expect({ killed: bench.world().killedMigrations, runs: bench.running() }).toEqual({
      killed: 0,
      runs: bench.to,
    });
    expect(bench.calls().filter((call) => /rollback/.test(call))).toEqual([]);
  });

  it('leaves the log of a failed job, and names the backup', async () => {
    const bench = await open(helm);
    bench.change((world) => {
      world.migrations[bench.to] = 'SELECT 1/0';
    });
    const { status, out } = await bench.hop('--yes');
    expect(status).toBe(1);
    const [, log = ''] = /events are in (\S+)/.exec(out) ?? [];
    expect(readFileSync(log, 'utf8')).toContain('the events');
    expect(out).toMatch(/^Backup: /m);
    bench.setTag(bench.from);
    expect(await bench.back('--yes')).toMatchObject({ status: 0 });
    expect(bench.running()).toBe(bench.from);
  });

  it('a context whose name has the signs of an address is one folder, and is gone back in', async () => {
    const bench = await open(helm);
    const context = 'arn:aws:eks:eu-west-1:123456789012:cluster/bi';
    bench.change((world) => {
      world.context = context;
      world.clusters = { [context]: world.clusters.prod, prod: world.clusters.staging };
    });
    const env = { KUBE_CONTEXT: context };
    const { status, out } = await bench.hop('--yes', env);
    expect(status, out).toBe(0);
    expect(readdirSync(bench.backups)).toHaveLength(1);
    expect(bench.world().clusters.prod.deployments['bi-backend'].image).toContain(bench.from);
    bench.setTag(bench.from);
    expect(await bench.back('--yes', env)).toMatchObject({ status: 0 });
    expect(bench.running()).toBe(bench.from);
    // What the bench ends with is the cluster of this name.
    bench.change((world) => {
      world.clusters.prod = world.clusters[context];
    });
  });
});

describe('compose', () => {
  it('leaves a database in no named volume alone, and what lies in the folder of the plan', async () => {
    const bench = await open(compose);
    bench.change((world) => {
      world.anonymousVolume = true;
    });
    const before = readdirSync(bench.folder).sort();
    expect(await bench.hop('--yes')).toMatchObject({ status: 0 });
    expect(bench.calls().filter((call) => /compose down|up --detach$/.test(call))).toEqual([]);
    expect(bench.world().newDatabase).toBeUndefined();
    expect(
      readdirSync(bench.folder)
        .filter((name) => !name.startsWith('migration'))
        .sort(),
    ).toEqual(before);
    expect(existsSync(join(bench.folder, 'home', 'lightspan-backups'))).toBe(false);
  });

  it('goes back in one of two databases on a server, with its extension, and leaves the other alone', async () => {
    const bench = await open(compose);
    bench.sql(
      'CREATE EXTENSION citext; CREATE TABLE names (name citext UNIQUE); INSERT INTO names VALUES ($$Bi$$)',
    );
    const other = `${bench.database}_metabase`;
    benches.server.database(other, 'CREATE TABLE kept (id int)', 'INSERT INTO kept VALUES (1)');
    const before = bench.fingerprint();
    const oid = () => bench.sql(`SELECT oid FROM pg_database WHERE datname = '${other}'`);
    const oidBefore = oid();
    expect(await bench.hop('--yes')).toMatchObject({ status: 0 });
    bench.sql('INSERT INTO kept VALUES (2)', other);
    bench.setTag(bench.from);
    const { status, out } = await bench.back('--yes');
    expect(status, out).toBe(0);
    expect(bench.fingerprint()).toBe(before);
    expect(bench.sql("SELECT name = 'BI' FROM names")).toBe('t');
    expect({ oid: oid(), rows: bench.sql('SELECT count(*) FROM kept', other) }).toEqual({
      oid: oidBefore,
      rows: '2',
    });
  });

  it('asks the new image, from 1.125.0 on, and says that it has no objection', async () => {
    const bench = await open({ ...compose, strategy: 'RollingUpdate' });
    const { status, out } = await bench.hop('--yes');
    expect(status, out).toBe(0);
    expect(out).toContain('The new image has no objection (its preflight).');
    const asked = bench.calls().filter((call) => call.includes('preflight'));
    expect(asked).toEqual([
      'docker compose run --rm --no-deps -T --entrypoint pnpm lightdash -F backend migrate-production preflight --json',
    ]);
    // It is asked before anything stops, and an older image, which knows no preflight, is not asked.
    const order = bench.calls().filter((call) => /preflight|up --detach/.test(call));
    expect(order[0]).toBe(asked[0]);
    const older = await open(compose);
    expect(readFileSync(join(older.folder, 'hops', 'hop.sh'), 'utf8')).not.toMatch(/^ *preflight$/m);
    expect(readFileSync(join(bench.folder, 'hops', 'hop.sh'), 'utf8')).toMatch(/^ *preflight$/m);
  });

  it('asks the new image, and an objection stops it', async () => {
    const bench = await open({ ...compose, strategy: 'RollingUpdate' });
    const { status, out } = await bench.hop('--yes', { PREFLIGHT: '1' });
    expect({ status, stops: stops(bench) }).toEqual({ status: 1, stops: [] });
    expect(out).toContain('The new image would not start');
  });
});
