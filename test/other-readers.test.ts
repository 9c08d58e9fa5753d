import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectDeployment } from '../src/gather/deployment/collect.js';
import { runCli } from './support/cli.js';
import { noInput, now, workloadsIn } from './support/compose-facts.js';
import { fetchHelm } from './support/helm.js';
import { findDockerCompose } from './support/programs.js';
import { temporaryFolder } from './support/temporary-folder.js';

/**
 * Texts in which Helm, kubectl, kustomize and docker compose find 2.134.2, and YAML 1.2 finds 1.121.0 or nothing: none
 * of them is an answer.
 */

const folder = temporaryFolder();
let programs: Record<string, string> = {};
beforeAll(() => {
  programs = fetchHelm();
  mkdirSync(join(folder, 'chart', 'templates'), { recursive: true });
  writeFileSync(join(folder, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: a\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'chart', 'templates', 'a.yaml'), '{{ .Values.image | toJson }}\n');
}, 300_000);

const write = (name: string, text: string) => {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' });

/** Lines of a map whose `tag` is 2.134.2 for what is written in Go; `x` and `k` are marked before it. */
const hidden: [string, string][] = [
  ['a merge key behind the tag', 'tag: "1.121.0"\n  <<: *x'],
  ['a merge key in a list', 'tag: "1.121.0"\n  <<: [*x]'],
  ['a merge key with an anchor', 'tag: "1.121.0"\n  &y <<: *x'],
  ['an alias as a key', '*k : "2.134.2"'],
  ['a key with a tag', '!!binary dGFn : "2.134.2"'],
  ...['\u2028', '\u2029', '\u0085', '\r'].flatMap((end): [string, string][] => [
    [`${JSON.stringify(end)} in a comment`, `a: b # c${end}  tag: "2.134.2"`],
    [`${JSON.stringify(end)} in a text`, `a: b${end}  tag: "2.134.2"`],
    [`${JSON.stringify(end)} in a block`, `a: |\n    b${end}  tag: "2.134.2"`],
  ]),
];
const marked = 'x: &x {tag: "2.134.2"}\nk: &k tag\n';

const check = (place: string) =>
  runCli(['upgrade-check', '--json', '--from-file', place, '--to', '2.134.2', '--index', 'fixtures']);

describe.each(hidden)('%s', (_, lines) => {
  const values = `${marked}image:\n  ${lines}\n`;

  it.each(['3', '4'])('in values, as Helm %s reads them', async (major) => {
    const file = write('values.yaml', values);
    const manifests = run(`${programs[major]}/helm/helm`, 'template', 'a', join(folder, 'chart'), '-f', file);
    expect(manifests).toContain('"tag":"2.134.2"');
    expect(await check(`${file}#image.tag`)).toMatchObject({ code: 2 });
    const facts = ['upgrade-preflight', '--to', '2.134.2', '--index', 'fixtures', '--only', 'deployment'];
    expect(await runCli([...facts, '--json', '--from', '1.121.0', '--values', file])).toMatchObject({
      code: 4,
    });
  });

  it.each(['3', '4'])('in a manifest, as kubectl of Helm %s reads it', async (major) => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${marked}data:\n  ${lines}\n`;
    const file = write('manifest.yaml', text);
    const kubectl = `${programs[major]}/kubectl/kubectl`;
    const read = JSON.parse(run(kubectl, 'annotate', '--local', '-f', file, 'a=b', '-o', 'json'));
    expect(read.data.tag).toBe('2.134.2');
    const facts = ['upgrade-preflight', '--to', '2.134.2', '--index', 'fixtures', '--only', 'deployment'];
    expect(await runCli([...facts, '--json', '--from', '1.121.0', '--manifests', file])).toMatchObject({
      code: 4,
    });
  });
});

describe('a chart that writes its defaults, and behind them what values override', () => {
  const templates = {
    'configmap.yaml': [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: lightdash, labels: {helm.sh/chart: lightdash-2.16.361}}',
      'data:',
      '  NATS_ENABLED: "false"',
      '  PGHOST: localhost',
      '  {{- toYaml .Values.configMap | nindent 2 }}',
    ],
    'deployment.yaml': [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: lightdash-backend, labels: {app.kubernetes.io/component: backend}}',
      'spec:',
      '  template:',
      '    spec:',
      '      containers:',
      '        - name: lightdash',
      '          image: lightdash/lightdash:2.134.2',
      '          envFrom: [{configMapRef: {name: lightdash}}]',
    ],
  };
  const values = { configMap: { NATS_ENABLED: 'true', PGHOST: 'pg.example.com' } };

  it.each(['3', '4'])('is read as kubectl of Helm %s reads it: the last counts', async (major) => {
    for (const [name, lines] of Object.entries(templates)) write(`own/templates/${name}`, lines.join('\n'));
    write('own/Chart.yaml', 'apiVersion: v2\nname: lightdash\nversion: 2.16.361\n');
    const overrides = write('own.json', JSON.stringify(values));
    const text = run(`${programs[major]}/helm/helm`, 'template', 'a', join(folder, 'own'), '-f', overrides);
    expect(text.match(/NATS_ENABLED:/g)).toHaveLength(2);
    const kubectl = `${programs[major]}/kubectl/kubectl`;
    const only = write('configmap.yaml', text.split(/^---$/m).find((part) => /ConfigMap/.test(part)) ?? '');
    const read = JSON.parse(run(kubectl, 'annotate', '--local', '-f', only, 'a=b', '-o', 'json'));
    expect(read.data).toEqual(values.configMap);
    const file = write('rendered.yaml', text);
    const { facts } = await collectDeployment({ manifests: [file] }, { env: {}, stdin: noInput(), now });
    const [container] = workloadsIn(facts).flatMap(({ containers }) => containers);
    expect(container).toMatchObject({
      databaseHost: 'outside',
      variablesFrom: [{ keys: ['NATS_ENABLED', 'PGHOST'], switches: { NATS_ENABLED: true } }],
    });
  });

  it.each([
    [
      'another part of it',
      'kind: ConfigMap\nmetadata: {name: a}\ndata: {}\nimmutable: true\nimmutable: false',
      'immutable',
    ],
    ['its labels', 'kind: Secret\nmetadata:\n  name: a\n  labels: {x: a, x: b}\nstringData: {}', 'x'],
    ['data below its data', 'kind: ConfigMap\nmetadata: {name: a}\ndata:\n  data: {x: a, x: b}', 'x'],
    ['the data of another kind', 'kind: Service\nmetadata: {name: a}\ndata: {x: a, x: b}', 'x'],
  ])('is refused, by the name of the key, if it is %s that has one twice', async (_, object, key) => {
    const file = write('twice.yaml', `apiVersion: v1\n${object}\n`);
    const read = collectDeployment({ manifests: [file] }, { env: {}, stdin: noInput(), now });
    await expect(read).rejects.toMatchObject({ code: 'invalid-manifest' });
    await expect(read).rejects.toThrow(`the key ${key} appears twice`);
  });
});

it('values in two documents, which Helm 3 and 4 read differently', async () => {
  const file = write('values.yaml', 'image: {tag: "1.121.0"}\n---\nimage: {tag: "2.134.2"}\n');
  const tagFor = (major: string) =>
    run(`${programs[major]}/helm/helm`, 'template', 'a', join(folder, 'chart'), '-f', file);
  expect(tagFor('3')).toContain('"tag":"1.121.0"');
  expect(tagFor('4')).toContain('"tag":"2.134.2"');
  expect(await check(file)).toMatchObject({ code: 2 });
});

it.each(['Images', 'image\u017f', 'IMAGES'])('a kustomization with the key %s', async (key) => {
  const image = (version: string) => `\n- name: lightdash/lightdash\n  newTag: ${version}\n`;
  const text = `images:${image('1.121.0')}${key}:${image('2.134.2')}resources: [pod.yaml]\n`;
  const file = write('k/kustomization.yaml', text);
  write(
    'k/pod.yaml',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: lightdash/lightdash}]}\n',
  );
  expect(run(`${programs[4]}/kubectl/kubectl`, 'kustomize', join(folder, 'k'))).toMatch(/lightdash:[12]/);
  expect(await check(`${file}#images.0.newTag`)).toMatchObject({ code: 2 });
});

const breaks = ['\u2028', '\u2029', '\u0085', '\r'];

it.each(breaks)('%j in a kustomization', async (end) => {
  const file = write(
    'k/kustomization.yaml',
    `images:\n- name: lightdash/lightdash # a${end}  newTag: 2.134.2\nresources: [pod.yaml]\n`,
  );
  write(
    'k/pod.yaml',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: lightdash/lightdash}]}\n',
  );
  expect(run(`${programs[4]}/kubectl/kubectl`, 'kustomize', join(folder, 'k'))).toContain(
    'lightdash:2.134.2',
  );
  expect(await check(`${file}#images.0.newTag`)).toMatchObject({ code: 2 });
});

it.each([
  ...breaks.map((end) => `build: . # a${end}    image: lightdash/lightdash:2.134.2`),
  '*k : lightdash/lightdash:2.134.2',
])('%j in a compose file', async (line) => {
  const file = write('c/compose.yaml', `x-k: &k image\nservices:\n  a:\n    ${line}\n`);
  const [program = '', ...words] = findDockerCompose() ?? [];
  expect(run(program, ...words, '-f', file, 'config', '--images')).toContain('lightdash:2.134.2');
  expect(await check(`${file}#services.a.image`)).toMatchObject({ code: 2 });
  const facts = ['upgrade-preflight', '--to', '2.134.2', '--index', 'fixtures', '--only', 'images', '--json'];
  const { stdout } = await runCli([...facts, '--from', '1.121.0', '--compose', file], {
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(JSON.parse(stdout).findings).toMatchObject([{ evidence: { version: '2.134.2' } }]);
});
