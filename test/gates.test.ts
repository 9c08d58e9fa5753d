import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fetchNode } from '../scripts/fetch-package.js';
import { outcomeOf } from './support/cli.js';
import { realIndexFile } from './support/real-index.js';
import { type FilesToWrite, gitEnv, Repository } from './support/repository.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The gates of examples/, run by the programs that people run them with. */

interface GateOptions {
  /** Where lightspan is not installed, and the action has no bundle. */
  readonly withoutTool?: boolean;
  readonly index?: string;
  /** A pin beside the one of the example. */
  readonly otherPin?: string;
}

interface GateOutcome {
  /** Of lightspan, as far as the program tells it; undefined where it did not run. */
  readonly code: number | undefined;
  /** The program itself lets the change pass. */
  readonly passes: boolean;
  readonly output: string;
}

type Gate = (repository: Repository, options?: GateOptions) => Promise<GateOutcome>;

const textOf = (file: string) => readFileSync(file, 'utf8');
/** The fixture index is older than an example allows; nothing else of an example is changed. */
const forTests = (text: string, otherPin?: string) =>
  text
    .replaceAll(' --max-age 7d', '')
    .replace('--pin values.yaml#image.tag', otherPin === undefined ? '$&' : `$& --pin ${otherPin}`);

/** A folder with `lightspan`, the built program, and an `npm` that has installed it. */
function toolsWith(withoutTool: boolean): string {
  const folder = temporaryFolder();
  const lightspan = `exec ${process.execPath} ${resolve('bin/lightspan.cjs')} "$@"`;
  for (const [name, script] of Object.entries({ lightspan, npm: 'exit 0' })) {
    if (name === 'lightspan' && withoutTool) continue;
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

async function run(
  [program, ...argv]: readonly [string, ...string[]],
  { folder }: Repository,
  { withoutTool = false, index = resolve(realIndexFile) }: GateOptions,
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(program, argv, {
    cwd: folder,
    env: {
      ...gitEnv,
      PATH: `${toolsWith(withoutTool)}:/usr/local/bin:/usr/bin:/bin`,
      LIGHTSPAN_INDEX: index,
      LIGHTSPAN_CACHE_DIR: temporaryFolder(),
      PRE_COMMIT_HOME: temporaryFolder(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await outcomeOf(child);
  return { status: code, output: stdout + stderr };
}

const numberIn = (pattern: RegExp, text: string) => {
  const [, number] = pattern.exec(text) ?? [];
  return number === undefined ? undefined : Number(number);
};

/** `git commit` of what is staged, with the hooks of pre-commit installed. */
const preCommit: Gate = async (repository, options = {}) => {
  const { folder } = repository;
  const config = forTests(textOf('examples/pre-commit/.pre-commit-config.yaml'), options.otherPin);
  writeFileSync(join(folder, '.pre-commit-config.yaml'), config);
  repository.git('add', '.pre-commit-config.yaml');
  await run(['pre-commit', 'install'], repository, options);
  return told(await run(['git', 'commit', '--message', 'a change'], repository, options));
};

/** What pre-commit says of its hook. */
function told({ status, output }: { readonly status: number | null; readonly output: string }): GateOutcome {
  const passed = /rolling steps\.*Passed/.test(output);
  const code = passed ? 0 : numberIn(/- exit code: (\d+)/, output);
  return { code, passes: status === 0, output: output.replaceAll(/\s+/g, ' ') };
}

let node24 = '';
beforeAll(() => {
  // gitlab-ci-local needs a later Node than the oldest that lightspan runs on.
  node24 = fetchNode('24');
}, 300_000);

/** A pipeline of the last commit, as GitLab runs it for a merge request into main. */
const gitlab =
  (file: string, variables: Readonly<Record<string, string>> = {}): Gate =>
  async (repository, options = {}) => {
    const { folder } = repository;
    for (const name of ['.gitlab-ci.yml', 'environment.gitlab-ci.yml']) {
      const from = join(dirname(file), name);
      if (!existsSync(from)) continue;
      writeFileSync(join(folder, name), forTests(textOf(from), options.otherPin));
      // What is not tracked it does not include.
      repository.git('add', name);
    }
    const mergeRequest = {
      CI_MERGE_REQUEST_ID: '1',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: repository.git('merge-base', 'main', 'HEAD'),
      ...variables,
    };
    writeFileSync(join(folder, '.gitlab-ci-local-variables.yml'), JSON.stringify(mergeRequest));
    repository.git('remote', 'add', 'origin', 'git@gitlab.com:acme/infra.git');
    const main = resolve('node_modules/gitlab-ci-local/dist/index.js');
    const { status, output } = await run(
      [node24, main, '--no-color', '--force-shell-executor', '--file', file.replace(/^.*\//, '')],
      repository,
      options,
    );
    const passed = / PASS .*lightdash-gate/.test(output);
    return { code: passed ? 0 : numberIn(/ FAIL (\d+)/, output), passes: status === 0, output };
  };

/** The step of the workflow, as the runner of GitHub starts it: the bundle alone, and inputs in the environment. */
const github: Gate = async (repository, options = {}) => {
  const workflow = parse(textOf('examples/github-actions/gate.yml'));
  const [, { with: inputs }] = workflow.jobs['pin-check'].steps;
  const filledIn = {
    ...inputs,
    // What its expression stands for.
    base: repository.git('rev-parse', 'main'),
    pin: [inputs.pin, options.otherPin].filter(Boolean).join('\n'),
    'max-age': '',
  };
  const env = Object.entries(filledIn).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, String(value)]);
  const main = join(temporaryFolder(), 'index.cjs');
  if (options.withoutTool !== true) copyFileSync('dist/action/index.cjs', main);
  const files = { GITHUB_OUTPUT: join(temporaryFolder(), 'output'), GITHUB_ACTIONS: 'true' };
  const { status, output } = await run([process.execPath, main], repository, options, {
    ...files,
    ...Object.fromEntries(env),
  });
  const outputs = existsSync(files.GITHUB_OUTPUT) ? textOf(files.GITHUB_OUTPUT) : '';
  expect(outputs.includes('safe=true\n')).toBe(status === 0);
  return { code: options.withoutTool ? undefined : (status ?? undefined), passes: status === 0, output };
};

/** A change in a branch, which stays staged for who commits it. */
function change(
  before: FilesToWrite,
  after: FilesToWrite,
  { commit, branch = 'change' }: { readonly commit: boolean; readonly branch?: string },
): Repository {
  const repository = new Repository().commit(before);
  repository.git('switch', '--quiet', '--create', branch);
  return commit ? repository.commit(after) : repository.stage(after);
}

const tag = (version: string) => `image:\n  tag: "${version}"\n`;
const values = (version: string): FilesToWrite => ({ 'values.yaml': tag(version) });

type Row = [
  what: string,
  before: FilesToWrite,
  after: FilesToWrite,
  code: number | undefined,
  message: string,
  options?: GateOptions & { readonly branch?: string },
];

const moved = (from: string, to: string): readonly [FilesToWrite, FilesToWrite] => [values(from), values(to)];
const noNetwork = { index: 'http://127.0.0.1:9/x.json' };
const [hostile, hostileToo] = [`$(touch\${IFS}pwned)`, `a';touch\${IFS}pwned;'`];

const rows: Row[] = [
  ['a proven step', ...moved('1.121.0', '1.156.0'), 0, ''],
  ['a step that is not proven', ...moved('1.156.0', '1.157.0'), 1, 'needs downtime'],
  [
    'the file renamed',
    values('1.156.0'),
    { 'values.yaml': null, 'prod.yaml': tag('1.156.0') },
    1,
    'its file is now prod.yaml',
  ],
  [
    'two pins',
    { ...values('1.121.0'), 'b.yaml': tag('1.156.0') },
    { ...values('1.156.0'), 'b.yaml': tag('1.157.0') },
    1,
    'b.yaml',
    { otherPin: 'b.yaml#image.tag' },
  ],
  ['a hostile tag', ...moved('1.121.0', '1.156.0$(touch pwned)'), 1, 'is set by the environment'],
  ['nothing that is pinned, without a network', values('1.121.0'), { 'README.md': 'x' }, 0, '', noNetwork],
  ['no network', ...moved('1.121.0', '1.156.0'), 3, '127.0.0.1', noNetwork],
  ['no lightspan', ...moved('1.121.0', '1.156.0'), undefined, '', { withoutTool: true }],
  ['a hostile branch', ...moved('1.156.0', '1.157.0'), 1, 'needs downtime', { branch: hostile }],
  ['a hostile branch that is proven', ...moved('1.121.0', '1.156.0'), 0, '', { branch: hostileToo }],
];

const gates: { name: string; gate: Gate; commit: boolean }[] = [
  { name: 'pre-commit', gate: preCommit, commit: false },
  { name: 'GitLab', gate: gitlab('examples/gitlab-ci/.gitlab-ci.yml'), commit: true },
  { name: 'GitHub', gate: github, commit: true },
];

describe.each(gates)('the gate of $name', ({ gate, commit }) => {
  it.each(rows)('%s', async (_, before, after, code, message, options = {}) => {
    const { branch = 'change', ...others } = options;
    const repository = change(before, after, { commit, branch });
    const outcome = await gate(repository, others);
    if (others.withoutTool) expect(outcome.code, outcome.output).not.toBe(0);
    else expect(outcome.code, outcome.output).toBe(code);
    expect(outcome.passes, outcome.output).toBe(code === 0);
    expect(outcome.output).toContain(message);
    expect(existsSync(join(repository.folder, 'pwned'))).toBe(false);
  });
});

describe('pre-commit', () => {
  it('judges a merge commit by what it brings', async () => {
    const repository = change(values('1.156.0'), values('1.157.0'), { commit: true });
    repository.git('switch', '--quiet', 'main');
    expect((await preCommit(repository.stage({ other: 'x' }))).passes).toBe(true);
    const merge = told(await run(['git', 'merge', '--no-edit', 'change'], repository, {}));
    expect(merge).toMatchObject({ passes: false, code: 1 });
    expect(merge.output).toContain('needs downtime');
    repository.git('merge', '--abort');
    // And one that is resolved by hand, at its commit.
    repository.commit({ 'values.yaml': `${tag('1.156.0')}a: 1\n` });
    expect(() => repository.git('merge', 'change')).toThrow();
    const resolved = await preCommit(repository.stage(values('1.157.0')));
    expect(resolved).toMatchObject({ passes: false, code: 1 });
    expect(repository.git('rev-parse', '--verify', 'MERGE_HEAD')).not.toBe('');
  });

  it.each([
    ['of a file that is not staged', ['values.yaml']],
    ['of all that is tracked', ['--all']],
  ])('judges a commit %s', async (_, what) => {
    const repository = new Repository().commit({ ...values('1.156.0'), other: '1' });
    expect((await preCommit(repository.stage({ other: '2' }))).passes).toBe(true);
    repository.write(values('1.157.0'));
    const outcome = told(await run(['git', 'commit', '--message', 'x', ...what], repository, {}));
    expect(outcome).toMatchObject({ passes: false, code: 1 });
    expect(outcome.output).toContain('needs downtime');
  });

  it('judges the whole of a push', async () => {
    const remote = temporaryFolder();
    const repository = new Repository().commit(values('1.121.0'));
    repository.git('init', '--quiet', '--bare', remote);
    repository.git('remote', 'add', 'origin', remote);
    repository.git('push', '--quiet', 'origin', 'main');
    expect((await preCommit(repository.stage({ other: 'x' }))).passes).toBe(true);
    repository.commit(values('1.156.0')).commit(values('1.157.0')).commit({ other: 'y' });
    const refused = told(await run(['git', 'push', 'origin', 'main'], repository, {}));
    expect(refused).toMatchObject({ passes: false, code: 1 });
    expect(refused.output).toContain('1.121.0 to 1.157.0');
    repository.commit(values('1.156.0'));
    expect(told(await run(['git', 'push', 'origin', 'main'], repository, {}))).toMatchObject({
      passes: true,
      code: 0,
    });
    // All of what goes to where there is nothing yet is new.
    const empty = temporaryFolder();
    repository.git('init', '--quiet', '--bare', empty);
    const first = told(await run(['git', 'push', empty, 'main'], repository, {}));
    expect(first).toMatchObject({ passes: false, code: 1 });
    expect(first.output).toContain('1.156.0 is new here');
  });

  it('judges the commits between --from-ref and --to-ref', async () => {
    const repository = new Repository()
      .commit(values('1.121.0'))
      .commit(values('1.156.0'))
      .commit(values('1.157.0'));
    repository.commit({
      '.pre-commit-config.yaml': forTests(textOf('examples/pre-commit/.pre-commit-config.yaml')),
    });
    const between = async (from: string, to: string) =>
      told(await run(['pre-commit', 'run', '--from-ref', from, '--to-ref', to], repository, {}));
    expect(await between('HEAD~3', 'HEAD~2')).toMatchObject({ passes: true, code: 0 });
    expect(await between('HEAD~2', 'HEAD~1')).toMatchObject({ passes: false, code: 1 });
    expect(await between('HEAD~1', 'HEAD')).toMatchObject({ passes: true, code: 0 });
  });

  it('runs the hook of the repository of lightspan', async () => {
    const hooks = new Repository().commit({ '.pre-commit-hooks.yaml': textOf('.pre-commit-hooks.yaml') });
    hooks.git('tag', 'v0.2.0');
    const repository = new Repository().commit({
      ...values('1.156.0'),
      'lightspan.pins.yaml': 'pins: [values.yaml#image.tag]\n',
      '.pre-commit-config.yaml': JSON.stringify({
        repos: [{ repo: `file://${hooks.folder}`, rev: 'v0.2.0', hooks: [{ id: 'lightspan-pin-check' }] }],
      }),
    });
    const refused = told(await run(['pre-commit', 'run'], repository.stage(values('1.157.0')), {}));
    expect(refused).toMatchObject({ passes: false, code: 1 });
    const removed = told(await run(['pre-commit', 'run'], repository.stage({ 'values.yaml': null }), {}));
    expect(removed).toMatchObject({ passes: false, code: 1 });
    const proven = told(await run(['pre-commit', 'run'], repository.stage(values('1.156.0')), {}));
    expect(proven).toMatchObject({ passes: true, code: 0 });
  });
});

describe('GitLab', () => {
  it('leaves its report at a no', async () => {
    const repository = change(values('1.156.0'), values('1.157.0'), { commit: true });
    await gitlab('examples/gitlab-ci/.gitlab-ci.yml')(repository);
    expect(textOf(join(repository.folder, 'lightspan.xml'))).toContain('<failure type="no"');
  });

  it('has no answer in a shallow clone, and says what to fetch', async () => {
    const whole = change(values('1.121.0'), values('1.156.0'), { commit: true });
    const base = whole.git('rev-parse', 'main');
    const folder = temporaryFolder();
    whole.git('clone', '--quiet', '--depth=1', '--branch=change', `file://${whole.folder}`, folder);
    const shallow = new Repository(folder);
    shallow.git('remote', 'remove', 'origin');
    shallow.git('branch', 'main');
    const outcome = await gitlab('examples/gitlab-ci/.gitlab-ci.yml', {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    })(shallow);
    expect(outcome).toMatchObject({ passes: false, code: 3 });
    expect(outcome.output).toContain('git fetch --unshallow');
  });

  it('compares a merged result with the target as it is', async () => {
    const repository = change(values('1.121.0'), { other: 'x' }, { commit: true });
    const fork = repository.git('rev-parse', 'main');
    repository.git('switch', '--quiet', 'main');
    repository.commit(values('1.157.0'));
    const target = repository.git('rev-parse', 'main');
    repository.git('merge', '--quiet', '--no-ff', '--message', 'merged', 'change');
    const variables = { CI_MERGE_REQUEST_DIFF_BASE_SHA: fork, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target };
    const outcome = await gitlab('examples/gitlab-ci/.gitlab-ci.yml', variables)(repository);
    expect(outcome, outcome.output).toMatchObject({ passes: true, code: 0 });
  });

  const envs = (staging: string, production: string): FilesToWrite => ({
    'envs/staging/values.yaml': tag(staging),
    'envs/production/values.yaml': tag(production),
  });

  it('runs the gate of each environment of a fleet in a child pipeline', async () => {
    const repository = change(envs('1.121.0', '1.156.0'), envs('1.156.0', '1.157.0'), { commit: true });
    const { output } = await gitlab('examples/gitlab-ci/fleet/.gitlab-ci.yml')(repository);
    expect(output).toMatch(/ PASS {2}\[staging\] -> lightdash-gate/);
    expect(output).toMatch(/\[production\] -> lightdash-gate finished in .* FAIL 1/);
    // gitlab-ci-local leaves the result of a child pipeline to itself; GitLab takes it up where it is told so.
    const { '.environment': environment } = parse(textOf('examples/gitlab-ci/fleet/.gitlab-ci.yml'));
    expect(environment.trigger.strategy).toBe('depend');
  });

  it.each([
    ['staging', envs('1.156.0', '1.157.0'), 0],
    ['production', envs('1.156.0', '1.157.0'), 1],
    ['production', { 'envs/production/values.yaml': null }, 1],
    ['../production', envs('1.156.0', '1.156.0'), 2],
    ['none', envs('1.156.0', '1.156.0'), 2],
    ['$(touch pwned)', envs('1.156.0', '1.156.0'), 2],
  ])('the child pipeline of %s: %j exits %i', async (environment, after, code) => {
    const repository = change(envs('1.121.0', '1.156.0'), after, { commit: true });
    const file = 'examples/gitlab-ci/fleet/environment.gitlab-ci.yml';
    const outcome = await gitlab(file, { ENVIRONMENT: environment })(repository);
    expect(outcome, outcome.output).toMatchObject({ passes: code === 0, code });
    expect(existsSync(join(repository.folder, 'pwned'))).toBe(false);
  });
});
