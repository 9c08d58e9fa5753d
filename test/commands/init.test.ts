import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/app/settings/read.js';
import { resources } from '../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { runCli } from '../support/cli.js';
import { dockerPrinting } from '../support/compose-facts.js';
import { validatorOf } from '../support/json-schema.js';
import { backendPod, chartObjects, inCluster } from '../support/manifests.js';
import { realIndexFile } from '../support/real-index.js';
import { changeOf, gitEnv, Repository } from '../support/repository.js';
import { serve } from '../support/server.js';
import { quoted, standIn } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const here = process.cwd();
afterEach(() => process.chdir(here));

/** A working folder with a copy of files of this repository, and of others. */
function within(copied: readonly string[], files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const path of copied)
    cpSync(resolve(here, path), join(folder, path.split('/').at(-1) ?? ''), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  process.chdir(folder);
  return folder;
}

/** An instance that serves one release. */
async function instanceOf(version: string): Promise<string> {
  const { url } = await serve((request, response) => {
    const isHealth = request.url === '/api/v1/health';
    response.setHeader('lightdash-version', version).setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isHealth ? { status: 'ok', results: { version } } : { status: 'ready' }));
  });
  return url;
}

const compose =
  'services:\n  lightdash:\n    image: lightdash/lightdash:1.121.0\n  db:\n    image: postgres:16.1\n';
const project = {
  name: 'bi',
  services: { lightdash: { image: 'lightdash/lightdash:1.121.0', environment: {} } },
};

describe('lightspan init', () => {
  it.each<
    [
      what: string,
      copied: string[],
      files: Record<string, string>,
      settings: { readonly pins: readonly string[]; readonly [key: string]: unknown },
      said: string[],
    ]
  >([
    [
      'values of the chart',
      ['fixtures/values.yaml'],
      {},
      { pins: ['values.yaml'], deploy: 'helm', helm: { values: ['values.yaml'] } },
      ['instance: not named', 'helm.release', 'database:'],
    ],
    [
      'a compose file',
      [],
      { 'compose.yaml': compose },
      {
        pins: ['compose.yaml'],
        deploy: 'compose',
        compose: { files: ['compose.yaml'] },
      },
      ['instance: not named'],
    ],
    [
      'a compose file with two services of one release',
      [],
      {
        'compose.yaml':
          'services: {web: {image: "lightdash/lightdash:1.121.0"}, worker: {image: "lightdash/lightdash:1.121.0"}}\n',
      },
      { pins: ['compose.yaml'], deploy: 'compose', compose: { files: ['compose.yaml'] } },
      ['instance: not named'],
    ],
    [
      'a kustomization',
      ['examples/argo-cd/kustomization.yaml'],
      {},
      { pins: ['kustomization.yaml'] },
      ['deploy: not clear'],
    ],
    [
      'a compose file with its .env',
      [],
      { 'compose.yaml': compose.replace('1.121.0', '$V'), '.env': 'V=1.121.0\n' },
      {
        pins: ['compose.yaml'],
        deploy: 'compose',
        compose: { files: ['compose.yaml'] },
      },
      ['instance: not named'],
    ],
    [
      'a chart of its own with that of Lightdash in it',
      [],
      {
        'Chart.yaml': 'apiVersion: v2\nname: bi\nversion: 0.1.0\n',
        'values.yaml': 'lightdash:\n  image:\n    tag: 1.121.0\n',
      },
      { pins: ['values.yaml'], deploy: 'helm' },
      ['instance: not named', 'helm.release'],
    ],
    [
      'a Dockerfile and a script',
      [],
      { Dockerfile: 'FROM lightdash/lightdash:1.121.0\n', 'deploy.sh': 'T=1.121.0 # lightspan: pin\n' },
      { pins: ['Dockerfile', 'deploy.sh'] },
      ['deploy: not clear'],
    ],
    [
      'both, at different versions',
      ['fixtures/values.yaml'],
      { 'compose.yaml': compose.replace('1.121.0', '1.122.0') },
      { pins: ['compose.yaml', 'values.yaml'] },
      [
        'compose.yaml#services.lightdash.image is 1.122.0, values.yaml#image.tag is 1.121.0',
        'Leave out',
        'deploy: not clear',
      ],
    ],
  ])('writes what it finds of %s', async (_, copied, files, settings, said) => {
    const folder = within(copied, files);
    const { code, stdout, stderr } = await runCli(['init']);
    expect(code, stderr).toBe(0);
    const text = readFileSync(join(folder, 'lightspan.yaml'), 'utf8');
    // The file has a comment a key; what is printed is a line a key.
    expect(stdout.trimEnd().split('\n')[0]).toBe(`pins: ${settings.pins.join(', ')}`);
    expect(stdout).not.toContain('#\n');
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(6);
    expect(readSettings(text, 'x')).toEqual({ ...settings, to: 'recommended' });
    for (const line of said) expect(stderr).toContain(line);
  });

  it.each<[what: string, files: Record<string, string>, settings: object, lines: readonly string[]]>([
    [
      'the compose file of the publisher',
      { 'docker-compose.yml': compose.replace('1.121.0', 'latest') },
      { deploy: 'compose', compose: { files: ['docker-compose.yml'] } },
      ['  image: lightdash/lightdash:1.121.0', '  pins: ["docker-compose.yml"]'],
    ],
    [
      'values of the publisher, with an empty tag',
      { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: ""\n' },
      { deploy: 'helm', helm: { values: ['values.yaml'] } },
      ['  tag: "1.121.0"', '  pins: ["values.yaml"]'],
    ],
    [
      'values with nothing but an empty tag',
      { 'values.yaml': 'image:\n  tag: ""\n' },
      { deploy: 'helm', helm: { values: ['values.yaml'] } },
      ['  tag: "1.121.0"', '  pins: ["values.yaml"]'],
    ],
    [
      'two services of one image',
      {
        'compose.yaml': `services: {web: {image: "lightdash/lightdash:latest"}, worker: {image: "lightdash/lightdash:latest"}}\n`,
      },
      { deploy: 'compose', compose: { files: ['compose.yaml'] } },
      [
        'To pin the running release, write the image in 2 places in compose.yaml and one line in lightspan.yaml:',
        '  image: lightdash/lightdash:1.121.0',
        '  pins: ["compose.yaml#services.web.image", "compose.yaml#services.worker.image"]',
      ],
    ],
    [
      'values without a tag',
      { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n' },
      { deploy: 'helm', helm: { values: ['values.yaml'] } },
      ['  tag: "1.121.0"', '  pins: ["values.yaml"]'],
    ],
  ])('takes the version from the instance, and says how to pin it: %s', async (_, files, settings, lines) => {
    const instance = await instanceOf('1.121.0');
    let folder = within([], files);
    const written = () => readSettings(readFileSync(join(folder, 'lightspan.yaml'), 'utf8'), 'x');
    const without = await runCli(['init']);
    expect(without).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/ names? no release: the version comes from the instance/),
    });
    // It is said once, with what to do: a second init would refuse.
    expect(without.stderr).toContain('; next: add instance: <url> to it, and lightspan upgrade-check.');
    expect(without.stderr).not.toContain('a release in');
    expect(without.stderr.match(/--instance/g)).toHaveLength(1);
    expect(written()).toEqual(settings);
    folder = within([], files);
    const { code, stderr } = await runCli(['init', '--instance', instance]);
    expect(code, stderr).toBe(0);
    expect(written()).toEqual({ ...settings, instance, to: 'recommended' });
    expect(stderr).toContain(`${lines.join('\n')}\n`);
  });

  describe('with --kubernetes', () => {
    const emptyTag = { 'values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: ""\n' };
    /** A kubectl that knows what is asked of it, and refuses anything else. */
    function kubectlOf(objects: readonly { readonly kind?: unknown }[]) {
      const lists = Object.entries(resources).map(([kind, resource]) => {
        const items = objects.filter((object) => object.kind === kind);
        return `'get ${resource} '*) echo ${quoted(JSON.stringify({ kind: 'List', apiVersion: 'v1', items }))};;`;
      });
      const config = {
        'current-context': 'prod-eu',
        contexts: [{ name: 'prod-eu', context: { namespace: 'bi' } }],
      };
      const env = standIn(
        'kubectl',
        `printf '%s\\n' "$*" >> "$ASIDE/run"
         case "$*" in
           *' --context=nope') echo 'error: context nope does not exist' >&2; exit 1;;
           'config view --minify -o json'*) echo ${quoted(JSON.stringify(config))};;
           ${lists.join('\n')}
           *) echo "error: unknown command $*" >&2; exit 1;;
         esac`,
      );
      return { env, runs: () => readFileSync(join(env.ASIDE, 'run'), 'utf8').trim().split('\n') };
    }
    const running = (tag: string) =>
      inCluster([
        ...chartObjects({ chart: '2.16.361', app: tag, tag }).filter(({ kind }) => kind !== 'Pod'),
        backendPod({ tag }),
      ]);
    const written = (folder: string) =>
      readSettings(readFileSync(join(folder, 'lightspan.yaml'), 'utf8'), 'x');
    const helm = { release: 'prod', namespace: 'bi', context: 'prod-eu', values: ['values.yaml'] };

    it('takes version and release from the cluster, reads alone, and says how to pin', async () => {
      const folder = within([], emptyTag);
      const { env, runs } = kubectlOf(running('2.130.0'));
      const { code, stderr } = await runCli(['init', '--kubernetes'], { env });
      expect(code, stderr).toBe(0);
      expect(written(folder)).toEqual({ deploy: 'helm', helm });
      expect(stderr).toContain('Asking kubectl, context prod-eu, namespace bi: only get, no Secrets');
      expect(stderr).toContain('  tag: "2.130.0"\n  pins: ["values.yaml"]\n');
      expect(stderr).not.toContain('helm.release');
      expect(runs().filter((run) => !/^(config view|get (?!secrets))/.test(run))).toEqual([]);
    });

    it('asks for the release and in the namespace that are named', async () => {
      const folder = within([], emptyTag);
      const releases = [
        { chart: '2.16.361', app: '2.129.0', release: 'dev' },
        { chart: '2.16.361', app: '2.130.0' },
      ];
      const objects = inCluster(
        releases.flatMap(chartObjects).filter(({ kind }) => kind !== 'Pod'),
        'apart',
      );
      const { env, runs } = kubectlOf(objects);
      const argv = ['init', '--kubernetes', '--release', 'dev', '--namespace', 'apart'];
      const { code, stderr } = await runCli(argv, { env });
      expect(code, stderr).toBe(0);
      expect(written(folder)).toMatchObject({ helm: { release: 'dev' } });
      expect(stderr).toContain('  tag: "2.129.0"');
      expect(runs().filter((run) => run.startsWith('get') && !run.includes('--namespace=apart'))).toEqual([]);
    });

    it('writes what the cluster says where no file pins', async () => {
      const folder = within([]);
      const { env } = kubectlOf(running('2.130.0'));
      const { code, stdout } = await runCli(['init', '--kubernetes', '--json'], { env });
      expect([code, JSON.parse(stdout).runningVersion]).toEqual([0, '2.130.0']);
      expect(written(folder)).toEqual({ deploy: 'helm', helm: { ...helm, values: undefined } });
    });

    it('names what runs where that is no release, or another one than a file pins', async () => {
      within([], emptyTag);
      const floating = await runCli(['init', '--kubernetes'], kubectlOf(running('latest')));
      expect(floating).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('one release in the cluster: it runs lightdash/lightdash:latest'),
      });
      within([], { 'values.yaml': emptyTag['values.yaml'].replace('""', '2.129.0') });
      const other = await runCli(['init', '--kubernetes'], kubectlOf(running('2.130.0')));
      expect(other.stderr).toContain('the cluster runs 2.130.0, values.yaml#image.tag is 2.129.0');
    });

    it('says that nothing of Lightdash runs there, and fails where the cluster does', async () => {
      const folder = within([], emptyTag);
      const none = await runCli(['init', '--kubernetes'], kubectlOf([]));
      expect(none.stderr).toContain('one release in the cluster: none of 0 objects runs Lightdash');
      expect(written(folder)).toEqual({ deploy: 'helm', helm: { values: ['values.yaml'] } });
      within([], emptyTag);
      const argv = ['init', '--kubernetes', '--context', 'nope'];
      expect(await runCli(argv, kubectlOf([]))).toMatchObject({ code: 3 });
      expect(existsSync('lightspan.yaml')).toBe(false);
    });
  });

  it('leaves the defaults of a chart, and an image with a digest', async () => {
    within([], { 'Chart.yaml': 'name: bi\n', 'values.yaml': 'image:\n  repository: lightdash/lightdash\n' });
    expect((await runCli(['init'])).code).toBe(2);
    const digest = `lightdash/lightdash@sha256:${'a'.repeat(64)}`;
    within([], { 'compose.yaml': `services: {lightdash: {image: "${digest}"}}\n` });
    expect((await runCli(['init'])).stderr).not.toContain('names no release');
  });

  it.each<[file: string, text: string, settings: object]>([
    [
      'docker-compose.yml',
      'x-ld: &ld\n  image: lightdash/lightdash:1.121.0\nservices: {web: {<<: *ld}, worker: {<<: *ld}}\n',
      {
        pins: ['docker-compose.yml'],
        deploy: 'compose',
        compose: { files: ['docker-compose.yml'] },
      },
    ],
    [
      'templates/compose/docker-compose.yml',
      compose,
      {
        pins: ['templates/compose/docker-compose.yml'],
        deploy: 'compose',
        compose: { files: ['templates/compose/docker-compose.yml'] },
      },
    ],
    [
      '.github/workflows/deploy.yml',
      'on: push\nenv:\n  LIGHTDASH_VERSION: 1.121.0\njobs: {}\n',
      { pins: ['.github/workflows/deploy.yml'] },
    ],
  ])('finds what pins in %s', async (file, text, settings) => {
    const folder = within([]);
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
    const { code, stderr } = await runCli(['init']);
    expect(code, stderr).toBe(0);
    const written = readFileSync(join(folder, 'lightspan.yaml'), 'utf8');
    expect(readSettings(written, 'x')).toEqual({ ...settings, to: 'recommended' });
  });

  it('writes a file to be edited: a schema, a comment a key, and a risk to accept', async () => {
    const folder = within(['fixtures/values.yaml']);
    await runCli(['init']);
    const text = readFileSync(join(folder, 'lightspan.yaml'), 'utf8');
    expect(text).toMatch(/^# For an editor, the schema of this file is schemas\/settings\.json of .*\n/);
    for (const key of text.matchAll(/\n(.*)\n\w+:/g)) expect(key[1]).toMatch(/^# [A-Z]/);
    expect(text).toContain('pins:\n  - values.yaml\n');
    const withRisk = text.replace(/# accept:[\s\S]*$/, (part) => part.replaceAll(/^# /gm, ''));
    expect(readSettings(withRisk, 'x')).toMatchObject({ accept: [{ release: '1.122.0' }] });
  });

  it.each([
    ['./node_modules', '.'],
    ['../../node_modules', 'deploy/prod'],
  ])('names the schema of the package that is installed in %s', async (modules, folder) => {
    const root = within([]);
    const schemas = join(root, 'node_modules/lightspan/schemas');
    cpSync(resolve(here, 'schemas/settings.json'), join(schemas, 'settings.json'));
    mkdirSync(join(root, folder), { recursive: true });
    cpSync(resolve(here, 'fixtures/values.yaml'), join(root, folder, 'values.yaml'));
    process.chdir(join(root, folder));
    expect((await runCli(['init'])).code).toBe(0);
    const [first] = readFileSync('lightspan.yaml', 'utf8').split('\n');
    expect(first).toBe(`# yaml-language-server: $schema=${modules}/lightspan/schemas/settings.json`);
    expect(existsSync(first?.split('=')[1] ?? '')).toBe(true);
  });

  it('writes a file with which four commands need no flag, and pin-check its base', async () => {
    const instance = await instanceOf('1.121.0');
    for (const [copied, files, variables] of [
      [['fixtures/values.yaml'], {}, {}],
      [[], { 'compose.yaml': compose }, {}],
      // These say nothing of the deployment: what a preflight looks at is the database of the environment.
      [['examples'], {}, { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'x' }],
    ] as const) {
      within(copied, files);
      const env = {
        ...dockerPrinting(project),
        ...variables,
        LIGHTSPAN_INDEX: resolve(here, 'fixtures/mirror'),
      };
      expect((await runCli(['init', '--instance', instance], { env })).code).toBe(0);
      const verify = copied[0] === 'fixtures/values.yaml' ? ['upgrade-verify'] : [];
      for (const command of ['upgrade-plan', 'upgrade-check', 'upgrade-preflight', ...verify]) {
        const { code, stdout, stderr } = await runCli([command], { env, sleep: async () => {} });
        expect([0, 1, 3], `${command}: ${stderr}`).toContain(code);
        // No database is there: that is no answer.
        const isAnswer = command !== 'upgrade-preflight' || copied[0] !== 'examples';
        // The releases of that mirror are an hour old: none is recommended, and the answer names the one that runs.
        if (isAnswer) expect(`${stdout}${stderr}`).toContain('1.121.0');
        else expect([code, stderr]).toEqual([3, expect.stringContaining('127.0.0.1:1')]);
      }
    }
    const values = (tag: string) => `image: {repository: lightdash/lightdash, tag: ${tag}}\n`;
    const settings = "pins: ['values.yaml#image.tag']\n";
    const repository = changeOf(
      { 'values.yaml': values('1.121.0'), 'lightspan.yaml': settings },
      { 'values.yaml': values('1.122.0') },
    );
    process.chdir(repository.folder);
    const env = { ...gitEnv, LIGHTSPAN_INDEX: resolve(here, realIndexFile) };
    expect(await runCli(['pin-check', '--base', 'main'], { env })).toMatchObject({ code: 0 });
  });

  it('writes files alone, beside which the gate keeps looking', async () => {
    const repository = new Repository().commit({
      'compose.yaml': compose,
      'deploy.sh': 'helm upgrade bi x\n',
    });
    process.chdir(repository.folder);
    const { stderr } = await runCli(['init']);
    expect(stderr).not.toContain('its pins alone');
    const settings = readFileSync('lightspan.yaml', 'utf8');
    const gateOf = async (text: string, change: Readonly<Record<string, string>>) => {
      repository.commit({ 'lightspan.yaml': text });
      repository.git('switch', '--quiet', '--force-create', 'change');
      repository.commit(change);
      const { code } = await runCli(['pin-check', '--base', 'main', '--index', resolve(here, realIndexFile)]);
      repository.git('switch', '--quiet', 'main');
      return code;
    };
    const elsewhere = { 'deploy.sh': 'helm upgrade bi x --set lightdash.image.tag=1.156.0\n' };
    expect(await gateOf(settings, elsewhere)).toBe(2);
    const override = { 'docker-compose.override.yml': compose.replace('1.121.0', '2.134.2') };
    expect(await gateOf(settings, override)).toBe(1);
    // With its path, a place narrows the gate to the files that are named.
    const narrow = settings.replace('- compose.yaml\n', '- compose.yaml#services.lightdash.image\n');
    expect(narrow).not.toBe(settings);
    expect(await gateOf(narrow, elsewhere)).toBe(0);
  });

  describe('with a pin in a file that git ignores', () => {
    const files = {
      'compose.yaml': compose.replace('1.121.0', `\${LIGHTDASH_VERSION}`),
      '.env': 'LIGHTDASH_VERSION=1.121.0\n',
    };
    const unseen = /^ {2}- moves of (.+) in pin-check: git ignores it\./m;

    it.each<[ignore: string, files: Record<string, string>, place: string]>([
      ['.env\n', files, '.env#LIGHTDASH_VERSION'],
      ['*.yaml\n', { 'values.yaml': 'image: {tag: 1.121.0}\n' }, 'values.yaml#image.tag'],
    ])('says that the gate sees no move of it: %j', async (ignore, written, place) => {
      const repository = new Repository().commit({ '.gitignore': ignore });
      repository.write(written);
      process.chdir(repository.folder);
      const { code, stderr } = await runCli(['init'], { env: gitEnv });
      expect(code).toBe(0);
      expect(unseen.exec(stderr)?.[1]).toBe(place);
    });

    it('says nothing of one that git has all the same, of none, and where there is no repository', async () => {
      const tracked = new Repository().commit(files).commit({ '.gitignore': '.env\n' });
      const other = new Repository().commit({ ...files, '.gitignore': '*.log\n' });
      for (const folder of [tracked.folder, other.folder, within([], files)]) {
        process.chdir(folder);
        expect((await runCli(['init'], { env: gitEnv })).stderr).not.toMatch(unseen);
      }
    });
  });

  it('names for each of several environments the command that uses its file', async () => {
    within([]);
    for (const [name, tag] of [
      ['dev', '1.157.0'],
      ['prod', '1.156.0'],
    ]) {
      mkdirSync(join('envs', String(name)), { recursive: true });
      writeFileSync(
        join('envs', String(name), 'values.yaml'),
        `image:\n  repository: lightdash/lightdash\n  tag: "${tag}"\n`,
      );
    }
    const files = ['envs/dev/values.yaml', 'envs/prod/values.yaml'];
    const { code, stderr } = await runCli(['init']);
    expect(code).toBe(2);
    for (const file of files) {
      const command = `lightspan check --from-file ${file}`;
      expect(stderr).toContain(`\n  ${command}\n`);
      const argv = [...command.split(' ').slice(1), '--to', '1.158.0', '--index', join(here, realIndexFile)];
      expect(await runCli(argv)).toMatchObject({ stdout: expect.stringContaining('Answer: ') });
    }
    // A bump has no --from to which it could point.
    const bump = await runCli(['bump', ...files.flatMap((file) => ['--file', file])]);
    expect(bump.stderr).toContain(`as in --file ${files[0]}.`);
    expect(bump.stderr).not.toContain('--from');
  });

  it('takes the values of an environment, which override those of the chart at the same path, for a pin', async () => {
    within([], {
      'Chart.yaml':
        'apiVersion: v2\nname: bi\nversion: 1.0.0\ndependencies: [{name: lightdash, alias: ld, version: 2.16.101}]\n',
      'values.yaml':
        'ld: {image: {repository: r.io/lightdash/lightdash, tag: 1.158.0}}\nweb: {image: {tag: 1.27.0}}\n',
      'prod.yaml': 'ld:\n  image:\n    tag: 1.156.0\n',
      'other.yaml': 'ld: {image: {pullPolicy: Always}}\nweb: {image: {tag: 1.27.1}}\n',
    });
    const { code, stdout, stderr } = await runCli(['init']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('pins: values.yaml, prod.yaml#ld.image.tag\n');
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'one version: values.yaml#ld.image.tag is 1.158.0, prod.yaml#ld.image.tag is 1.156.0.',
    );
    // What is next works as it is printed, and tells no environment from another by itself.
    const next = /next, for one instance: lightspan (.*?)\. Not found:/.exec(
      stderr.replace(/\s+/g, ' '),
    )?.[1];
    expect(next).toBe('upgrade-check --from-file values.yaml');
    const argv = [...String(next).split(' '), '--to', '1.159.0', '--index', join(here, realIndexFile)];
    expect(await runCli(argv)).toMatchObject({ stdout: expect.stringContaining('Answer: ') });
    const undecided = await runCli(['plan', '--index', join(here, realIndexFile)]);
    expect(undecided).toMatchObject({ code: 2, stdout: '' });
    expect(undecided.stderr).toContain("as in --from-file 'values.yaml#ld.image.tag'");
  });

  it('takes no value at that path which is of another image or another chart', async () => {
    const folder = within([], {
      'Chart.yaml': 'apiVersion: v2\nname: bi\nversion: 1.0.0\n',
      'values.yaml': 'app: {image: {repository: r.io/lightdash/lightdash, tag: 1.158.0}}\n',
      'web.yaml': 'app: {image: {repository: r.io/web, tag: 1.27.0}}\n',
    });
    for (const name of ['web', 'bi']) mkdirSync(join(folder, 'charts', name), { recursive: true });
    writeFileSync(join(folder, 'charts/web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'charts/web/prod.yaml'), 'app: {image: {tag: 1.27.1}}\n');
    writeFileSync(join(folder, 'charts/bi/prod.yaml'), 'app: {image: {tag: 1.156.0}}\n');
    expect(await runCli(['init'])).toMatchObject({
      code: 0,
      stdout: 'pins: values.yaml, charts/bi/prod.yaml#app.image.tag\ndeploy: helm\n',
    });
  });

  it('knows compose by its file, where the release stands in a file of variables for each environment', async () => {
    within([], {
      'compose.yaml': 'services: {web: {image: "lightdash/lightdash:$BI_VERSION"}}\n',
      'dev.env': 'BI_VERSION=1.157.0\n',
      'prod.env': 'BI_VERSION=1.156.0\n',
    });
    const { code, stdout, stderr } = await runCli(['init']);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('pins: dev.env, prod.env\ndeploy: compose\ncompose.files: compose.yaml\n');
    expect(stderr).not.toContain('a release in compose.yaml');
    const plan = await runCli(['plan', 'prod.env', '--to', '1.158.0', '--index', join(here, realIndexFile)]);
    expect(plan).toMatchObject({ code: 0 });
    expect(plan.stdout).toContain('with downtime, as always with docker compose');
    expect(plan.stdout).toContain('BI_VERSION=1.158.0');
  });

  it('joins no two environments: it asks a person, and writes neither for nobody', async () => {
    const values = (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`;
    const twoEnvironments = () => {
      const folder = within([]);
      for (const name of ['dev', 'prod']) {
        mkdirSync(join(folder, 'envs', name), { recursive: true });
        writeFileSync(join(folder, 'envs', name, 'values.yaml'), values('1.121.0'));
      }
      return () => readSettings(readFileSync(join(folder, 'lightspan.yaml'), 'utf8'), 'x');
    };
    let written = twoEnvironments();
    const both = 'envs/dev/values.yaml, envs/prod/values.yaml each deploy Lightdash';
    expect(await runCli(['init'])).toMatchObject({ code: 2, stderr: expect.stringContaining(both) });
    const env = { PGHOST: '127.0.0.1' };
    expect(await runCli(['init'], { env })).toMatchObject({ code: 0, stderr: expect.stringContaining(both) });
    expect(written()).toEqual({ database: 'env' });

    written = twoEnvironments();
    expect(await runCli(['init'], { columns: 80, stdin: '2\n' })).toMatchObject({ code: 0 });
    expect(written()).toEqual({
      ...{ pins: ['envs/prod/values.yaml'], to: 'recommended' },
      deploy: 'helm',
      helm: { values: ['envs/prod/values.yaml'] },
    });
    twoEnvironments();
    expect(await runCli(['init'], { columns: 80, stdin: '3\n' })).toMatchObject({ code: 2 });
  });

  it.each<[what: string, files: Record<string, string>, written: object, said?: string]>([
    [
      'values beside values',
      { 'values.yaml': 'postgresql: {enabled: false}\n', 'values-prod.yaml': 'image: {tag: 1.121.0}\n' },
      { pins: ['values-prod.yaml'] },
      'values.yaml beside values-prod.yaml',
    ],
    [
      'values of a chart beside its own',
      { 'values.yaml': 'a: 1\n', 'Chart.yaml': 'name: bi\n', 'values-prod.yaml': 'image: {tag: 1.121.0}\n' },
      { pins: ['values-prod.yaml'], deploy: 'helm', helm: { values: ['values-prod.yaml'] } },
    ],
    [
      'an override file',
      { 'compose.yaml': compose, 'compose.override.yaml': 'services: {db: {restart: always}}\n' },
      {
        ...{ pins: ['compose.yaml'], deploy: 'compose' },
        compose: { files: ['compose.yaml', 'compose.override.yaml'] },
      },
    ],
    [
      'files that COMPOSE_FILE names',
      {
        'compose.yaml': compose,
        'prod.yaml': 'services: {}\n',
        '.env': 'COMPOSE_FILE=compose.yaml:prod.yaml\n',
      },
      {
        ...{ pins: ['compose.yaml'], deploy: 'compose' },
        compose: { files: ['compose.yaml', 'prod.yaml'] },
      },
    ],
    [
      'a compose file beside it',
      { 'compose.yaml': compose, 'compose.prod.yaml': 'services: {}\n' },
      { pins: ['compose.yaml'] },
      'compose.prod.yaml beside compose.yaml',
    ],
    [
      'a COMPOSE_FILE that names another',
      { 'compose.yaml': compose, 'prod.yaml': 'services: {}\n', '.env': 'COMPOSE_FILE=prod.yaml\n' },
      { pins: ['compose.yaml'] },
      'COMPOSE_FILE in .env names prod.yaml',
    ],
  ])('writes no part of a deployment: %s', async (_, files, written, said = 'Written to') => {
    const folder = within([], files);
    const { code, stderr } = await runCli(['init']);
    expect(code, stderr).toBe(0);
    expect(readSettings(readFileSync(join(folder, 'lightspan.yaml'), 'utf8'), 'x')).toEqual({
      ...written,
      to: 'recommended',
    });
    expect(stderr).toContain(said);
  });

  it('leaves a file that is there, and writes none of nothing', async () => {
    const folder = within(['fixtures/values.yaml'], { 'lightspan.yaml': '# mine\n' });
    const { code, stderr } = await runCli(['init']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there already is a lightspan.yaml')]);
    expect(readFileSync(join(folder, 'lightspan.yaml'), 'utf8')).toBe('# mine\n');
    within([]);
    expect(await runCli(['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was found'),
    });
  });

  it.each([
    ['values.yaml', 'image:\n  repository: lightdash/lightdash\n  tag: ""\n', 'tag: "1.121.0"'],
    ['compose.yaml', compose.replace('1.121.0', 'latest'), 'image: lightdash/lightdash:1.121.0'],
  ])('shows the lines that pin what runs beside settings: %s', async (file, text, line) => {
    const folder = within([], { [file]: text, 'lightspan.yaml': 'deploy: helm\n' });
    const url = await instanceOf('1.121.0');
    const { code, stdout, stderr } = await runCli(['init', '--instance', url, '--allow-http']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`\n  ${line}\n  pins: ["${file}"]\n`);
    expect(stderr).toContain('Nothing was written');
    expect(readFileSync(join(folder, 'lightspan.yaml'), 'utf8')).toBe('deploy: helm\n');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
    expect(await runCli(['init', '--instance', url, '--allow-http', '--json'])).toMatchObject({ code: 2 });
  });

  it('names the services that pin different releases', async () => {
    const worker = '  worker:\n    image: lightdash/lightdash:1.120.0\n';
    within([], { 'compose.yaml': compose + worker });
    const { code, stderr } = await runCli(['init']);
    expect(code).toBe(2);
    const said = stderr.replace(/\s+/g, ' ');
    expect(said).toContain(
      'compose.yaml#services.lightdash.image: it is 1.121.0, and services.worker.image in the same file is 1.120.0',
    );
    expect(said).not.toContain('no file below this folder');
  });

  it('says as JSON what is written, what was found and what was not', async () => {
    const valid = validatorOf('init-result.json');
    const folder = within([], {
      'a.yaml': compose.replace('lightdash:1', 'lightdash:v1'),
      'values.yaml': 'image: {repository: lightdash/lightdash, tag: 1.122.0}\n',
    });
    const instance = await instanceOf('1.121.0');
    const { code, stdout, stderr } = await runCli(['init', '--instance', instance, '--json']);
    const { settings, ...answer } = JSON.parse(stdout);
    expect([code, stderr]).toEqual([0, '']);
    expect(valid({ settings, ...answer })).toBe(true);
    expect(settings).toEqual(readSettings(readFileSync(join(folder, 'lightspan.yaml'), 'utf8'), ''));
    expect(answer).toEqual({
      schemaVersion: '1',
      file: 'lightspan.yaml',
      pinned: [
        { file: 'a.yaml', path: 'services.lightdash.image', version: '1.121.0' },
        { file: 'values.yaml', path: 'image.tag', version: '1.122.0' },
      ],
      runningVersion: '1.121.0',
      notFound: expect.arrayContaining([expect.stringMatching(/^one version: the instance runs 1\.121\.0/)]),
    });
  });

  it('asks the instance before it writes', async () => {
    const folder = within(['fixtures/values.yaml']);
    expect((await runCli(['init', '--instance', 'http://127.0.0.1:9'])).code).toBe(3);
    expect(() => readFileSync(join(folder, 'lightspan.yaml'))).toThrow('ENOENT');
  });
});
