import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { fetchHelm } from '../../support/helm.js';
import { type Cluster, startPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The jobs of the examples: rendered by helm, read by kubectl, their script run on a real server. */
let programs: Record<string, string> = {};
let server: Cluster;
beforeAll(async () => {
  programs = fetchHelm();
  server = await startPostgres();
}, 300_000);

const argoCd = readFileSync('examples/argo-cd/presync-backup.yaml', 'utf8');
const helm = readFileSync('examples/helm/backup.yaml.tpl', 'utf8');

function rendered(major: string, values: object): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'templates'));
  writeFileSync(
    join(folder, 'Chart.yaml'),
    JSON.stringify({ apiVersion: 'v2', name: 'bi', version: '1.0.0' }),
  );
  writeFileSync(join(folder, 'values.yaml'), JSON.stringify(values));
  writeFileSync(join(folder, 'templates', 'backup.yaml'), helm);
  const { stdout, stderr } = spawnSync(
    join(programs[major] ?? '', 'helm', 'helm'),
    ['template', 'prod', folder, '--is-upgrade'],
    { encoding: 'utf8', env: { HOME: temporaryFolder() } },
  );
  expect(stderr).toBe('');
  return stdout;
}

const jobSchema = z.object({
  kind: z.literal('Job'),
  metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
  spec: z.object({
    backoffLimit: z.literal(0),
    template: z.object({
      spec: z.object({
        restartPolicy: z.literal('Never'),
        containers: z.array(
          z.object({
            env: z.array(z.object({ name: z.string(), value: z.optional(z.string()) })),
            command: z.array(z.string()),
            args: z.array(z.string()),
          }),
        ),
      }),
    }),
  }),
});

function jobOf(manifest: string) {
  const { metadata, spec } = jobSchema.parse(parse(manifest));
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error('no container');
  return { annotations: metadata.annotations, container };
}

describe.each(['3', '4'])('by Helm %s and its kubectl', (major) => {
  it('the hook of Helm comes after the gate and before what migrates, and refuses a database in use unless told', () => {
    const { annotations, container } = jobOf(rendered(major, {}));
    expect(annotations).toEqual({
      'helm.sh/hook': 'pre-upgrade',
      'helm.sh/hook-weight': '-5',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
    expect(container.env).toContainEqual({ name: 'LIGHTDASH', value: 'stopped' });
    expect(container.env).toContainEqual({ name: 'PGHOST', value: 'prod-postgresql' });
    const rolls = jobOf(rendered(major, { backup: { lightdash: 'running' } }));
    expect(rolls.container.env).toContainEqual({ name: 'LIGHTDASH', value: 'running' });
    expect(rolls.container.args).toEqual(jobOf(argoCd).container.args);
  });

  it.each(['helm', 'argo-cd'])('%s: kubectl reads it as a job', (which) => {
    const { stdout, stderr } = spawnSync(
      join(programs[major] ?? '', 'kubectl', 'kubectl'),
      [
        'label',
        '--local',
        '--filename',
        '-',
        'lightspan=read',
        '--output',
        'jsonpath={.kind} {.spec.template.spec.containers[*].name}',
      ],
      {
        encoding: 'utf8',
        input: which === 'helm' ? rendered(major, {}) : argoCd,
        env: { HOME: temporaryFolder() },
      },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'Job backup', stderr: '' });
  });
});

it('the hook of Argo CD comes before the sync, once', () => {
  expect(jobOf(argoCd).annotations).toEqual({
    'argocd.argoproj.io/hook': 'PreSync',
    'argocd.argoproj.io/sync-wave': '0',
    'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
  });
});

describe('the script', () => {
  function run(database: string, lightdash: string, changed = (script: string) => script) {
    const backups = temporaryFolder();
    const { command, args } = jobOf(argoCd).container;
    const [shell = '', ...words] = command;
    const script = changed(args.join('\n')).replaceAll('/backups/', `${backups}/`);
    const { status, stdout, stderr } = spawnSync(shell, [...words, script], {
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env.PATH, LIGHTDASH: lightdash, PGDATABASE: database },
        ...{ PGHOST: server.socketDir, PGPORT: String(server.port), PGUSER: 'postgres' },
      },
    });
    return { status, said: stdout + stderr, left: readdirSync(backups) };
  }
  const ledger = 'CREATE TABLE knex_migrations (id int, name text)';

  it.each(['stopped', 'running'])('dumps a database that nobody uses: %s', (lightdash) => {
    server.database(`quiet_${lightdash}`, ledger);
    const { status, left, said } = run(`quiet_${lightdash}`, lightdash);
    expect(status, said).toBe(0);
    expect(left).toEqual([expect.stringMatching(/^lightdash-\d{8}T\d{6}Z\.dump$/)]);
    expect(said).toMatch(/^[0-9a-f]{64} /m);
  });

  it('refuses while a session may write, if it is told that none does', async () => {
    server.database('used', ledger);
    const child = spawnSession('used');
    await expect
      .poll(() => server.sql('postgres', "SELECT count(*) FROM pg_stat_activity WHERE datname = 'used'"))
      .toBe('1');
    expect(run('used', 'stopped')).toMatchObject({
      status: 1,
      said: expect.stringContaining('1 sessions may still write'),
      left: [],
    });
    expect(run('used', 'running')).toMatchObject({ status: 0 });
    child.kill();
  });

  it.each([
    ['no Lightdash in it', 'CREATE TABLE orders (id int)', 'running'],
    ['what LIGHTDASH is not known to be', ledger, ''],
  ])('is no backup: %s', (_, sql, lightdash) => {
    const name = lightdash === '' ? 'untold' : 'other';
    server.database(name, sql);
    const { status, left } = run(name, lightdash);
    expect({ status: status === 0, left }).toEqual({ status: false, left: [] });
  });

  it('leaves nothing of a dump that was cut', () => {
    server.database('cut', ledger, 'CREATE TABLE rows AS SELECT generate_series(1, 100000) AS i');
    const { status, left } = run('cut', 'running', (script) =>
      script.replace(/^(pg_dump .*)$/m, '$1\ntruncate -s -100 "$dump.part"'),
    );
    expect({ status: status === 0, left }).toEqual({ status: false, left: [] });
  });
});

function spawnSession(database: string) {
  const args = ['-X', '-h', server.socketDir, '-p', String(server.port), '-U', 'lightdash', '-d', database];
  return spawn('psql', [...args, '-c', 'SELECT pg_sleep(600)'], { stdio: 'ignore' });
}
