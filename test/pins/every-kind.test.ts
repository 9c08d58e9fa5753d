import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/app/settings/read.js';
import { runCli } from '../support/cli.js';
import { lines } from '../support/lines.js';
import { realIndexFile } from '../support/real-index.js';
import { changeOf, gitEnv } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Files = Readonly<Record<string, string>>;

const here = process.cwd();
afterEach(() => process.chdir(here));

const application = (...helm: readonly string[]) =>
  lines(
    'apiVersion: argoproj.io/v1alpha1',
    'kind: Application',
    'metadata: {name: lightdash}',
    'spec:',
    '  source:',
    '    chart: lightdash',
    '    repoURL: https://lightdash.github.io/helm-charts',
    '    targetRevision: 2.10.0',
    '    helm:',
    ...helm.map((line) => `      ${line}`),
  );
const release = (...values: readonly string[]) =>
  lines(
    'apiVersion: helm.toolkit.fluxcd.io/v2',
    'kind: HelmRelease',
    'metadata: {name: lightdash}',
    'spec:',
    '  chart: {spec: {chart: lightdash, sourceRef: {kind: HelmRepository, name: lightdash}}}',
    ...values.map((line) => `  ${line}`),
  );

/** One file of every kind that init recognises, as people write it. */
const everyKind: Readonly<Record<string, Files>> = {
  'values of the chart': { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: 1.121.0\n' },
  'values in JSON': { 'values.json': '{"image": {"repository": "lightdash/lightdash", "tag": "1.121.0"}}\n' },
  'a compose file': { 'compose.yaml': 'services:\n  lightdash:\n    image: lightdash/lightdash:1.121.0\n' },
  'a compose file with its .env': {
    'compose.yaml': 'services:\n  lightdash:\n    image: lightdash/lightdash:$' + '{TAG}\n',
    '.env': 'TAG=1.121.0\n',
  },
  'a kustomization': {
    'kustomization.yaml': 'images:\n  - name: lightdash/lightdash\n    newTag: 1.121.0\n',
  },
  'a manifest': {
    'deployment.yaml': lines(
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: lightdash}',
      'spec:',
      '  template:',
      '    spec:',
      '      containers:',
      '        - name: lightdash',
      '          image: lightdash/lightdash:1.121.0',
    ),
  },
  'an Application with values in a text': {
    'app.yaml': application('values: |', '  image:', '    tag: 1.121.0', '  replicaCount: 2'),
  },
  'an Application with values in a quoted text': {
    'app.yaml': application(String.raw`values: "image:\n  tag: 1.121.0\n"`),
  },
  'an Application with values in JSON': {
    'app.json': JSON.stringify({
      kind: 'Application',
      metadata: { name: 'lightdash' },
      spec: { source: { chart: 'lightdash', helm: { values: 'image:\n  tag: 1.121.0\n' } } },
    }),
  },
  'an Application with an object of values': {
    'app.yaml': application('valuesObject:', '  image:', '    tag: 1.121.0'),
  },
  'an Application with a parameter': {
    'app.yaml': application('parameters:', '  - name: image.tag', '    value: 1.121.0'),
  },
  'a ConfigMap with values': {
    'configmap.yaml': lines(
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: lightdash-values}',
      'data:',
      '  values.yaml: |',
      '    image:',
      '      repository: lightdash/lightdash',
      '      tag: 1.121.0 # ours',
    ),
  },
  'a HelmRelease of Flux': { 'release.yaml': release('values:', '  image:', '    tag: 1.121.0') },
  'a HelmChart of k3s': {
    'chart.yaml': lines(
      'apiVersion: helm.cattle.io/v1',
      'kind: HelmChart',
      'metadata: {name: lightdash}',
      'spec:',
      '  chart: lightdash',
      '  valuesContent: |-',
      '    image:',
      '      tag: 1.121.0',
    ),
  },
  'a helmfile': {
    'helmfile.yaml': lines(
      'releases:',
      '  - name: lightdash',
      '    chart: lightdash/lightdash',
      '    values:',
      '      - image:',
      '          tag: 1.121.0',
    ),
  },
  'a Dockerfile': { Dockerfile: 'FROM lightdash/lightdash:1.121.0\n' },
  'a Dockerfile with an argument': { Dockerfile: 'ARG V=1.121.0\nFROM lightdash/lightdash:$V\n' },
  'variables of Terraform': { 'prod.tfvars': 'lightdash_tag = "1.121.0"\n' },
  'values in Terraform': {
    'main.tf': lines(
      'resource "helm_release" "lightdash" {',
      '  name  = "lightdash"',
      '  chart = "lightdash"',
      '  set {',
      '    name  = "image.tag"',
      '    value = "1.121.0"',
      '  }',
      '}',
    ),
  },
  'a comment': { 'deploy.sh': '# lightspan: pin\nTAG=1.121.0\n' },
  'a workflow': {
    '.github/workflows/deploy.yaml': 'env:\n  LIGHTDASH_VERSION: 1.121.0\njobs: {}\n',
  },
};

const kinds = Object.entries(everyKind);
const index = resolve(realIndexFile);
const to = ['--to', '1.156.0', '--index', index];

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The pins that init writes for these files, which are then the working folder. */
async function initIn(files: Files): Promise<readonly string[]> {
  const folder = temporaryFolder();
  write(folder, files);
  process.chdir(folder);
  const { code, stderr } = await runCli(['init', '--json'], { env: gitEnv });
  expect(code, stderr).toBe(0);
  const { pins } = readSettings(readFileSync('lightspan.yaml', 'utf8'), 'lightspan.yaml');
  expect(pins).toHaveLength(1);
  return pins ?? [];
}

describe('what init writes is read by every command', () => {
  it.each(kinds)('check, plan and bump read and write it: %s', async (_, files) => {
    await initIn(files);
    for (const command of ['upgrade-check', 'upgrade-plan']) {
      const { stdout, stderr } = await runCli([command, ...to, '--json'], { env: gitEnv });
      expect(JSON.parse(stdout || '{}'), stderr).toMatchObject({ fromVersion: '1.121.0' });
    }
    const check = await runCli(['upgrade-bump', '--check', ...to, '--json'], { env: gitEnv });
    expect(check.code, check.stderr).toBe(0);
    const bump = await runCli(['upgrade-bump', '--to', '1.122.0', '--index', index], { env: gitEnv });
    expect(bump.code, bump.stderr).toBe(0);
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(name, 'utf8')).toBe(text.replaceAll('1.121.0', '1.122.0'));
  });

  it.each(kinds)('pin-check judges a move of it, by the settings and by --pin: %s', async (_, files) => {
    const [pin = ''] = await initIn(files);
    const settings = readFileSync('lightspan.yaml', 'utf8');
    const before = { ...files, 'lightspan.yaml': settings };
    const after = Object.fromEntries(
      Object.entries(before).map(([name, text]) => [name, text.replaceAll('1.121.0', '1.122.0')]),
    );
    const { folder } = changeOf(before, after);
    process.chdir(folder);
    const judge = async (...by: readonly string[]) => {
      const argv = ['pin-check', '--base', 'main', '--index', index, '--json', ...by];
      const { code, stdout, stderr } = await runCli(argv, { env: gitEnv });
      const { pins = [] } = JSON.parse(stdout || '{}');
      const moves = pins.map((one: Record<string, string>) => `${one.fromVersion} to ${one.toVersion}`);
      expect({ code, moves: [...new Set(moves)] }, stderr).toEqual({
        code: 0,
        moves: ['1.121.0 to 1.122.0'],
      });
      return pins.map((one: Record<string, string>) => one.pin ?? `${one.file}#${one.path}`);
    };
    await judge();
    const [printed] = await judge('--no-settings');
    expect(printed).toContain('#');
    await judge('--no-settings', '--pin', printed);
    await judge('--no-settings', '--pin', pin.includes('#') ? pin : printed);
  });
});

describe('a pin in values that are one text', () => {
  const textual = (tag: string) => application('values: |', '  image:', `    tag: ${tag}`);
  const path = 'app.yaml#spec.source.helm.values.image.tag';

  it.each<[what: string, text: string, place: string, why: string]>([
    [
      'the tag of a parameter differs',
      application(
        'values: |',
        '  image:',
        '    tag: 1.121.0',
        'parameters:',
        '  - name: image.tag',
        '    value: 1.120.0',
      ),
      path,
      'it is 1.121.0, and app.yaml#spec.source.helm.parameters.0.value is 1.120.0',
    ],
    [
      'two Applications of one name',
      `${textual('1.121.0')}---\n${textual('1.120.0')}`,
      path,
      'several documents of the file have it',
    ],
    [
      'two Applications, and none is named',
      `${textual('1.121.0')}---\n${textual('1.120.0')}`,
      'app.yaml',
      'pins Lightdash in 2 places',
    ],
    [
      'a digest beside the tag',
      textual('1.121.0\n          digest: sha256:0'),
      path,
      'next to it is the digest',
    ],
    ['latest', textual('latest'), path, '"latest" does not name a release'],
    ['no such key in the text', textual('1.121.0'), `${path}s`, 'there is nothing at that path'],
  ])('is refused: %s', async (_, text, place, why) => {
    const folder = temporaryFolder();
    write(folder, { 'app.yaml': text });
    process.chdir(folder);
    const { code, stderr } = await runCli(['upgrade-check', '--from-file', place, ...to]);
    expect({ code, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
      code: 2,
      stderr: expect.stringContaining(why),
    });
    const bump = await runCli(['upgrade-bump', '--file', place, ...to]);
    expect(bump.code, bump.stderr).toBe(2);
    expect(readFileSync('app.yaml', 'utf8')).toBe(text);
  });

  it('is moved alone where the same words stand beside it', async () => {
    const text = application(
      'values: | # not 1.121.0',
      '  # 1.121.0 is the first',
      '  image:',
      '    tag: "1.121.0"',
      '  other: 1.121.0',
    );
    const folder = temporaryFolder();
    write(folder, { 'app.yaml': text });
    process.chdir(folder);
    const { code, stderr } = await runCli([
      'upgrade-bump',
      '--file',
      'app.yaml',
      '--to',
      '1.122.0',
      '--index',
      index,
    ]);
    const now = readFileSync('app.yaml', 'utf8');
    if (code === 2) expect(now, stderr).toBe(text);
    else expect(now).toBe(text.replace('tag: "1.121.0"', 'tag: "1.122.0"'));
  });
});
