import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ComposeService,
  composeWorkloads,
  hasExternalDatabase,
  projectOf,
  readComposeProject,
} from '../../../../src/gather/deployment/compose/compose.js';
import { canary } from '../../../support/compose-cases.js';
import { dockerPrinting, noInput, write } from '../../../support/compose-facts.js';
import { standIn } from '../../../support/stand-in.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const service = { image: 'x:1' };
const project = { name: 'bi', services: { a: service } };

async function* input(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Reads a compose file next to others, with the docker compose of the environment. */
async function ask(
  env: Record<string, string>,
  more: { readonly files?: object; readonly envFiles?: string[] } = {},
) {
  const folder = write({ files: { 'b c.yml': 'services: {}\n', ...more.files } });
  const sources = [join(folder, 'b c.yml')];
  return readComposeProject({ sources, stdin: noInput(), env, envFiles: more.envFiles });
}

it('of a service all that is used is kept, and nothing else', () => {
  const used = {
    ...{ image: 'x:1', pull_policy: 'always', container_name: 'c', entrypoint: ['sh'], command: ['run'] },
    ...{ environment: { A: '1', B: null }, networks: { n: { aliases: ['b'] } }, scale: 2, mem_limit: '1024' },
    deploy: {
      ...{ mode: 'global', replicas: 1, update_config: { order: 'start-first' }, rollback_config: {} },
      resources: { limits: { memory: '2048' } },
    },
  };
  const printed = JSON.stringify({ name: 'bi', services: { a: { ...used, ports: [] } } });
  expect(projectOf(printed, 'compose.json').services.a).toEqual(used);
});

describe('docker compose', () => {
  it('is the plugin, else the program of its own', async () => {
    const own = dockerPrinting(project);
    const env = standIn('docker', 'echo "$*" >> "$ASIDE/asked"; exit 1');
    const [folder = '', ownFolder = ''] = [env, own].map(({ PATH }) => PATH.split(':')[0]);
    const printing = readFileSync(join(ownFolder, 'docker'), 'utf8').replace('case $2', 'case $1');
    writeFileSync(join(folder, 'docker-compose'), printing, { mode: 0o755 });
    expect((await ask(env)).project).toEqual(project);
    expect(readFileSync(join(env.ASIDE, 'asked'), 'utf8')).toMatch(/^compose --file /);
    expect((await ask(own)).project).toEqual(project);
  });

  it('is asked for the files and nothing remote', async () => {
    const remotes = '$COMPOSE_EXPERIMENTAL_GIT_REMOTE $COMPOSE_EXPERIMENTAL_OCI_REMOTE $MINE';
    const env = standIn(
      'docker',
      `echo "$* ${remotes}" >> "$ASIDE/asked"; echo '{"name":"bi","services":{}}'`,
    );
    const { project: read, files } = await ask({ ...env, MINE: 'kept' }, { envFiles: ['/p/one.env'] });
    expect(read).toEqual({ name: 'bi', services: {} });
    expect(files).toEqual([expect.stringMatching(/b c\.yml$/)]);
    expect(readFileSync(join(env.ASIDE, 'asked'), 'utf8')).toBe(
      `compose --file ${files[0]} --env-file /p/one.env config --format json false false kept\n`,
    );
  });

  it.each([
    ['there is none', { PATH: '/nowhere' }],
    ['it refuses the files', standIn('docker', `echo "invalid ${canary}" >&2; exit 15`)],
    ['it is killed', standIn('docker', 'kill -9 $$')],
  ])('is asked for where %s: the command to run is named, and what it says is not shown', async (_, env) => {
    const error = await ask({ PATH: env.PATH.split(':')[0] ?? '' }).catch((one: unknown) => one);
    expect(error).toMatchObject({
      code: 'unreadable-source',
      message: expect.stringMatching(/: docker compose --file ".*b c\.yml" config --format json$/),
      hint: expect.stringContaining('--compose -'),
    });
    expect(JSON.stringify(error)).not.toContain(canary);
  });
});

it.each(['lightdash/lightdash:', 'r.io:5000/x/lightdash@'])(
  'no docker can run an image without a tag: its variable has no value, and no release is judged: %s',
  async (image) => {
    const unset = { name: 'bi', services: { web: { image } } };
    const compose = join(write({ files: { 'a.yml': 'services: {}' } }), 'a.yml');
    for (const [source, env] of [
      ['-', {}],
      [compose, dockerPrinting(unset)],
    ] as const)
      await expect(
        readComposeProject({ sources: [source], stdin: input(JSON.stringify(unset)), env }),
      ).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^the image of service web has no tag/),
        hint: expect.stringContaining('--compose-env-file'),
      });
    const other = { name: 'bi', services: { web: { image: 'redis:' } } };
    const read = readComposeProject({ sources: ['-'], stdin: input(JSON.stringify(other)), env: {} });
    await expect(read).resolves.toMatchObject({ files: [] });
  },
);

describe('what docker compose printed', () => {
  const printed = `\n${JSON.stringify({ ...project, networks: { default: { name: 'bi_default' } } })}`;
  const file = () => {
    const path = join(temporaryFolder(), 'project.txt');
    writeFileSync(path, printed);
    return path;
  };

  it.each([
    ['a file', () => [file()]],
    ['standard input', () => ['-']],
  ])('is read from %s, without docker', async (_, sources) => {
    const read = await readComposeProject({ sources: sources(), stdin: input(printed), env: {} });
    expect(read).toEqual({ project: JSON.parse(printed), files: [] });
  });

  const yaml = () => join(write({ files: { 'a.yml': 'services: {}' } }), 'a.yml');
  it.each<[string, () => string[], string[]?]>([
    ['two of them', () => [file(), file()]],
    ['one with a compose file', () => [yaml(), file()]],
    ['one with a file of variables', () => ['-'], ['x.env']],
  ])('is a whole project: %s is refused', async (_, sources, envFiles) => {
    const read = readComposeProject({ sources: sources(), envFiles, stdin: input(printed), env: {} });
    await expect(read).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('a whole project'),
    });
  });

  it.each([
    ['a compose file on standard input', 'services: {}\n', 'it is not JSON'],
    ['cut short', printed.slice(0, -1), 'it is not JSON'],
    ['without a name', '{"services":{}}', 'name has another form'],
    ['without services', '{"name":"bi"}', 'services has another form'],
    ['a list', '["a"]', 'the whole has another form'],
    ['a compose file in JSON', '{"name":"bi","include":["x"],"services":{}}', 'include has another form'],
    [
      'as it is written',
      `{"name":"bi","services":{"a":{"image":"x:\${TAG}"}}}`,
      'it has variables without values',
    ],
    ...[
      ...[{ mem_limit: '1g' }, { deploy: { resources: { limits: { memory: 'x' } } } }, { scale: 'two' }],
      ...[{ deploy: { replicas: -1 } }, { environment: ['A=1'] }, { environment: { A: canary.length } }],
      ...[{ image: 5 }, { command: canary }, { extends: { file: 'x' } }],
    ].map((told): [string, string, string] => [
      JSON.stringify(told),
      JSON.stringify({ name: 'bi', services: { a: { ...service, ...told } } }),
      `services.a.${Object.keys(told)[0]}`,
    ]),
  ])('is refused where it is something else, and no value is quoted: %s', async (_, text, why) => {
    const error = await readComposeProject({ sources: ['-'], stdin: input(text), env: {} }).catch(
      (one: unknown) => one,
    );
    expect(error).toMatchObject({
      code: 'invalid-manifest',
      message: expect.stringContaining(`no compose project can be read from standard input: ${why}`),
    });
    expect(JSON.stringify(error)).not.toContain(canary);
  });

  it('doubles each dollar', () => {
    const a = { image: 'a/b:1$2', command: ['a$', '$$'], environment: { A: '$', B: null } };
    const doubled = JSON.stringify({ name: 'bi', services: { a } }).replaceAll('$', '$$$$');
    expect(projectOf(doubled, 'it').services.a).toEqual(a);
  });
});

describe('the files that are named', () => {
  const yaml = 'services: {a: {image: "x:1"}}';
  const readOf = (
    named: readonly string[],
    files: Record<string, string>,
    env: Record<string, string> = {},
  ) => {
    const folder = write({ files });
    const sources = named.map((name) => join(folder, name));
    return readComposeProject({ sources, stdin: noInput(), env: { ...dockerPrinting(project), ...env } });
  };

  it.each(['compose.override', 'docker-compose.override'].flatMap((name) => [`${name}.yml`, `${name}.yaml`]))(
    'are all that compose would join, such as %s beside them',
    async (override) => {
      const files = { 'compose.yaml': yaml, [override]: yaml };
      await expect(readOf(['compose.yaml'], files)).rejects.toThrow(
        new RegExp(`/${override} is next to .*/compose.yaml, and compose merges both`),
      );
      expect((await readOf(['compose.yaml', override], files)).files).toHaveLength(2);
      const COMPOSE_FILE = 'compose.yaml';
      expect((await readOf(['compose.yaml'], files, { COMPOSE_FILE })).files).toHaveLength(1);
    },
  );

  const two = { 'compose.yaml': yaml, 'prod.yaml': yaml };
  it.each<[string, Record<string, string>, Record<string, string>, string | undefined]>([
    ['.env', { '.env': 'A=1\nCOMPOSE_FILE=compose.yaml:prod.yaml\n' }, {}, 'compose.yaml, prod.yaml'],
    ['.env, exported', { '.env': 'export COMPOSE_FILE="prod.yaml" # all\n' }, {}, 'prod.yaml'],
    [
      '.env, with a separator',
      { '.env': 'COMPOSE_PATH_SEPARATOR=@\nCOMPOSE_FILE="compose.yaml@prod.yaml"\n' },
      {},
      'compose.yaml, prod.yaml',
    ],
    ['the environment', {}, { COMPOSE_FILE: 'compose.yaml:prod.yaml' }, 'compose.yaml, prod.yaml'],
    [
      'the environment before .env',
      { '.env': 'COMPOSE_FILE=prod.yaml\n' },
      { COMPOSE_FILE: 'compose.yaml' },
      undefined,
    ],
    ['.env, the same', { '.env': 'COMPOSE_FILE=./compose.yaml\n' }, {}, undefined],
    ['.env, nothing', { '.env': 'COMPOSE_FILE=\n#COMPOSE_FILE=prod.yaml\nODD LINE\n' }, {}, undefined],
  ])('are those of COMPOSE_FILE in %s', async (by, files, env, others) => {
    const reading = readOf(['compose.yaml'], { ...two, ...files }, env);
    if (others === undefined) return expect((await reading).files).toHaveLength(1);
    const refused = await reading.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'usage' });
    const message = String(refused).replaceAll(/[^ ]*\/(?=[\w.]+\.yaml|\.env)/g, '');
    const place = by.startsWith('.env') ? '.env' : 'the environment';
    expect(message).toContain(`COMPOSE_FILE in ${place} names ${others}, and not compose.yaml`);
  });

  it.each(['COMPOSE_FILE=compose.yaml:$OTHER', 'COMPOSE_FILE=a:b\nCOMPOSE_FILE=compose.yaml'])(
    'are not known where .env says it so: %j',
    async (line) => {
      const reading = readOf(['compose.yaml'], { ...two, '.env': `OTHER=prod.yaml\n${line}\n` });
      await expect(reading).rejects.toThrow('sets COMPOSE_FILE in a form only docker compose can read');
    },
  );

  it('are those of the file of variables that is named in place of .env', async () => {
    const folder = write({ files: { ...two, '.env': 'COMPOSE_FILE=prod.yaml\n', 'a.env': 'B=1\n' } });
    const read = (name: string) =>
      readComposeProject({
        ...{ sources: [join(folder, 'compose.yaml')], envFiles: [join(folder, name)] },
        ...{ stdin: noInput(), env: dockerPrinting(project) },
      });
    expect((await read('a.env')).files).toHaveLength(1);
    writeFileSync(join(folder, 'b.env'), `COMPOSE_FILE=${folder}/prod.yaml\n`);
    await expect(read('b.env')).rejects.toThrow('COMPOSE_FILE in');
  });

  it('are those of the files of variables that the environment names', async () => {
    const folder = write({ files: { ...two, 'a.env': 'B=1\n' } });
    writeFileSync(join(folder, 'b.env'), `COMPOSE_FILE=${folder}/prod.yaml\n`);
    const read = (...names: readonly string[]) =>
      readComposeProject({
        ...{ sources: [join(folder, 'compose.yaml')], stdin: noInput() },
        env: {
          ...dockerPrinting(project),
          COMPOSE_ENV_FILES: names.map((name) => join(folder, name)).join(','),
        },
      });
    expect((await read('a.env')).files).toHaveLength(1);
    await expect(read('a.env', 'b.env')).rejects.toThrow('COMPOSE_FILE in');
  });

  it('may have other names, which nothing overrides', async () => {
    const files = { 'prod.yml': yaml, 'compose.override.yml': yaml };
    expect((await readOf(['prod.yml'], files)).project).toEqual(project);
  });

  it('must be there', async () => {
    await expect(readOf(['none.yml'], {})).rejects.toThrow('there is no such file');
  });
});

const image = 'lightdash/lightdash:1.0.0';
const factOf = (parts: ComposeService, name = 'bi') => composeWorkloads({ services: { [name]: parts } })[0];
const literal = { origin: 'literal', object: null };

describe('a service of compose', () => {
  it.each<[string, Partial<ComposeService>, object]>([
    ['its image', {}, { image: { reference: image, tag: '1.0.0', pullPolicy: null } }],
    ['when it is pulled', { pull_policy: 'always' }, { image: { pullPolicy: 'always' } }],
    ['no image that it builds', { image: null }, { image: { reference: '', tag: null } }],
    ['a tag of nothing', { image: 'lightdash/lightdash:' }, { image: { tag: null } }],
    ['its own entrypoint', { entrypoint: null }, { starts: 'entrypoint', entrypointReplaced: false }],
    ['its own', { entrypoint: ['node', 'dist/index.js'] }, { starts: 'server', entrypointReplaced: true }],
    ['an entrypoint of nothing', { entrypoint: [] }, { starts: 'other', entrypointReplaced: true }],
    ['how much memory', { mem_limit: '512' }, { memoryLimitBytes: 512 }],
    [
      'how much memory, deployed',
      { mem_limit: '512', deploy: { resources: { limits: { memory: '1024' } } } },
      { memoryLimitBytes: 1024 },
    ],
    [
      'its variables, without values',
      { environment: { A: '1', EMPTY: '', UNSET: null } },
      {
        variables: [
          { ...literal, name: 'A', empty: false },
          { ...literal, name: 'EMPTY', empty: true },
        ],
      },
    ],
    ['that yarn starts it', { command: ['yarn', 'workspace', 'backend', 'start'] }, { byYarn: true }],
    ['a shell that starts yarn', { entrypoint: ['sh', '-c', 'a; yarn workspace b c'] }, { byYarn: true }],
  ])('tells %s', (_, parts, fact) => {
    expect(factOf({ image, ...parts })?.containers).toMatchObject([fact]);
  });

  it.each<[string, Partial<ComposeService>, object]>([
    ['how many', { scale: 0 }, { replicas: 0 }],
    ['how many, deployed', { scale: 2, deploy: { replicas: 0 } }, { replicas: 0 }],
    [
      'that Swarm starts it first',
      { deploy: { update_config: { order: 'start-first' } } },
      { strategy: 'start-first' },
    ],
    ['that Swarm would stop it first', { deploy: { update_config: {} } }, { strategy: 'stop-first' }],
    ['that Swarm would go back', { deploy: { rollback_config: {} } }, { strategy: 'stop-first' }],
    ['that Swarm runs it everywhere', { deploy: { mode: 'global' } }, { strategy: 'global' }],
    ['nothing more', { deploy: {} }, { replicas: null, strategy: null, suspended: null }],
    ['another program', { image: 'nginx' }, { role: 'other' }],
    ['a worker', { command: ['node', 'dist/scheduler.js'] }, { role: 'worker' }],
    [
      'a worker behind an entrypoint',
      { entrypoint: ['dumb-init', '--'], command: ['node', 'dist/scheduler.js'] },
      { role: 'worker', containers: [{ starts: 'worker' }] },
    ],
    ['a migration', { entrypoint: ['npx', 'knex', 'migrate:latest'] }, { role: 'migration' }],
    [
      'a server that migrates first',
      { command: ['migrate-production && node dist/index.js'] },
      { role: 'backend' },
    ],
  ])('tells %s', (_, parts, fact) => {
    expect(factOf({ image, ...parts })).toMatchObject(fact);
  });

  it('tells of yarn, and of variables that a command may read, of Lightdash alone', () => {
    const entrypoint = ['sh', '-c', '. /run/secrets/env && yarn workspace backend start'];
    const [other] = factOf({ image: 'postgres:16', entrypoint })?.containers ?? [];
    expect(other).not.toHaveProperty('byYarn');
    expect(other?.variablesFrom).toEqual([]);
    expect(factOf({ image, entrypoint })?.containers[0]?.variablesFrom).toEqual([
      { origin: 'env-file', object: 'that the command of service bi may read', prefix: '', keys: null },
    ]);
  });

  it.each<[string, string | undefined, string]>([
    ['lightdash', undefined, 'backend'],
    ['lightdash', 'our/own', 'backend'],
    ['db', undefined, 'other'],
    ['app', 'registry:5000/mirror/lightdash:1.0.0', 'backend'],
    ['app', 'ours/our-lightdash:1.0.0', 'backend'],
    ['our-lightdash', undefined, 'backend'],
    ['lightdash-db', undefined, 'other'],
    ['lightdash-db', 'postgres:15.4', 'database'],
    ['db', 'bitnami/postgresql:15', 'database'],
    ['db', 'example.com/pg:16', 'database'],
    ['lightdash-browser', 'browserless/chrome', 'other'],
    ['x', 'ours/lightdash-headless-browser:2', 'other'],
  ])('of the name %s and the image %s has the role %s', (name, reference, role) => {
    expect(factOf({ image: reference }, name)?.role).toBe(role);
  });
});

describe('the database of a project', () => {
  const bi = (environment?: Record<string, string>): ComposeService => ({ image, environment });
  const pg: ComposeService = { image: 'postgres:15' };

  it.each<[string, Record<string, ComposeService>, string[]]>([
    ['the one that PGHOST names', { bi: bi({ PGHOST: 'own' }), own: pg, theirs: pg }, ['own']],
    [
      'the one that PGHOST of a worker names',
      { bi: bi(), jobs: { ...bi({ PGHOST: 'own' }), command: ['dist/scheduler.js'] }, own: pg, theirs: pg },
      ['own'],
    ],
    [
      'by its container',
      { bi: bi({ PGHOST: 'pg1' }), own: { ...pg, container_name: 'pg1' }, theirs: pg },
      ['own'],
    ],
    [
      'by another name in a network',
      {
        bi: bi({ PGHOST: 'pg1' }),
        own: { ...pg, networks: { a: { aliases: ['pg1'] }, x: null } },
        theirs: pg,
      },
      ['own'],
    ],
    [
      'the one of PGCONNECTIONURI',
      { bi: bi({ PGHOST: 'theirs', PGCONNECTIONURI: 'postgresql://u:p@own:5432/d' }), own: pg, theirs: pg },
      ['own'],
    ],
    ['any that it names', { bi: bi({ PGHOST: 'own' }), own: { image: 'acme/pg15:1' }, theirs: pg }, ['own']],
    ['one that is built', { bi: bi({ PGHOST: 'own' }), own: {}, theirs: pg }, ['own']],
    [
      'PGHOST of another program says nothing',
      { bi: bi(), etl: { image: 'etl', environment: { PGHOST: 'own' } }, own: pg, more: pg },
      ['own', 'more'],
    ],
    ['behind a pool', { bi: bi({ PGHOST: 'pool' }), pool: { image: 'edoburu/pgbouncer' }, own: pg }, ['own']],
    ['by a proxy', { bi: bi({ PGHOST: 'db-proxy' }), 'db-proxy': { image: 'haproxy' }, own: pg }, ['own']],
    ['PGHOST is elsewhere', { bi: bi({ PGHOST: 'example.com' }), one: pg, other: pg }, ['one', 'other']],
    ['PGHOST is empty', { bi: bi({ PGHOST: '' }), own: pg }, ['own']],
    [
      'PGCONNECTIONURI is no URL',
      { bi: bi({ PGCONNECTIONURI: 'own', PGHOST: 'own' }), own: pg, more: pg },
      ['own'],
    ],
    ['none', { bi: bi({ PGHOST: 'example.com' }) }, []],
    ['all that may be, where nothing names one', { bi: bi(), db: { image: 'x' }, a: pg, b: {} }, ['db', 'a']],
  ])('is %s', (_, services, databases) => {
    const found = composeWorkloads({ services }).filter(({ role }) => role === 'database');
    expect(found.map(({ name }) => name)).toEqual(databases);
  });
});

it.each<[boolean, Record<string, ComposeService>]>([
  [false, { bi: { image, environment: { PGHOST: 'db' } }, db: { image: 'postgres:15' } }],
  [
    false,
    { bi: { image, environment: { PGHOST: 'pg1' } }, db: { image: 'postgres:15', container_name: 'pg1' } },
  ],
  [false, { bi: { image }, db: { image: 'postgres:15' } }],
  [true, { bi: { image, environment: { PGHOST: 'pg.example.com' } }, db: { image: 'postgres:15' } }],
  [
    true,
    { bi: { image, environment: { PGCONNECTIONURI: 'postgres://pg.example.com/d', PGHOST: 'db' } }, db: {} },
  ],
])('the database is another one than those of the project: %j', (isExternal, services) => {
  expect(hasExternalDatabase({ services })).toBe(isExternal);
});
