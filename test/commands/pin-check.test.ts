import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { declaredCommand } from '../support/declarations.js';
import { validatorOf } from '../support/json-schema.js';
import { lines } from '../support/lines.js';
import { writeSituation } from '../support/preflight.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { changeOf, type FilesToWrite, gitEnv, Repository } from '../support/repository.js';
import { standIn } from '../support/stand-in.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const tag = (version: string) => `image:\n  tag: "${version}"\n`;
const values = (version: string): FilesToWrite => ({ 'values.yaml': tag(version) });
const imageOf = (fields: string) => ({ 'values.yaml': `image: {${fields}}\n` });
const pin = ['--pin', 'values.yaml#image.tag'];
const judged = ['--base', 'main', ...pin];

/** `pin-check` in a repository, with the real index. */
function pinCheck(
  { folder }: Pick<Repository, 'folder'>,
  argv: readonly string[] = judged,
  { index = realIndexFile, ...env }: Readonly<Record<string, string>> = {},
) {
  return runCli(['pin-check', '--repo', folder, ...argv], {
    env: { ...gitEnv, LIGHTSPAN_INDEX: index, ...env },
  });
}

async function findingsOf(...args: Parameters<typeof pinCheck>) {
  const [repository, argv = judged, env] = args;
  const { code, stdout } = await pinCheck(repository, [...argv, '--json'], env);
  const answer = JSON.parse(stdout);
  expect(validatorOf('pin-check-result.json')(answer), stdout).toBe(true);
  expect(answer.passes).toBe(code === 0);
  const pins: { file: string; path: string; line: number; finding: string; message: string }[] = answer.pins;
  return { code, answer, pins, findings: pins.map(({ finding }) => finding) };
}

/** The change is answered with this exit code, by these findings. */
async function finds(code: number, findings: readonly string[], ...args: Parameters<typeof pinCheck>) {
  expect(await findingsOf(...args)).toMatchObject({ code, findings });
}

it('does not blame the releases where a major alone is against the change', async () => {
  const index = join(temporaryFolder(), 'index.json');
  writeFileSync(
    index,
    JSON.stringify(
      indexOf({ version: '2.133.0' }, { version: '2.134.2', rollingUpdateSafe: false }, { version: '3.0.0' }),
    ),
  );
  const change = changeOf(values('2.134.2'), values('3.0.0'));
  const argv = [...judged, '--fail-on', 'major'];
  const said = '2.134.2 to 3.0.0 is one step that may roll, and the upgrade is stopped';
  const { code, stdout } = await pinCheck(change, [...argv, '--format', 'markdown'], { index });
  expect(code).toBe(1);
  expect(stdout).toContain(`- ${said}\n- STOP: majors`);
  const github = await pinCheck(change, [...argv, '--format', 'github'], { index });
  expect(github.stdout).toMatch(/^::error file=values\.yaml,.*%0Afix what stops it, then check again\.$/m);
  const both = changeOf(
    { ...values('2.134.2'), 'b.yaml': tag('2.133.0') },
    { ...values('3.0.0'), 'b.yaml': tag('2.134.2') },
  );
  const pins = [...argv, '--pin', 'b.yaml#image.tag', '--format', 'markdown'];
  expect((await pinCheck(both, pins, { index })).stdout).toMatch(
    /^### ❌ Answer: no: majors: .* \(and 1 other\)$/m,
  );
});

describe('pin-check where no pin is named', () => {
  const named = ['--base', 'main'];

  it('finds the pins of Lightdash in what the change touches, and says so', async () => {
    const image = 'lightdash/lightdash';
    const filesOf = (version: string): FilesToWrite => ({
      'envs/prod/values.yaml': `image: {repository: ${image}, tag: ${version}}\nredis: {image: {tag: 7.0.0}}\n`,
      'compose.yaml': `services: {lightdash: {image: "${image}:${version}"}, db: {image: "postgres:16.1"}}\n`,
      'k/kustomization.yaml': `images: [{name: ${image}, newTag: ${version}}]\n`,
    });
    const { code, pins, findings } = await findingsOf(
      changeOf({ ...filesOf('1.121.0'), 'x.yaml': 'image: {tag: 1.1.0}' }, filesOf('1.156.0')),
      named,
    );
    expect({ code, findings }).toEqual({ code: 0, findings: ['proven', 'proven', 'proven'] });
    expect(pins.map(({ file, path }) => `${file}#${path}`)).toEqual([
      'compose.yaml#services.lightdash.image',
      'envs/prod/values.yaml#image.tag',
      'k/kustomization.yaml#images.0.newTag',
    ]);
    const repository = changeOf({ 'x.yaml': 'a: 1' }, { ...filesOf('1.156.0'), 'x.yaml': 'a: [' });
    const { stdout } = await pinCheck(repository, [...named, '--json']);
    const files = ['compose.yaml', 'envs/prod/values.yaml', 'k/kustomization.yaml', 'x.yaml'];
    expect(JSON.parse(stdout)).toMatchObject({ lookedAt: { files, ignored: [] } });
  });

  it('judges nothing where something may move Lightdash, and no pin shows what was there', async () => {
    const deploy = (tag: string, password: string) =>
      `TAG=${tag}\ndocker run -e PGPASSWORD=${password} lightdash/lightdash:$TAG\n`;
    const moved = changeOf(
      { 'deploy.sh': deploy('1.2.0', 'old') },
      { 'deploy.sh': deploy('1.156.0', 'new') },
    );
    for (const argv of [named, [...named, '--accept', 'recreate']]) {
      const { code, stdout, stderr } = await pinCheck(moved, argv);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('  deploy.sh:1\n    - TAG: 1.2.0\n    + TAG: 1.156.0\n');
      expect(stderr).not.toMatch(/PGPASSWORD|\bold\b|\bnew\b/);
      expect(stderr).toContain('ignore: [{path: "deploy.sh"');
      // The way out is printed as it is typed, and leads out.
      const [, pin = ''] = /--pin '([^']+)'/.exec(stderr) ?? [];
      expect(pin).toBe(String.raw`deploy.sh#/TAG=([\w.-]+)/`);
      expect((await pinCheck(moved, [...argv, '--pin', pin])).code).not.toBe(2);
    }
    const { code, stdout } = await pinCheck(moved, [...named, '--json']);
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
      code: 2,
      answer: { error: { code: 'not-judged' } },
    });
  });

  it('says that it looked at the pins of the settings only, and which settings those are', async () => {
    const values = (tag: string) => `image: {repository: lightdash/lightdash, tag: ${tag}}\n`;
    const before = {
      'lightspan.yaml': 'pins: ["prod/values.yaml#image.tag"]\n',
      'prod/values.yaml': values('1.2.0'),
      'staging/values.yaml': values('1.2.0'),
    };
    const { code, stdout } = await pinCheck(
      changeOf(before, { 'staging/values.yaml': values('1.156.0') }),
      named,
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Looked at: 0 files, at named pins only: .*\nSettings: .*lightspan\.yaml of main$/ms,
      ),
    });
  });

  it('leaves out what the base ignores, and says why', async () => {
    const ignore = (path: string) => `ignore: [{path: ${path}, reason: a demo}]\n`;
    const before = {
      'demo/run.sh': 'docker run lightdash/lightdash:1.2.0\n',
      'lightspan.yaml': ignore('demo/**'),
    };
    const after = { 'demo/run.sh': 'docker run lightdash/lightdash:1.156.0\n' };
    const run = (repository: Repository) => pinCheck(repository, named);
    expect(await run(changeOf(before, after))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Looked at: 0 files: no pin; 1 file ignored (a demo)'),
    });
    // A change does not take itself out of sight.
    expect(
      await run(
        changeOf(
          { ...before, 'lightspan.yaml': ignore('x') },
          { ...after, 'lightspan.yaml': ignore('demo/**') },
        ),
      ),
    ).toMatchObject({ code: 2 });
  });

  it('says yes to a change that moves nothing, without an index', async () => {
    const nothing = { 'README.md': 'x', 'src/a.ts': 'x', 'package.json': '{}' };
    const other = (version: string) => imageOf(`repository: nginx, tag: ${version}`);
    for (const repository of [
      changeOf(values('1.121.0'), nothing),
      changeOf(other('1.0.0'), other('1.1.0')),
    ]) {
      const { code, stdout, stderr } = await pinCheck(repository, named, { index: 'http://127.0.0.1:1' });
      const answer = expect.stringMatching(
        /^Answer: yes: nothing to do, nothing in this change moves Lightdash\n.*\nLooked at: [13] files?: no pin$/m,
      );
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: answer, stderr: '' });
    }
  });

  it('does so for staged changes, for hooks and for two files', async () => {
    const repository = changeOf(values('1.111.0'), {}).stage(values('1.115.0'));
    const [before, after] = ['before.yaml', 'after.yaml'].map((name) => join(repository.folder, name));
    writeFileSync(before ?? '', tag('1.111.0'));
    writeFileSync(after ?? '', tag('1.115.0'));
    for (const argv of [['--base', 'HEAD', '--staged'], ['--pre-commit']]) {
      await finds(1, ['recreate'], repository, argv);
    }
    const { code, stdout } = await runCli([
      ...['pin-check', '--json', '--before', before ?? '', '--after', after ?? '', '--index', realIndexFile],
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).pins).toMatchObject([{ path: 'image.tag', finding: 'recreate' }]);
  });
});

describe('pin-check: each change of a pin', () => {
  it.each<[what: string, before: FilesToWrite, after: FilesToWrite, code: number, finding: string]>([
    ['a proven step', values('1.121.0'), values('1.156.0'), 0, 'proven'],
    ['a step that is not proven to roll', values('1.156.0'), values('1.157.0'), 1, 'recreate'],
    ['a step over a minimum', values('1.2.0'), values('1.156.0'), 1, 'not-proven'],
    ['a release that the index lacks', values('1.156.0'), values('9.9.9'), 1, 'not-proven'],
    ['a step back', values('1.156.0'), values('1.121.0'), 1, 'downgrade'],
    ['no change', values('1.156.0'), { other: 'x' }, 0, 'unchanged'],
    ['the file gone', values('1.156.0'), { 'values.yaml': null }, 1, 'removed'],
    ['a new file', { other: 'x' }, values('1.156.0'), 1, 'added'],
    ['latest', values('1.121.0'), values('latest'), 1, 'unreadable'],
    [
      'the repository',
      imageOf('repository: a/b, tag: 1.121.0'),
      imageOf('repository: a/c, tag: 1.156.0'),
      1,
      'image-changed',
    ],
  ])('%s', async (_, before, after, code, finding) => {
    const outcome = await findingsOf(changeOf(before, after));
    expect(outcome).toMatchObject({ code, findings: [finding] });
  });

  it('passes what cannot be judged while nothing that decides it is touched', async () => {
    const repository = changeOf(values('latest'), { other: 'x' });
    await finds(0, ['untouched'], repository);
    repository.commit({ 'values.yaml': `${tag('latest')}a: 1\n` });
    await finds(1, ['unreadable'], repository);
  });

  const chart = (more = '') =>
    `kind: HelmRelease\nmetadata: {name: bi}\nspec:\n  chart: {spec: {chart: lightdash, version: 2.1.0}}\n${more}`;
  const application =
    'kind: Application\nmetadata: {name: bi}\nspec:\n  source:\n    chart: lightdash\n    targetRevision: 2.1.0\n';
  it.each<[before: string, file: string, was: string, is: string]>([
    ['an empty tag', 'values.yaml', tag(''), tag('1.156.0')],
    ['latest', 'values.yaml', tag('latest'), tag('1.156.0')],
    [
      'no tag',
      'compose.yaml',
      'services: {bi: {image: lightdash/lightdash}}',
      'services: {bi: {image: "lightdash/lightdash:1.156.0"}}',
    ],
    ['latest in a variable', '.env', 'LIGHTDASH_VERSION=latest\n', 'LIGHTDASH_VERSION=1.156.0\n'],
    [
      'a list without the tag',
      'bi.yaml',
      application,
      `${application}    helm: {parameters: [{name: image.tag, value: 1.156.0}]}\n`,
    ],
    ['a tag that the chart decides', 'bi.yaml', chart(), chart('  values: {image: {tag: 1.156.0}}\n')],
  ])(
    'after %s, asks for the step from what runs, and for no pin that is written',
    async (_, file, was, is) => {
      const { stdout, code } = await pinCheck(changeOf({ [file]: was }, { [file]: is }), ['--base', 'main']);
      expect(code).toBe(1);
      expect(stdout).toContain('Next: What runs is in no file');
      expect(stdout).toContain('lightspan check --from RUNNING_VERSION --to 1.156.0');
      expect(stdout).not.toMatch(/Pin one exact release|and 1 other/);
    },
  );

  it('needs no index where no pin moves, and has no answer without one where one does', async () => {
    const none = { index: join(temporaryFolder(), 'none') };
    const argv = judged;
    expect(await pinCheck(changeOf(values('1.121.0'), { other: 'x' }), argv, none)).toMatchObject({
      code: 0,
    });
    const moved = changeOf(values('1.121.0'), values('1.156.0'));
    expect(await pinCheck(moved, argv, none)).toMatchObject({ code: 3, stdout: '' });
    expect(await pinCheck(moved, argv, { index: 'package.json' })).toMatchObject({ code: 4 });
    expect(await pinCheck(moved, [...argv, '--max-age', '1s'])).toMatchObject({ code: 3 });
    const down = { index: 'http://127.0.0.1:9/index.json' };
    expect(await pinCheck(moved, [...argv, '--no-cache'], down)).toMatchObject({ code: 3 });
  });
});

describe('pin-check --accept', () => {
  it.each<[accept: string, before: FilesToWrite, after: FilesToWrite, code: number]>([
    ['recreate', values('1.156.0'), values('1.157.0'), 0],
    ['recreate', values('1.2.0'), values('1.156.0'), 1],
    ['recreate', values('1.156.0'), values('1.121.0'), 1],
    ['recreate', values('1.156.0'), values('latest'), 1],
    ['added', { other: 'x' }, values('1.156.0'), 0],
    ['added', { other: 'x' }, values('9.9.9'), 1],
    // A known issue says that nobody should install it.
    ['added', { other: 'x' }, values('2.127.0'), 1],
    ['added', { other: 'x' }, values('2.128.0'), 0],
    ['removed', values('1.156.0'), { 'values.yaml': null }, 0],
    ['removed', values('1.156.0'), values('1.157.0'), 1],
    ['added', values('1.156.0'), { 'values.yaml': null }, 1],
  ])('%s: %j to %j exits %i', async (accept, before, after, code) => {
    const repository = changeOf(before, after);
    const argv = ['--base', 'main', ...pin, '--accept', accept];
    const outcome = await findingsOf(repository, argv);
    expect(outcome).toMatchObject({ code, answer: { safe: false, accepted: [accept] } });
  });

  it('accepts a hop of which index and artifacts disagree, but not where every artifact must agree', async () => {
    const repository = changeOf(values('2.0.0'), values('2.1.0'));
    const compatibility = { rollingUpdateSafe: true, recommendedStrategy: 'RollingUpdate' };
    const codes = [];
    for (const artifact of [{}, { compatibility }]) {
      const mirror = temporaryFolder();
      const hop = { version: '2.1.0', entry: { rollingUpdateSafe: false }, artifact };
      await writeSituation(mirror, { releases: [{ version: '2.0.0' }, hop] });
      const argv = ['--base', 'main', ...pin, '--accept', 'recreate', '--index', mirror];
      codes.push((await pinCheck(repository, argv)).code);
      codes.push((await pinCheck(repository, [...argv, '--verify-artifacts'])).code);
    }
    expect(codes).toEqual([0, 0, 0, 1]);
  });
});

it('names no --pin where the settings have the pin', async () => {
  const settings = { 'lightspan.yaml': 'pins: ["values.yaml#no.tag"]\n' };
  const { folder } = changeOf({ ...values('1.156.0'), ...settings }, { ...values('1.157.0'), ...settings });
  const argv = ['pin-check', '--repo', folder, '--base', 'main', '--settings', `${folder}/lightspan.yaml`];
  const { code, stderr } = await runCli(argv, { env: gitEnv });
  expect(code, stderr).toBe(2);
  expect(stderr).toContain('lightspan: the pin "values.yaml#no.tag" matches no pin of Lightdash');
});

describe('pin-check: a name that does not exist', () => {
  it.each([
    [values('1.156.0'), values('1.157.0')],
    [values('1.156.0'), { ...values('1.156.0'), other: 'x' }],
  ])('is refused whether or not something moves: %j', async (before, after) => {
    const refuse = async (name: string) =>
      pinCheck(changeOf(before, after), ['--base', 'main', ...pin, '--accept', name]);
    const { code, stderr } = await refuse('foo');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no known issue "foo"') });
    expect((await refuse('ai-prompt-table-in-core-migratoin')).stderr.replace(/\s+/g, ' ')).toContain(
      'did you mean `ai-prompt-table-in-core-migration`?',
    );
  });
});

describe('pin-check: what came to light since', () => {
  const issue = 'ai-prompt-table-in-core-migration';

  it.each<[argv: readonly string[], code: number, finding: string, answer?: object]>([
    [[], 1, 'not-proven'],
    [['--accept', 'recreate'], 1, 'not-proven'],
    [['--fact', 'edition=community'], 1, 'not-proven'],
    [['--fact', 'edition=enterprise'], 0, 'proven'],
    [['--publisher-only'], 0, 'proven', { publisherOnly: true, acceptedIssues: [] }],
    [['--accept', issue], 0, 'proven', { publisherOnly: false, acceptedIssues: [issue] }],
  ])(
    'is a no by known issue, and a yes where that does not count: %j',
    async (argv, code, finding, answer) => {
      const outcome = await findingsOf(changeOf(values('2.125.0'), values('2.127.0')), [...judged, ...argv]);
      expect(outcome).toMatchObject({ code, findings: [finding], ...(answer && { answer }) });
    },
  );

  it('is told once, however many pins and majors it is of', async () => {
    const of = (a: string, b: string) => ({ 'a/values.yaml': tag(a), 'b/values.yaml': tag(b) });
    const repository = changeOf(of('0.2711.0', '1.156.0'), of('2.100.0', '2.134.2'));
    for (const format of ['text', 'json']) {
      const { stdout, stderr } = await pinCheck(repository, ['--base', 'main', '--format', format]);
      const told = (format === 'json' ? stderr : stdout).match(/^(?:Crosses|From|\d+ notes) .*$/gm) ?? [];
      expect(told.filter((line) => line.startsWith('Crosses'))).toHaveLength(2);
      expect(told.filter((line) => /^\d/.test(line))).toEqual([expect.stringContaining('5 notes may')]);
    }
  });

  it('is told once beside JSON, however many pins it is of', async () => {
    const files = (version: string) => ({ 'a.yaml': tag(version), 'b.yaml': tag(version) });
    const repository = changeOf(files('2.125.0'), files('2.127.0'));
    const argv = ['--base', 'main', '--pin', '*.yaml#image.tag', '--json'];
    const { stderr, stdout } = await pinCheck(repository, argv);
    expect(stderr.match(/^Known issue: .*$/gm)).toEqual([expect.stringContaining(issue)]);
    const one = await pinCheck(repository, argv.with(3, 'a.yaml#image.tag'));
    expect(JSON.parse(one.stdout).judgedBy.artifacts.of).toBeGreaterThan(0);
    expect(JSON.parse(stdout).judgedBy).toEqual(JSON.parse(one.stdout).judgedBy);
  });

  it('is asked for by every flag that upgrade-check has, but those that name its two versions or are of one route', async () => {
    const flagsOf = async (name: string) => (await declaredCommand(name)).options.map(({ long }) => long);
    const here = await flagsOf('pin-check');
    expect((await flagsOf('upgrade-check')).filter((flag) => !here.includes(flag))).toEqual([
      ...[
        '--from',
        '--instance',
        '--from-file',
        '--to',
        '--min-age',
        '--require-records',
        '--to-file',
        '--rehearsal',
      ],
    ]);
  });
});

describe('pin-check: files that move', () => {
  const glob = ['--base', 'main', '--pin', 'envs/*/values.yaml#image.tag'];
  const at = (env: string, version: string): FilesToWrite => ({
    [`envs/${env}/values.yaml`]: `# ${env}\n${tag(version)}a: 1\nb: 2\nc: 3\n`,
  });
  const gone = (env: string): FilesToWrite => ({ [`envs/${env}/values.yaml`]: null });

  const renamed = ['--accept', 'renamed'];
  it.each<[from: string, to: string, accepted: readonly string[], code: number, finding: string]>([
    ['1.121.0', '1.121.0', [], 0, 'unchanged'],
    ['1.121.0', '1.121.0', renamed, 0, 'unchanged'],
    ['1.121.0', '1.156.0', [], 1, 'renamed'],
    ['1.121.0', '1.156.0', renamed, 0, 'proven'],
    ['1.156.0', '1.157.0', renamed, 1, 'recreate'],
    ['1.156.0', '1.157.0', [...renamed, '--accept', 'recreate'], 0, 'recreate'],
  ])(
    'is the same deployment only where that is said: %s to %s, %j',
    async (from, to, accepted, code, finding) => {
      const repository = changeOf(at('a', from), { ...gone('a'), ...at('b', to) });
      const place = { finding, file: 'envs/b/values.yaml', previousFile: 'envs/a/values.yaml' };
      // What stays the same in a file that moves, moves nothing.
      const expected = { code, pins: [place], answer: { safe: finding === 'unchanged' } };
      expect(await findingsOf(repository, [...glob, ...accepted])).toMatchObject(expected);
    },
  );

  it('refuses a file that is renamed out of sight', async () => {
    const repository = changeOf(values('1.156.0'), { 'values.yaml': null, 'prod.yaml': tag('1.156.0') });
    await finds(1, ['renamed-away'], repository, [...judged, '--accept', 'renamed']);
  });

  it('takes nothing for untouched that a link leads to', async () => {
    const linked = (name: string, target: string, files: FilesToWrite) => {
      const repository = new Repository().write(files);
      symlinkSync(target, join(repository.folder, name));
      repository.commit({}).git('switch', '--quiet', '--create', 'change');
      return repository;
    };
    const values = linked('values.yaml', 'real.yaml', { 'real.yaml': tag('1.156.0') });
    values.commit({ 'real.yaml': tag('1.157.0') });
    await finds(1, ['unreadable'], values);
    const compose = 'services: {bi: {image: "lightdash/lightdash:$V"}}\n';
    const env = linked('.env', 'real.env', { 'real.env': 'V=1.156.0\n', 'compose.yaml': compose });
    env.commit({ 'real.env': 'V=1.157.0\n' });
    const argv = ['--base', 'main', '--pin', 'compose.yaml#services.*.image'];
    await finds(1, ['unreadable'], env, argv);
  });

  it('takes nothing for untouched where a file beside it is', async () => {
    const compose = 'services: {bi: {image: "lightdash/lightdash:$V"}}\n';
    const argv = ['--base', 'main', '--pin', 'compose.yaml#services.*.image'];
    const large = (version: string) => `V=${version}\n# ${'x'.repeat(1024 * 1024)}\n`;
    const env = changeOf({ 'compose.yaml': compose, '.env': large('1.156.0') }, { '.env': large('1.157.0') });
    await finds(1, ['unreadable'], env, argv);
    const gone = changeOf({ 'compose.yaml': compose }, { '.env': `V=\${W}\n` });
    await finds(1, ['unreadable'], gone, argv);
    const chart = changeOf({ 'values.yaml': tag('') }, { 'Chart.yaml': 'appVersion: [\n' });
    await finds(1, ['unreadable'], chart);
  });
});

describe('pin-check: where the pins are named', () => {
  const config = 'lightspan.pins.yaml';
  const list = (...pins: string[]) => `pins: ${JSON.stringify(pins)}\n`;

  it('reads them from the file of the repository, as it was and as it is', async () => {
    const repository = changeOf(
      { ...values('1.156.0'), [config]: list('values.yaml#image.tag') },
      values('1.157.0'),
    );
    await finds(1, ['recreate'], repository, ['--base', 'main']);
    // A change that takes its pin off the list is judged by the list as it was.
    repository.commit({ [config]: list('other.yaml#image.tag'), 'other.yaml': tag('1.156.0') });
    await finds(1, ['recreate', 'added'], repository, ['--base', 'main']);
    repository.commit({ [config]: null });
    await finds(1, ['recreate'], repository, ['--base', 'main']);
  });

  it.each([
    ['no YAML', 'pins: [\n', 'lightspan.pins.yaml:2:1: Flow sequence'],
    ['a pin without a path', 'pins: [values.yaml]\n', 'does not name a value'],
  ])('refuses a file with %s', async (_, text, message) => {
    const repository = changeOf(values('1.121.0'), { [config]: text });
    const { code, stderr } = await pinCheck(repository, ['--base', 'main']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('refuses a list that is a link', async () => {
    const repository = changeOf(values('1.121.0'), { other: list('values.yaml#image.tag') });
    symlinkSync('other', join(repository.folder, config));
    repository.commit({});
    const { code, stderr } = await pinCheck(repository, ['--base', 'main']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${config} is not a file\n`),
    });
  });

  it.each([
    ['a star that leads nowhere', ['--pin', 'envs/*/values.yaml#image.tag'], 'matches no pin'],
    ['an unknown finding to accept', ['--accept', 'downgrade', ...pin], 'downgrade'],
  ])('refuses %s', async (_, argv, message) => {
    const repository = changeOf(values('1.121.0'), values('1.156.0'));
    const { code, stderr, stdout } = await pinCheck(repository, ['--base', 'main', ...argv]);
    expect({ code, stderr, stdout }).toEqual({
      code: 2,
      stderr: expect.stringContaining(message),
      stdout: '',
    });
  });
});

describe('pin-check: which change', () => {
  it('is the whole of several commits, or of some of them', async () => {
    const repository = changeOf(values('1.121.0'), values('1.156.0'))
      .commit(values('1.157.0'))
      .commit({ x: '1' });
    expect(await findingsOf(repository)).toMatchObject({
      code: 1,
      pins: [{ fromVersion: '1.121.0', toVersion: '1.157.0' }],
    });
    await finds(0, ['unchanged'], repository, ['--base', 'HEAD~1', ...pin]);
    await finds(0, ['proven'], repository, ['--base', 'main', '--head', 'HEAD~2', ...pin]);
  });

  it('begins where the branches part, whatever the base has had since', async () => {
    const repository = changeOf(values('1.121.0'), { x: '1' });
    repository.git('switch', '--quiet', 'main');
    repository.commit(values('1.156.0'));
    repository.git('switch', '--quiet', 'change');
    await finds(0, ['unchanged'], repository);
  });

  it('may be what is staged, and what is not staged is not looked at', async () => {
    const repository = new Repository()
      .commit(values('1.156.0'))
      .stage(values('1.157.0'))
      .write(values('1.156.0'));
    const argv = ['--base', 'HEAD', '--staged', ...pin];
    await finds(1, ['recreate'], repository, argv);
    repository.git('reset', '--quiet');
    await finds(0, ['unchanged'], repository, argv);
  });

  it('is a no while a file is not merged', async () => {
    const repository = changeOf(values('1.121.0'), values('1.156.0'));
    repository.git('switch', '--quiet', 'main');
    repository.commit(values('1.122.0'));
    expect(() => repository.git('merge', 'change')).toThrow();
    await finds(1, ['unreadable'], repository, ['--base', 'HEAD', '--staged', ...pin]);
  });

  it('may be read from a folder inside, and from a repository without a working tree', async () => {
    const repository = changeOf({ ...values('1.156.0'), 'a/b/x': '1' }, values('1.157.0'));
    for (const folder of ['a/b', '.git'].map((name) => join(repository.folder, name))) {
      await finds(1, ['recreate'], { folder }, ['--base', 'main', '--head', 'change', ...pin]);
    }
    repository.stage(values('1.121.0'));
    const inside = { folder: join(repository.folder, 'a/b') };
    await finds(1, ['downgrade'], inside, ['--base', 'HEAD', '--staged', ...pin]);
  });

  /** The change of two files, of which the second is values.yaml. */
  const ofFiles = (before: string, after: string, ...argv: string[]) => {
    const folder = temporaryFolder();
    const files = ['old/was.yaml', 'values.yaml'].map((name) => join(folder, name));
    mkdirSync(join(folder, 'old'));
    for (const [i, text] of [before, after].entries()) writeFileSync(files[i] ?? '', text);
    const sides = ['--before', files[0] ?? '', '--after', files[1] ?? ''];
    const run = runCli(['pin-check', ...sides, '--index', realIndexFile, ...argv]);
    return { files, run };
  };
  const apps = (...tags: string[]) =>
    tags.map((version, i) => `app${i}: { image: { tag: ${version} } }\n`).join('');
  const pinsOfApps = (n: number) =>
    Array.from({ length: n }, (_, i) => ['--pin', `values.yaml#app${i}.image.tag`]).flat();

  it('judges the files that are named, whatever they are called and whichever version they pin', async () => {
    const folder = temporaryFolder();
    const [was = '', is = ''] = ['before.yaml', 'postgres/after.yaml'].map((name) => join(folder, name));
    mkdirSync(join(folder, 'postgres'));
    // No release has ever had them: a build of one's own, an index of one's own.
    for (const [file, tag] of Object.entries({ [was]: '1.0.1', [is]: '1.0.2' }))
      writeFileSync(file, `image: { tag: ${tag} }\n`);
    const { code, stdout } = await runCli([
      ...['pin-check', '--before', was, '--after', is, '--index', realIndexFile],
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('version 1.0.1 is not present');
  });

  it('says no more in GitHub than ten places and answers, of which the last is the answer to all', async () => {
    const [before, after] = ['1.121.0', '1.156.0'].map((version) => apps(...Array(12).fill(version)));
    const argv = [...pinsOfApps(12), '--format', 'github'];
    const { code, stdout } = await ofFiles(before ?? '', after ?? '', ...argv).run;
    const notices = stdout.split('\n').filter((line) => line.startsWith('::notice '));
    expect(code).toBe(0);
    expect(notices).toHaveLength(10);
    expect(notices.map((line) => line.includes('line=')).lastIndexOf(true)).toBe(8);
  });

  it('names both files, and in GitHub each place by its own answer', async () => {
    const [before, after] = [apps('1.121.0', '1.156.0'), apps('1.156.0', '1.157.0')];
    const { stdout } = await ofFiles(before, after, ...pinsOfApps(2), '--format', 'github').run;
    expect(stdout.match(/^::\w+ .*?(?=title)/gm)).toEqual([
      '::error file=values.yaml,line=2,',
      '::notice file=values.yaml,line=1,',
      '::error ',
    ]);
    const { files, run } = ofFiles(before, after, ...pinsOfApps(2), '--json');
    const [was, is] = files.map((name) => ({ name, commit: null }));
    expect(JSON.parse((await run).stdout)).toMatchObject({ before: was, after: is });
  });

  it.each<[from: string, to: string, argv: readonly string[], code: number]>([
    ['1.121.0', '1.156.0', [], 0],
    ['1.156.0', '1.121.0', [], 1],
    ['1.121.0-x', '1.156.0-x', ['--tag-suffix=-x'], 0],
    ['1.121.0-x', '1.156.0-x', [], 1],
    ['1.121.0', '1.156.0', ['--staged'], 2],
    ['1.121.0', '1.156.0', ['--head', 'HEAD'], 2],
  ])('may be of two files: %s and %s, %j', async (from, to, argv, code) => {
    expect((await ofFiles(tag(from), tag(to), ...pin, ...argv).run).code).toBe(code);
  });

  describe('of two folders of rendered manifests', () => {
    /** What `helm template --output-dir` writes of a chart: its version stands in a label and a variable, too. */
    const rendered = (version: string, chart: string, more: FilesToWrite = {}): FilesToWrite => ({
      'bi/templates/deployment.yaml': lines(
        'apiVersion: apps/v1',
        'kind: Deployment',
        'metadata:',
        '  name: lightdash',
        `  labels: {helm.sh/chart: lightdash-${chart}, app.kubernetes.io/version: "${version}"}`,
        'spec:',
        '  template:',
        '    spec:',
        '      containers:',
        '        - name: lightdash',
        `          image: "lightdash/lightdash:${version}"`,
        `          env: [{name: LIGHTDASH_HELM_CHART_VERSION, value: "${chart}"}]`,
      ),
      'bi/templates/config.yaml': `kind: ConfigMap\nmetadata: {name: bi}\ndata: {CHART: "${chart}"}\n`,
      ...more,
    });
    const judge = async (before: FilesToWrite, after: FilesToWrite) => {
      const folder = temporaryFolder();
      const sides = ['before', 'after'].map((name) => join(folder, name));
      for (const [i, files] of [before, after].entries()) {
        for (const [name, text] of Object.entries(files)) {
          const path = join(sides[i] ?? '', name);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, String(text));
        }
      }
      const argv = [
        '--before',
        sides[0] ?? '',
        '--after',
        sides[1] ?? '',
        '--index',
        realIndexFile,
        '--json',
      ];
      const { code, stdout } = await runCli(['pin-check', ...argv]);
      const pins: readonly { readonly finding: string }[] = JSON.parse(stdout).pins ?? [];
      return { code, findings: pins.map(({ finding }) => finding) };
    };
    const worker = {
      'bi/templates/worker.yaml': lines(
        'kind: Deployment',
        'metadata: {name: worker}',
        'spec: {template: {spec: {containers: [{name: worker, image: "lightdash/lightdash:1.156.0"}]}}}',
      ),
    };
    const was = rendered('1.121.0', '2.10.0');

    it.each<[what: string, after: FilesToWrite, code: number, findings: readonly string[]]>([
      ['another chart of the same release', rendered('1.121.0', '2.16.0'), 0, ['unchanged']],
      ['a release that may roll', rendered('1.156.0', '2.16.0'), 0, ['proven']],
      ['a release that may not', rendered('1.157.0', '2.16.0'), 1, ['recreate']],
      ['a further workload', rendered('1.156.0', '2.16.0', worker), 1, ['proven', 'added']],
      ['nothing left', { 'bi/NOTES.txt': 'x' }, 1, ['removed']],
      ['a text that is no manifest, and names a release', { ...was, 'x.txt': 'lightdash 1.157.0\n' }, 2, []],
    ])('%s', async (_, after, code, findings) => {
      expect(await judge(was, after)).toEqual({ code, findings });
    });

    it('and never of a file and a folder', async () => {
      const folder = temporaryFolder();
      const file = join(folder, 'values.yaml');
      writeFileSync(file, tag('1.121.0'));
      const { code, stderr } = await runCli(['pin-check', '--before', folder, '--after', file]);
      expect(code).toBe(2);
      expect(stderr).toContain('are a file and a folder');
    });
  });

  it('may be of a file whose way is written as on Windows, and of none that is not there', async () => {
    const folder = temporaryFolder();
    const [was, is] = [join(folder, 'was.yaml'), `${folder}/new\\values.yaml`];
    writeFileSync(was, tag('1.121.0'));
    writeFileSync(is, tag('1.156.0'));
    const run = (...argv: string[]) => runCli(['pin-check', ...argv, ...pin, '--index', realIndexFile]);
    expect((await run('--before', was, '--after', is)).code).toBe(0);
    expect((await run('--before', join(folder, 'none'), '--after', is)).code).toBe(3);
  });

  it.each<[what: string, files: FilesToWrite, code: number, finding: string]>([
    ['one .env for each', { 'a/.env': 'V=1.121.0', 'b/.env': 'V=1.156.0' }, 0, 'proven'],
    ['a step back in it', { 'a/.env': 'V=1.156.0', 'b/.env': 'V=1.121.0' }, 1, 'downgrade'],
    ['no .env', {}, 0, 'unchanged'],
    ['a .env after alone', { 'b/.env': 'V=1.156.0' }, 1, 'unreadable'],
    ['a .env before alone', { 'a/.env': 'V=1.121.0' }, 1, 'unreadable'],
    ['a folder of that name', { 'a/.env/x': '', 'b/.env/x': '' }, 0, 'unchanged'],
    ['a line that programs read differently', { 'a/.env': 'V=1.121.0', 'b/.env': 'V: 2' }, 1, 'unreadable'],
  ])('reads what is next to two compose files: %s', async (_, files, code, finding) => {
    const folder = temporaryFolder();
    const image = `services: {bi: {image: "lightdash/lightdash:\${V:-1.121.0}"}}\n`;
    for (const [name, text] of Object.entries({ 'a/was.yaml': image, 'b/compose.yaml': image, ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const sides = ['--before', join(folder, 'a/was.yaml'), '--after', join(folder, 'b/compose.yaml')];
    const argv = [...sides, '--pin', 'compose.yaml#services.*.image', '--index', realIndexFile, '--json'];
    const { code: exitCode, stdout } = await runCli(['pin-check', ...argv]);
    expect(exitCode).toBe(code);
    expect(JSON.parse(stdout).pins).toMatchObject([{ finding }]);
  });
});

describe('pin-check: what git cannot tell', () => {
  const repository = changeOf(values('1.156.0'), values('1.157.0'));
  const shallow = temporaryFolder();
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repository.folder}`, shallow], {
    env: gitEnv,
    stdio: 'ignore',
  });

  it('has no answer of a cut history, and says what to do', async () => {
    const argv = ['--base', repository.git('rev-parse', 'main'), ...pin];
    const stderr = expect.stringContaining('git fetch --unshallow');
    expect(await pinCheck({ folder: shallow }, argv)).toEqual({ code: 3, stderr, stdout: '' });
  });

  // At a depth of 2 there is a common commit; an older one may be another.
  it.each(['--depth=1', '--depth=2'])('a cut history that still has both ends: %s', async (depth) => {
    const deep = new Repository().commit({ z: '1' }).commit(values('1.121.0'));
    deep.git('switch', '--quiet', '--create', 'change');
    deep.commit({ x: '1' }).git('switch', '--quiet', 'main');
    deep.commit({ y: '1' });
    const cut = temporaryFolder();
    const how = ['clone', '--quiet', depth, '--no-single-branch', `file://${deep.folder}`, cut];
    execFileSync('git', how, { env: gitEnv, stdio: 'ignore' });
    const ends = ['--base', 'origin/main', '--head', 'origin/change', ...pin];
    const stderr = expect.stringContaining('between origin/main and origin/change is cut off');
    expect(await pinCheck({ folder: cut }, ends)).toMatchObject({ code: 3, stderr });
    // Where the base itself is the beginning, nothing is missing.
    const both = ['--base', 'origin/change', '--head', 'origin/change', ...pin];
    await finds(0, ['unchanged'], { folder: cut }, both);
  });

  it.skipIf(process.getuid?.() !== 0)('a repository of another user', async () => {
    const other = changeOf(values('1.156.0'), values('1.157.0'));
    chownSync(other.folder, 65534, 65534);
    const { code, stderr } = await pinCheck(other);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('safe.directory') });
  });
});

describe('pin-check: hostile names and surroundings', () => {
  it.each([
    ['--output=pwned', 2],
    ['-h', 2],
    ['a\nb', 2],
    [' ', 2],
    ['$(touch pwned)', 3],
    ['main; touch pwned', 3],
    ['main..HEAD', 3],
    ['HEAD:values.yaml', 3],
    ['@{-1}^{tree}', 3],
  ])('the base %j exits %i', async (base, code) => {
    const repository = changeOf(values('1.121.0'), values('1.156.0'));
    expect((await pinCheck(repository, [`--base=${base}`, ...pin])).code).toBe(code);
    expect((await pinCheck(repository, ['--base', 'main', `--head=${base}`, ...pin])).code).toBe(code);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('neither filters nor replaced commits change what is read', async () => {
    const repository = changeOf(
      { ...values('1.156.0'), '.gitattributes': '*.yaml diff=x filter=x\n' },
      values('1.157.0'),
    );
    for (const key of ['diff.x.textconv', 'diff.x.command', 'filter.x.smudge', 'diff.external']) {
      repository.git('config', key, `sed s/1.157.0/1.156.0/`);
    }
    const safe = repository.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'as it was');
    repository.git('replace', 'change', safe);
    await finds(1, ['recreate'], repository);
  });

  describe('a partial clone', () => {
    /** A clone of a change without its files, and a fetch from it that would be seen. */
    const partialClone = () => {
      const origin = changeOf(values('1.121.0'), values('1.156.0'));
      origin.git('config', 'uploadpack.allowFilter', 'true');
      origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
      const clone = new Repository();
      clone.git('remote', 'add', 'origin', `file://${origin.folder}`);
      clone.git('fetch', '--quiet', '--filter=blob:none', 'origin');
      const ran = join(temporaryFolder(), 'ran');
      clone.git('config', 'protocol.file.allow', 'always');
      clone.git('config', 'remote.origin.uploadpack', `touch ${ran}; git-upload-pack`);
      return { clone, ran };
    };
    const argv = ['--base', 'origin/main', '--head', 'origin/change', ...pin];

    const olderGit = standIn('git', `unset GIT_NO_LAZY_FETCH; PATH=\${PATH#*:} exec git "$@"`);
    it.each<[string, Record<string, string>]>([
      ['fetches nothing', {}],
      ['fetches nothing by a git that knows but one way', olderGit],
    ])('%s: exit 3, and what to fetch', async (_, env) => {
      const { clone, ran } = partialClone();
      const before = clone.git('count-objects', '--verbose');
      const { code, stdout, stderr } = await pinCheck(clone, argv, env);
      expect({ code, stdout, stderr }).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(
          /^lightspan: git cannot read the repository: fatal: could not fetch [0-9a-f]{40} from promisor remote\nThis is a partial clone, and lightspan fetches nothing\. /,
        ),
      });
      expect(existsSync(ran)).toBe(false);
      expect(clone.git('count-objects', '--verbose')).toBe(before);
    });

    it('that has been fetched whole, as the message says, is judged', async () => {
      const { clone } = partialClone();
      clone.git('fetch', '--quiet', '--refetch', '--no-filter', 'origin');
      await finds(0, ['proven'], clone, argv);
    });
  });
});

it('pin-check of many pins runs git as often as of one, whether they are named or found', async () => {
  const counted = async (files: number, ...argv: string[]) => {
    const all = (version: string) =>
      Object.fromEntries(
        Array.from({ length: files }, (_, i) => [`e${i}/values.yaml`, `# ${i}\n${tag(version)}`]),
      );
    const repository = changeOf(all('1.121.0'), all('1.156.0'));
    const env = standIn('git', `echo x >> "$ASIDE/runs"; PATH=\${PATH#*:} exec git "$@"`);
    const { code, pins } = await findingsOf(repository, ['--base', 'main', ...argv], env);
    expect({ code, pins: pins.length }).toEqual({ code: 0, pins: files });
    return readFileSync(join(env.ASIDE, 'runs'), 'utf8').split('\n').length;
  };
  // A process that reads files ends after a pause, and another goes on: on a busy machine there are pauses.
  const pauses = 4;
  const named = ['--pin', '*/values.yaml#image.tag'];
  expect(await counted(40, ...named)).toBeLessThanOrEqual((await counted(1, ...named)) + pauses);
  expect(await counted(40)).toBeLessThanOrEqual((await counted(1)) + pauses);
});

describe('pin-check --pre-commit', () => {
  it('is what is staged, or what lies between the two commits that pre-commit names', async () => {
    const repository = new Repository()
      .commit(values('1.156.0'))
      .commit(values('1.157.0'))
      .stage(values('1.121.0'));
    const argv = ['--pre-commit', ...pin];
    await finds(1, ['downgrade'], repository, argv);
    const range = { PRE_COMMIT_FROM_REF: 'HEAD~1', PRE_COMMIT_TO_REF: 'HEAD' };
    await finds(1, ['recreate'], repository, argv, range);
    const option = { ...range, PRE_COMMIT_FROM_REF: '--output=pwned' };
    expect(await pinCheck(repository, argv, option)).toMatchObject({ code: 3, stdout: '' });
  });

  it('takes all of a first commit, and of a first push, for new', async () => {
    const repository = new Repository().stage(values('1.156.0'));
    const argv = ['--pre-commit', ...pin];
    await finds(1, ['added'], repository, argv);
    expect((await findingsOf(repository, [...argv, '--accept', 'added'])).code).toBe(0);
    repository.commit({});
    const push = { PRE_COMMIT_REMOTE_URL: 'ssh://x', PRE_COMMIT_LOCAL_BRANCH: 'refs/heads/main' };
    await finds(1, ['added'], repository, argv, push);
    // It is of the branch that is pushed, not of the one that is checked out.
    repository.git('switch', '--quiet', '--orphan', 'other');
    await finds(1, ['added'], repository.commit({ x: '1' }), argv, push);
  });
});

it.each([
  ['a quote that does not end', 'image:\n  repository: lightdash/lightdash\n  tag: "1.121.0\nx: y\n', true],
  ['a list that does not end', 'image: {tag: 1.121.0}\nx: [1\n', true],
  ['a column of its own', 'image:\n  tag: 1.121.0\n x: y\n', true],
  ['what becomes a template', 'image:\n  tag: {{ .Values.tag }}\n  x: [\n', false],
  ['a key that stands twice', 'image:\n  tag: 1.121.0\n  tag: 1.122.0\n', false],
])('a file of pins that the change breaks, by %s, is never a yes: %#', async (_, text, isShown) => {
  const folder = temporaryFolder();
  const [was, is] = ['ok.yaml', 'values.yaml'].map((name) => join(folder, name));
  writeFileSync(was ?? '', tag('1.121.0'));
  writeFileSync(is ?? '', text);
  const outcome = await runCli([
    'pin-check',
    '--before',
    was ?? '',
    '--after',
    is ?? '',
    '--index',
    realIndexFile,
  ]);
  expect(outcome.code).toBe(2);
  const fault = /^lightspan: values\.yaml is not valid YAML or JSON: .* at line \d+, column \d+$/m;
  expect(fault.test(outcome.stderr)).toBe(isShown);
  if (!isShown) return;
  const repository = changeOf({ 'values.yaml': tag('1.121.0') }, { 'values.yaml': text });
  const inGit = await pinCheck(repository, ['--base', 'main']);
  expect(inGit.code).toBe(1);
  expect(inGit.stdout).toMatch(
    /values\.yaml.*image\.tag[\s\S]*values\.yaml is not valid YAML or JSON: .* at line \d+/,
  );
});

it('a file of pins that the change breaks is a no of its own, beside the others', async () => {
  const before = { ...values('1.121.0'), 'eu/values.yaml': tag('1.121.0') };
  const change = changeOf(before, { ...values('1.156.0'), 'eu/values.yaml': `${tag('1.156.0')}x: "y\n` });
  await finds(1, ['unreadable', 'proven'], change, ['--base', 'main']);
});

it('a file that the change breaks stops nothing but itself', async () => {
  const notes = 'kind: ConfigMap\nmetadata: {name: lightdash-notes}\ndata: {a: b}\n';
  const broken = { 'notes.yaml': `${notes}  x: "y\n` };
  const before = { ...values('1.121.0'), 'notes.yaml': notes };
  await finds(0, [], changeOf(before, broken), ['--base', 'main']);
  await finds(0, ['proven'], changeOf(before, { ...broken, ...values('1.156.0') }), ['--base', 'main']);
  await finds(1, ['recreate'], changeOf(before, { ...broken, ...values('1.157.0') }), ['--base', 'main']);
});
