import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { healthyFacts, upgradeTo, writeSituation } from '../support/preflight.js';
import { closedPort } from '../support/server.js';
import { quoted } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const index = temporaryFolder();
beforeAll(async () => writeSituation(index, upgradeTo([], healthyFacts('20260801000000_old'))));

const here = process.cwd();
afterEach(() => process.chdir(here));

const lightdash = {
  image: 'lightdash/lightdash:2.0.0',
  environment: {
    LIGHTDASH_SECRET: 's',
    S3_ENDPOINT: 'https://objects.example.com',
    S3_BUCKET: 'data',
    S3_REGION: 'us-east-1',
    PGHOST: 'db',
  },
};
const database = (environment: Record<string, string>) => ({
  image: 'pgvector/pgvector:pg15',
  environment,
  volumes: [{ type: 'volume', source: 'db-data', target: '/var/lib/postgresql/data' }],
});
const project = (services: object) => ({
  name: 'bi',
  services,
  volumes: { 'db-data': { name: 'bi_db-data' } },
});

/**
 * A folder with the files of a project, and programs that stand in: docker, which prints the project and runs what it
 * is asked to in a service with the variables of that; psql and lightspan, which say how they were run.
 */
function projectFolder(services: Record<string, { readonly environment: Record<string, string> }>) {
  const folder = temporaryFolder();
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const json = quoted(JSON.stringify(project(services)));
  const runs = Object.entries(services).map(([name, { environment }]) => {
    const variables = Object.entries(environment).map(([key, value]) => quoted(`${key}=${value}`));
    return `'compose exec -T ${name} '*) shift 4; exec env ${variables.join(' ')} "$@";;`;
  });
  program(
    'docker',
    `case "$*" in
       'compose version'*) echo 2.30.0;;
       ${runs.join('\n')}
       *config*) printf %s ${json};;
       *) echo "unknown: $*" >&2; exit 1;;
     esac`,
  );
  program('psql', 'read -r script; echo "psql $*: $script"');
  program('lightspan', 'echo "script of $*"');
  writeFileSync(join(folder, 'compose.yaml'), 'services: {}\n');
  process.chdir(folder);
  return { folder, env: { PATH: `${folder}:${process.env.PATH}` } };
}

const lineIn = (text: string) =>
  /lightspan upgrade-preflight --sql \|.*? > facts\.json/.exec(text)?.[0] ?? '';

describe('a database in a service whose port is not published', () => {
  it.each<[what: string, environment: Record<string, string>, user: string, name: string]>([
    ['with user and database', { POSTGRES_USER: 'ld', POSTGRES_DB: 'lightdash' }, 'ld', 'lightdash'],
    ['with a user, of which the database has the name', { POSTGRES_USER: 'a b' }, 'a b', 'a b'],
    ['with a password alone', { POSTGRES_PASSWORD: 'x' }, 'postgres', 'postgres'],
  ])('is collected by one line: %s', async (_, environment, user, name) => {
    const { folder, env } = projectFolder({ lightdash, db: database(environment) });
    const argv = ['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', index];
    const { stdout } = await runCli([...argv, '--compose', 'compose.yaml'], { env });
    const line = lineIn(stdout);
    expect(line).toContain('docker compose exec -T db sh -c');
    expect(stdout).toMatch(/ read the database inside its service: lightspan /);
    expect(stdout).toMatch(
      /; then .*check again: lightspan upgrade-preflight .* --compose compose\.yaml --facts facts\.json\n/,
    );
    for (const value of Object.values(environment)) expect(line).not.toContain(`"${value}"`);
    // Beside facts of a file, settings name no deployment.
    writeFileSync(join(folder, 'lightspan.yaml'), 'deploy: compose\ncompose: {files: [compose.yaml]}\n');
    const bySettings = await runCli(argv, { env });
    expect(bySettings.stdout).toMatch(
      /check again: lightspan upgrade-preflight .* --facts facts\.json --compose compose\.yaml\n/,
    );
    execFileSync('sh', ['-c', line], { cwd: folder, env });
    expect(readFileSync(join(folder, 'facts.json'), 'utf8')).toBe(
      `psql -X -A -t -U ${user} -d ${name}: script of upgrade-preflight --sql\n`,
    );
    const port = await closedPort();
    const url = `postgresql://ld@127.0.0.1:${port}/lightdash`;
    const unreached = await runCli([...argv, '--compose', 'compose.yaml', '--database', url], { env });
    expect(unreached.code).toBe(3);
    expect(unreached.stderr).toContain('no connection to the database');
    // A terminal breaks no line that is set in.
    expect(unreached.stderr).toContain(`:\n  ${line}\n`);
  });

  it('is no matter of a database elsewhere, or of files that cannot be read', async () => {
    const elsewhere = { ...lightdash, environment: { ...lightdash.environment, PGHOST: 'pg.example.com' } };
    const { env } = projectFolder({ lightdash: elsewhere });
    const argv = ['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', index];
    const { stdout } = await runCli([...argv, '--compose', 'compose.yaml'], { env });
    expect(stdout).toContain('the database (--database env, or --facts <file>)');
    expect(lineIn(stdout)).toBe('');
    const url = `postgresql://ld@127.0.0.1:${await closedPort()}/lightdash`;
    const unreached = await runCli([...argv, '--compose', 'compose.yaml', '--database', url], { env });
    expect(unreached.stderr).toContain('Or use psql: upgrade-preflight --sql');
    expect(existsSync('facts.json')).toBe(false);
  });
});
