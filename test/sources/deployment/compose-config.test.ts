import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectOf, readComposeProject } from '../../../src/sources/deployment/compose.js';
import { canary } from '../../support/compose-cases.js';
import { dockerPrinting, noInput, write } from '../../support/compose-facts.js';
import { standIn } from '../../support/stand-in.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
    expect(read).toEqual({ project, files: [] });
  });

  it.each([
    ['two of them', () => [file(), file()], undefined],
    [
      'one with a compose file',
      () => [join(write({ files: { 'a.yml': 'services: {}' } }), 'a.yml'), file()],
      undefined,
    ],
    ['one with a file of variables', () => ['-'], ['x.env']],
  ])('is a whole project: %s is refused', async (_, sources, envFiles) => {
    await expect(
      readComposeProject({ sources: sources(), envFiles, stdin: input(printed), env: {} }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: 'the output of docker compose config is a whole project',
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
      'it has variables that are not filled in',
    ],
    ...[
      { mem_limit: 'much' },
      { mem_limit: '1g' },
      { deploy: { resources: { limits: { memory: 'x' } } } },
      { deploy: { replicas: -1 } },
      { scale: 'two' },
      { environment: ['A=1'] },
      { environment: { A: canary.length } },
      { image: 5 },
      { command: canary },
      { extends: { file: 'x' } },
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

  it('has a hint how to print it', () => {
    expect(() => projectOf('no', 'it')).toThrow(
      expect.objectContaining({
        hint: 'It must be what docker compose config --format json prints, complete, with docker compose v2 and without --no-interpolate.',
      }),
    );
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
        new RegExp(`/${override} is next to .*/compose.yaml, and compose joins both`),
      );
      expect((await readOf(['compose.yaml', override], files)).files).toHaveLength(2);
      const COMPOSE_FILE = 'compose.yaml';
      expect((await readOf(['compose.yaml'], files, { COMPOSE_FILE })).files).toHaveLength(1);
    },
  );

  it('may have other names, which nothing overrides', async () => {
    const files = { 'prod.yml': yaml, 'compose.override.yml': yaml };
    expect((await readOf(['prod.yml'], files)).project).toEqual(project);
  });

  it('must be there', async () => {
    await expect(readOf(['none.yml'], {})).rejects.toThrow('there is no such file');
  });
});
