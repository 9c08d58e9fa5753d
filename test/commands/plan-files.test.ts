import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { shownPath } from '../../src/app/settings/in-force.js';
import { fetchHelm } from '../support/helm.js';
import { callsIn, files, folderWith, plan } from '../support/plan-files.js';
import { findDockerCompose } from '../support/programs.js';

const { PATH = '' } = process.env;

describe('the files that lightspan.yaml names', () => {
  it('helm gets all values files, in their order, in every command', async () => {
    const folder = folderWith({
      'lightspan.yaml': 'deploy: helm\nhelm: {release: bi, values: [base.yaml, prod.yaml]}\n',
    });
    const settings = ['--settings', join(folder, 'lightspan.yaml')];
    for (const more of [[], ['--from-file', `${join(folder, 'base.yaml')}#image.tag`]]) {
      const { code, printed } = await plan('helm', ...settings, ...more);
      const calls = callsIn(printed);
      expect({ code, calls: calls.length > 0 }).toEqual({ code: 0, calls: true });
      const all = ['base.yaml', 'prod.yaml'].map((name) => join(folder, name));
      for (const { call, named } of calls) expect(named, call).toEqual(all);
    }
  });

  it('compose gets all of its files and files of variables, and dumps the database that they lead to', async () => {
    const settings = (compose: string) =>
      folderWith({ 'lightspan.yaml': `deploy: compose\ncompose: ${compose}\n` });
    const folder = settings('{files: [compose.yaml, compose.prod.yaml], envFiles: [prod.env]}');
    const place = `${join(folder, 'compose.yaml')}#services.lightdash.image`;
    const { code, block, printed } = await plan(
      'compose',
      ...['--settings', join(folder, 'lightspan.yaml'), '--from-file', place],
    );
    expect(code).toBe(0);
    const all = ['compose.yaml', 'compose.prod.yaml', 'prod.env'].map((name) => join(folder, name));
    for (const { call, named } of callsIn(printed)) expect(named, call).toEqual(all);
    // Not that of the base, which production leaves behind; and the worker of production is stopped too.
    expect(block).not.toContain('exec -T db');
    expect(block).toContain(`: "\${PGHOST:?set DATABASE_SERVICE`);
    expect(block).toContain(`services=\${LIGHTDASH_SERVICE:-lightdash worker}\n`);
  });
});

describe('settings and the command line', () => {
  it.each(['', 'deploy: helm\nhelm: {values: [base.yaml]}\n'])(
    'compose gets the files of compose, whatever else the settings are for: %j',
    async (others) => {
      const compose = 'compose: {files: [compose.yaml, compose.prod.yaml], envFiles: [prod.env]}\n';
      const folder = folderWith({ 'lightspan.yaml': others + compose });
      const { code, printed } = await plan('compose', '--settings', join(folder, 'lightspan.yaml'));
      const all = ['compose.yaml', 'compose.prod.yaml', 'prod.env'].map((name) => join(folder, name));
      expect({ code, calls: callsIn(printed).length > 2 }).toEqual({ code: 0, calls: true });
      for (const { call, named } of callsIn(printed)) expect(named, call).toEqual(all);
    },
  );

  it.each([
    ['helm', 'helm: {values: [base.yaml, prod.yaml]}', '--values', 'prod.yaml', 'base.yaml'],
    [
      'compose',
      'compose: {files: [compose.yaml, compose.prod.yaml]}',
      '--compose',
      'compose.yaml',
      'compose.prod.yaml',
    ],
  ] as const)('%s: some of the files are not the deployment', async (tool, settings, option, given, left) => {
    const folder = folderWith({ 'lightspan.yaml': `deploy: ${tool}\n${settings}\n` });
    const named = ['--settings', join(folder, 'lightspan.yaml')];
    const { code, error } = await plan(tool, ...named, option, join(folder, given));
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining(
        `lightspan.yaml also names ${shownPath(join(folder, left))}, besides ${join(folder, given)}`,
      ),
    });
    expect(await plan(tool, ...named, option, join(folder, 'other.yaml'))).toMatchObject({ code: 0 });
  });
});

it('two files behind one --values, as Helm takes them, are refused', async () => {
  const folder = folderWith({});
  const both = ['base.yaml', 'prod.yaml'].map((name) => join(folder, name)).join(',');
  const { code, stderr } = await plan('helm', '--values', both);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('an option of its own') });
});

describe('the file that pins alone', () => {
  const place = (folder: string, file = 'compose.yaml') => `${join(folder, file)}#services.lightdash.image`;

  it('is joined by what COMPOSE_FILE beside it names, as compose does it', async () => {
    const folder = folderWith({ '.env': 'COMPOSE_FILE=compose.yaml:compose.prod.yaml\nDATABASE_HOST=db\n' });
    const { code, printed, block } = await plan('compose', '--from-file', place(folder));
    expect(code).toBe(0);
    const calls = callsIn(printed);
    for (const { call, named } of calls) {
      expect(
        named.map((name) => name.split('/').at(-1)),
        call,
      ).toEqual(['compose.yaml', 'compose.prod.yaml']);
    }
    expect(block).toContain('  compose exec -T db sh -c');
  });

  it('is refused where COMPOSE_FILE names others', async () => {
    const folder = folderWith({ '.env': 'COMPOSE_FILE=compose.prod.yaml\n' });
    const { code, error } = await plan('compose', '--from-file', place(folder));
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringMatching(
        /^COMPOSE_FILE in \S+\.env names \S+compose\.prod\.yaml, and not \S+compose\.yaml$/,
      ),
    });
  });

  it('is run where compose finds it, and by its name where compose finds another one there', async () => {
    const override = { 'compose.override.yaml': 'services: {lightdash: {environment: {PGHOST: db}}}\n' };
    const found = folderWith(override);
    const { block } = await plan('compose', '--from-file', place(found));
    expect(block).toContain(`\ncd ${found}\n`);
    expect(block).toContain('compose() { docker compose "$@"; }\n');
    const second = folderWith({ 'docker-compose.yml': files['compose.yaml'] });
    const { block: named } = await plan('compose', '--from-file', place(second, 'docker-compose.yml'));
    expect(named).toContain(`docker compose --file ${join(second, 'docker-compose.yml')} "$@"; }\n`);
  });
});

describe('no printed command that names one file of the deployment leaves out another', () => {
  const named = fc
    .subarray(['base.yaml', 'prod.yaml', 'other.yaml'], { minLength: 1 })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));

  it('helm: whatever the settings, the command line and the file that pins say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.option(named, { nil: undefined }),
        fc.option(named, { nil: undefined }),
        fc.option(fc.constantFrom('base.yaml', 'other.yaml'), { nil: undefined }),
        async (ofSettings, given, pin) => {
          const folder = folderWith(
            ofSettings ? { 'lightspan.yaml': `helm: {values: [${ofSettings.join(', ')}]}\n` } : {},
          );
          const at = (name: string) => join(folder, name);
          const { code, error, printed } = await plan(
            'helm',
            ...(ofSettings ? ['--settings', at('lightspan.yaml')] : ['--no-settings']),
            ...(given ?? []).flatMap((name) => ['--values', at(name)]),
            ...(pin === undefined ? [] : ['--from-file', `${at(pin)}#image.tag`]),
          );
          const all = given ?? ofSettings ?? (pin === undefined ? [] : [pin]);
          const left = (ofSettings ?? []).filter((name) => !all.includes(name));
          const isPart = left.length > 0 && left.length < (ofSettings ?? []).length;
          const isLeftOut = isPart || (pin !== undefined && !all.includes(pin));
          expect(code, error).toBe(isLeftOut ? 2 : 0);
          for (const { call, named } of callsIn(printed))
            expect(named, call).toEqual(all.length === 0 ? [`"\${VALUES_FILE:?}"`] : all.map(at));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('by the real programs', () => {
  let helm = '';
  beforeAll(() => {
    helm = join(fetchHelm()[4] ?? '', 'helm');
  }, 300_000);

  it('helm deploys the external database with the printed files, and the bundled one without the last', async () => {
    const folder = folderWith({
      'chart/Chart.yaml': 'apiVersion: v2\nname: lightdash\nversion: 2.16.361\n',
      'chart/values.yaml': 'image: {tag: x}\npostgresql: {enabled: true}\nexternalDatabase: {host: ""}\n',
      'chart/templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: bi}
data: {host: "{{ if .Values.postgresql.enabled }}bundled{{ else }}{{ .Values.externalDatabase.host }}{{ end }}"}
`,
    });
    const given = ['base.yaml', 'prod.yaml'].flatMap((name) => ['--values', join(folder, name)]);
    const { printed } = await plan('helm', '--release', 'bi', '--chart-version', '2.16.361', ...given);
    const { call = '' } = callsIn(printed)[0] ?? {};
    const render = (command: string) =>
      spawnSync('sh', ['-c', `verb=template release=bi namespace=bi context= CHART=./chart; ${command}`], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${helm}:/usr/bin:/bin`, HOME: folder, NAMESPACE: 'bi' },
      }).stdout;
    expect(render(call)).toContain('host: "pg.example.com"');
    expect(render(call.replace(/ --values \S*prod\.yaml/, ''))).toContain('host: "bundled"');
  });

  it.each(['3', '4'])('helm %s takes a file with a comma in its name for one', async (major) => {
    const name = 'a,"b".yaml';
    const folder = folderWith({
      'chart/Chart.yaml': 'apiVersion: v2\nname: lightdash\nversion: 2.16.361\n',
      'chart/templates/all.yaml': '{{ .Values.image | toJson }}\n',
      [name]: 'image: {tag: one}\n',
    });
    const { printed } = await plan(
      'helm',
      ...['--release', 'bi', '--chart-version', '2.16.361', '--values', join(folder, name)],
    );
    const { call = '' } = callsIn(printed)[0] ?? {};
    const shell = `verb=template release=bi namespace=bi context= CHART=./chart; ${call}`;
    const { stdout, stderr } = spawnSync('sh', ['-c', shell], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${join(fetchHelm()[major] ?? '', 'helm')}:/usr/bin:/bin`, HOME: folder },
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('{"tag":"one"}');
  });

  it('docker compose reads the project of the printed files, and another one without one of them', async () => {
    const folder = folderWith({});
    const given = ['compose.yaml', 'compose.prod.yaml'].flatMap((name) => ['--compose', join(folder, name)]);
    const { printed } = await plan('compose', ...[...given, '--compose-env-file', join(folder, 'prod.env')]);
    const { call = '' } = callsIn(printed).find((one) => one.call.includes('"$@"')) ?? {};
    const config = (command: string) =>
      spawnSync(
        'sh',
        [
          '-c',
          command
            .replace(/^docker compose/, (findDockerCompose() ?? []).join(' '))
            .replace(/"\$@".*/, 'config'),
        ],
        {
          cwd: '/',
          encoding: 'utf8',
          env: { PATH, HOME: folder },
        },
      ).stdout;
    expect(config(call)).toContain('PGHOST: pg.example.com');
    expect(config(call.replace(/ --file \S*prod\.yaml/, ''))).toContain('PGHOST: db');
    expect(config(call.replace(/ --env-file \S+/, ''))).not.toContain('pg.example.com');
  });
});
