import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askDockerCompose, findDockerCompose } from '../../../src/sources/deployment/compose-docker.js';
import { quoted, standIn } from '../../support/stand-in.js';

const service = { image: 'x:1' };
const requestOf = (env: Record<string, string>, more: object = {}) => ({
  ...{ files: ['/p/a.yml', '/p/b c.yml'], envFiles: ['/p/one.env'], folder: '/p', env },
  ...more,
});

/** What is made of what docker compose prints: filled in, and as it is written. */
async function ask(services: object, written?: object | string, more?: object) {
  const json = (of: object | string) => quoted(typeof of === 'string' ? of : JSON.stringify(of));
  const asWritten = written === undefined ? 'exit 1' : `printf %s ${json(written)}`;
  const project = json({ name: 'bi', services });
  const env = standIn(
    'docker',
    `case $* in *--no-interpolate*) ${asWritten};; *) printf %s ${project};; esac`,
  );
  return askDockerCompose(['docker', 'compose'], requestOf(env, more));
}

describe('docker compose', () => {
  it.each([
    ['2.30.0', true],
    ['v2.0.1', true],
    ['10.1.0', true],
    ['1.29.2', false],
    ['2', false],
    ['docker compose version 2.30.0', false],
  ])('of version %s is asked: %s', async (version, is) => {
    const env = { ...standIn('docker', `echo "$*" >> "$ASIDE/asked"; echo " ${version}"`) };
    const command = await findDockerCompose(requestOf({ ...env, PATH: env.PATH.split(':')[0] ?? '' }));
    expect(command).toEqual(is ? ['docker', 'compose'] : undefined);
    expect(readFileSync(join(env.ASIDE, 'asked'), 'utf8')).toBe('compose version --short\n');
  });

  it('is the plugin, else the program of its own, else none', async () => {
    const own = standIn('docker-compose', 'echo 2.30.0');
    const failing = standIn('docker', 'echo 2.30.0; exit 1');
    const PATH = [failing, own].map((env) => env.PATH.split(':')[0]).join(':');
    expect(await findDockerCompose(requestOf({ PATH }))).toEqual(['docker-compose']);
    expect(await findDockerCompose(requestOf({ PATH: '/nowhere' }))).toBeUndefined();
  });

  it('is asked for all files and profiles, twice, and to fetch nothing', async () => {
    const remotes = '$COMPOSE_EXPERIMENTAL_GIT_REMOTE $COMPOSE_EXPERIMENTAL_OCI_REMOTE $MINE';
    const env = standIn(
      'docker',
      `echo "$* ${remotes}" >> "$ASIDE/asked"; echo '{"name":"bi","services":{}}'`,
    );
    expect(await askDockerCompose(['docker', 'compose'], requestOf({ ...env, MINE: 'kept' }))).toEqual({
      name: 'bi',
      services: [],
    });
    const words = 'compose --file /p/a.yml --file /p/b c.yml --env-file /p/one.env --profile *';
    const config = `${words} config --format json`;
    expect(readFileSync(join(env.ASIDE, 'asked'), 'utf8')).toBe(
      `${config} false false kept\n${config} --no-interpolate false false kept\n`,
    );
  });

  it.each([
    ['exit 15', 'docker compose cannot read the files'],
    ['kill -9 $$', 'docker compose cannot read the files'],
    ['echo no', 'docker compose prints something that this lightspan cannot read'],
    ['echo \'{"name":1,"services":{}}\'', 'docker compose prints something that this lightspan cannot read'],
  ])('has no answer by %s', async (script, fault) => {
    const asked = askDockerCompose(['docker', 'compose'], requestOf(standIn('docker', script)));
    await expect(asked).rejects.toMatchObject({
      code: 'unreadable-source',
      message: `${fault}: docker compose --file /p/a.yml --file "/p/b c.yml" --env-file /p/one.env --profile "*" config --format json`,
      hint: 'Run it to see what it says: that is not shown here, because it may contain values of your variables.',
    });
  });

  it('prints services, of which nothing else is taken', async () => {
    const services = {
      all: {
        image: 'a/b:1$$2',
        pull_policy: 'always',
        entrypoint: ['sh', '-c', 'echo $$x'],
        command: ['a$$'],
        environment: { A: '1', B: '', C: null, D: 5, E: false },
        ports: [
          { host_ip: '127.0.0.1', published: '8080', target: 80, protocol: 'tcp' },
          { host_ip: '::1', target: '81', protocol: 'udp' },
          { published: 8082, target: 82 },
          { published: null, target: 83 },
        ],
        restart: 'on-failure$$',
        scale: 2,
        mem_limit: '1g',
        stop_grace_period: '1m30s',
        build: { context: '.' },
      },
      deployed: {
        ...service,
        scale: 2,
        mem_limit: '1g',
        deploy: {
          replicas: 3,
          resources: { limits: { memory: 512 } },
          update_config: { parallelism: 1, order: 'start-first' },
        },
      },
      nothing: {
        ...{
          image: null,
          pull_policy: null,
          entrypoint: null,
          command: null,
          environment: null,
          ports: null,
        },
        ...{ restart: null, scale: null, mem_limit: null, stop_grace_period: null },
        deploy: { replicas: null, resources: { limits: null } },
      },
    };
    const nothing = {
      ...{
        image: undefined,
        pullPolicy: undefined,
        entrypoint: undefined,
        command: undefined,
        variables: [],
      },
      ...{ ports: [], restart: undefined, replicas: undefined, memoryLimitBytes: undefined },
      ...{ graceSeconds: undefined, ofSwarm: undefined },
      heldBack: false,
    };
    const literal = { origin: 'literal', file: null };
    expect((await ask(services)).services).toEqual([
      {
        name: 'all',
        image: 'a/b:1$2',
        pullPolicy: 'always',
        entrypoint: ['sh', '-c', 'echo $x'],
        command: ['a$'],
        variables: [
          { name: 'A', ...literal, empty: false },
          { name: 'B', ...literal, empty: true },
          { name: 'D', ...literal, empty: false },
          { name: 'E', ...literal, empty: false },
        ],
        ports: ['127.0.0.1:8080:80', '[::1]::81/udp', '8082:82', '83'],
        restart: 'on-failure$',
        replicas: 2,
        memoryLimitBytes: 1024 ** 3,
        graceSeconds: 90,
        ofSwarm: undefined,
        heldBack: false,
      },
      {
        ...nothing,
        name: 'deployed',
        image: 'x:1',
        replicas: 3,
        memoryLimitBytes: 512,
        ofSwarm: 'start-first',
      },
      { ...nothing, name: 'nothing' },
    ]);
  });

  it.each<[string, object | string | undefined, string, string | null]>([
    ['one file', { env_file: ['/p/e/one.env'] }, 'env-file', 'e/one.env'],
    [
      'a file in the newer form',
      { env_file: [{ path: '/p/one.env', required: false }] },
      'env-file',
      'one.env',
    ],
    ['two files', { env_file: ['/p/one.env', '/p/two.env'] }, 'env-file', null],
    ['a file whose name is filled in', { env_file: ['/p/$NAME.env'] }, 'env-file', null],
    ['no file', { environment: {} }, 'literal', null],
    ['a map of its own', { environment: { A: '1' }, env_file: ['/p/one.env'] }, 'literal', null],
    ['a list of its own', { environment: ['A=1=2'], env_file: ['/p/one.env'] }, 'literal', null],
    ['a list of others', { environment: ['AB=1'], env_file: ['/p/one.env'] }, 'env-file', 'one.env'],
    ['nothing of its own, and no file', {}, 'literal', null],
    ['what is not to be read', 'no', 'literal', null],
    ['what is of another form', { env_file: 'one.env' }, 'literal', null],
    ['what could not be printed', undefined, 'literal', null],
  ])('tells where a variable is from: %s', async (_, written, origin, file) => {
    const services = { a: { ...service, environment: { A: '1' } } };
    const printed = typeof written === 'object' ? { services: { a: written } } : written;
    const { services: seen } = await ask(services, printed);
    expect(seen[0]?.variables).toEqual([{ name: 'A', origin, file, empty: false }]);
  });

  it.each([
    { mem_limit: 'much' },
    { stop_grace_period: 'soon' },
    { deploy: { resources: { limits: { memory: 'x' } } } },
    { ports: [{ published: 1 }] },
    { environment: ['A=1'] },
    { image: 5 },
  ])('is not believed where it prints %j', async (told) => {
    await expect(ask({ a: { ...service, ...told } })).rejects.toThrow(
      'docker compose prints something that this lightspan cannot read: docker compose --file',
    );
  });
});
