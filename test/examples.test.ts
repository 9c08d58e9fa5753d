import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import packageJson from '../package.json' with { type: 'json' };
import { actionInputs } from '../src/commands/action-inputs.js';
import type { Act } from '../src/commands/context.js';
import { declarePinCheck } from '../src/commands/pin-check/declaration.js';
import { declareUpgradeBump } from '../src/commands/upgrade-bump/declaration.js';
import { declareUpgradeCheck } from '../src/commands/upgrade-check/declaration.js';
import { declareUpgradePlan } from '../src/commands/upgrade-plan/declaration.js';
import { declareUpgradeVerify } from '../src/commands/upgrade-verify/declaration.js';
import { runCli, testNow } from './support/cli.js';
import { realIndexFile } from './support/real-index.js';
import { closedPort } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const files = readdirSync('examples', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const textOf = (file: string) => readFileSync(file, 'utf8');
const yamlFiles = files.filter((file) => /\.ya?ml$/.test(file));

/** Every string of a parsed file, with the keys that lead to it. */
function stringsOf(
  value: unknown,
  keys: readonly string[] = [],
): { keys: readonly string[]; text: string }[] {
  if (typeof value === 'string') return [{ keys, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsOf(inner, [...keys, key]));
}

/** What of an example a shell runs: `run` of a step, `script`, `entry`, `commands`. */
function scriptsOf(file: string): string[] {
  if (file.endsWith('.sh')) return [textOf(file)];
  const documents: unknown[] = yamlFiles.includes(file)
    ? parseAllDocuments(textOf(file)).map((document) => document.toJS())
    : file.endsWith('.json')
      ? [JSON.parse(textOf(file))]
      : [];
  return documents.flatMap((document) =>
    stringsOf(document).flatMap(({ keys, text }) =>
      keys.some((key) => ['run', 'script', 'entry', 'commands'].includes(key)) ? [text] : [],
    ),
  );
}

const scripts = files.flatMap((file) =>
  scriptsOf(file).map((script, i) => ({ name: `${file} ${i + 1}`, script })),
);

const act: Act = async () => {};
const commands = new Map(
  [declareUpgradeCheck, declareUpgradePlan, declareUpgradeBump, declareUpgradeVerify, declarePinCheck].map(
    (declare) => {
      const command: Command = declare(act);
      return [command.name(), command] as const;
    },
  ),
);

const actionWorkflows = ['gate', 'with-the-action'].map((name) => `examples/github-actions/${name}.yml`);

describe('the examples', () => {
  it.each(yamlFiles)('%s is YAML', (file) => {
    for (const document of parseAllDocuments(textOf(file))) {
      expect(document.errors).toEqual([]);
      expect(document.warnings).toEqual([]);
    }
  });

  it('have scripts', () => {
    expect(scripts.length).toBeGreaterThan(8);
  });

  it.each(scripts)('$name is a shell script', ({ script }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(files)('%s fetches this version or none', (file) => {
    expect(textOf(file)).not.toMatch(/(npx --yes|npm install --global) lightspan(?!@)/);
    for (const [, version] of textOf(file).matchAll(/lightspan[@:]v?([\w.-]*\w)/g)) {
      expect(version).toBe(packageJson.version);
    }
  });

  it('use commands and flags that there are', () => {
    const uses = scripts.flatMap(({ name, script }) =>
      [
        ...script
          .replaceAll('\\\n', ' ')
          .matchAll(/\blightspan(?:@\S+)? (upgrade-[a-z]+|pin-check)([^|;\n]*)/g),
      ].flatMap(([, command = '', rest = '']) => [
        { name, command, flag: undefined },
        ...[...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => ({ name, command, flag })),
      ]),
    );
    expect(uses.length).toBeGreaterThan(11);
    const unknown = uses.filter(({ command, flag }) => {
      const declared = commands.get(command);
      return (
        declared === undefined || (flag !== undefined && !declared.options.some(({ long }) => long === flag))
      );
    });
    expect(unknown).toEqual([]);
  });

  it('ask for an index that is not old, wherever they ask', () => {
    const questions = scripts.flatMap(({ name, script }) =>
      script
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => /^[^#]*\blightspan(@\S+)? (upgrade-|pin-check)/.test(line.trim()))
        .map((line) => ({ name, line: line.trim() })),
    );
    expect(questions.length).toBeGreaterThan(4);
    expect(questions.filter(({ line }) => !line.includes(' --max-age 7d'))).toEqual([]);
    for (const file of actionWorkflows) expect(textOf(file)).toContain(' max-age: 7d\n');
  });

  it.each(actionWorkflows)(
    '%s gives the action inputs that its mode has, and reads outputs that it writes',
    (file) => {
      const action: { readonly outputs: object } = parse(textOf('action.yml'));
      const jobs: Record<string, { steps: { uses?: string; with?: Record<string, string> }[] }> = parse(
        textOf(file),
      ).jobs;
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      const [inputs = {}] = steps.flatMap((step) => (step.uses?.startsWith('OWNER/') ? [step.with] : []));
      const { mode = 'check', ...others } = inputs;
      const known = actionInputs().flatMap(({ name, modes }) => (modes.includes(mode) ? [name] : []));
      expect(known).toEqual(expect.arrayContaining(Object.keys(others)));
      const read = [...textOf(file).matchAll(/outputs\.([a-z-]+)/g)].map(([, name]) => name);
      expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(read));
    },
  );
});

/** A folder in which `lightspan` and `npx --yes lightspan` are the built program with the fixture index. */
function toolsWith(others: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  const bin = resolve('bin/lightspan.cjs');
  const tools = {
    lightspan: `exec ${process.execPath} ${bin} "$@"`,
    npx: `shift 2; exec ${process.execPath} ${bin} "$@"`,
    node: `exec ${process.execPath} "$@"`,
    ...others,
  };
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

async function bash(
  script: string,
  {
    cwd = '.',
    env = {},
    tools = toolsWith(),
  }: { cwd?: string; env?: Record<string, string>; tools?: string } = {},
) {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: {
      PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`,
      HOME: tools,
      LIGHTSPAN_INDEX: resolve(realIndexFile),
      LIGHTSPAN_CACHE_DIR: tools,
      GIT_CONFIG_NOSYSTEM: '1',
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, stdout, stderr };
}

/** The fixture index is older than any example allows; nothing else of a script is changed. */
const withoutMaxAge = (script: string) => script.replaceAll(' --max-age 7d', '');

/** A repository whose last commit pins `before`, and whose tree pins `after`. */
function repositoryWith(before: string, after: string): string {
  const folder = temporaryFolder();
  const git = (...argv: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], {
      cwd: folder,
      stdio: 'ignore',
    });
  const pin = (version: string) => writeFileSync(join(folder, 'values.yaml'), `image:\n  tag: ${version}\n`);
  git('init', '--initial-branch=main');
  pin(before);
  git('add', '.');
  git('commit', '--message=pin');
  pin(after);
  return folder;
}

/** A file of the examples as data. What a shell runs is run, and held to be text here. */
const dataOf = (file: string) => parseAllDocuments(textOf(file)).map((document) => document.toJS());
const aScript = expect.any(String);
/** An expression that GitHub fills in. */
const filledIn = (expression: string) => `$\{{ ${expression} }}`;

const argoCdGate = 'examples/argo-cd/presync-gate.yaml';
const helmGate = 'examples/helm/templates-upgrade-gate.yaml';
/** A placeholder, which scripts/release-check.js refuses. */
const gateImage = `example.invalid/lightspan:${packageJson.version}`;

describe('what no shell shows', () => {
  const setUpNode = {
    uses: 'actions/setup-node@53b83947a5a98c8d113130e565377fae1a50d02f',
    with: { 'node-version': 24 },
  };
  const install = { run: `npm install --global lightspan@${packageJson.version}` };
  const job = (spec: object) => ({
    backoffLimit: 0,
    activeDeadlineSeconds: 300,
    template: { spec: { restartPolicy: 'Never', ...spec } },
  });
  /** One run of the image, without rights, that can write nothing. */
  const gate = (container: object) =>
    job({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'lightspan',
          args: expect.any(Array),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
          ...container,
        },
      ],
    });

  it('Argo CD: a hook before the sync, which runs once', () => {
    expect(dataOf(argoCdGate)).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: 'lightdash-upgrade-gate',
          annotations: {
            'argocd.argoproj.io/hook': 'PreSync',
            'argocd.argoproj.io/sync-wave': '-1',
            'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
          },
        },
        spec: gate({ image: gateImage, env: [{ name: 'TAG', value: '1.156.0' }] }),
      },
    ]);
  });

  it('Helm: a hook before the upgrade and before the one that migrates, which runs once', () => {
    expect(dataOf(helmGate)).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: '{{ .Release.Name }}-upgrade-gate',
          annotations: {
            'helm.sh/hook': 'pre-upgrade',
            'helm.sh/hook-weight': '-10',
            'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
          },
        },
        spec: gate({ image: '{{ $image }}' }),
      },
    ]);
  });

  it.each([argoCdGate, helmGate])('%s names the image in one place', (file) => {
    expect(
      textOf(file)
        .match(/\S*lightspan:[\w.]+/g)
        ?.map((name) => name.replace('"', '')),
    ).toEqual([gateImage]);
  });

  const checkOut = 'actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd';

  it('GitHub: a required check that always reports, with the whole history and the base of the pull request', () => {
    expect(dataOf('examples/github-actions/gate.yml')).toEqual([
      {
        name: 'lightdash gate',
        on: { pull_request: null, merge_group: null },
        permissions: { contents: 'read' },
        jobs: {
          'pin-check': {
            'runs-on': 'ubuntu-latest',
            'timeout-minutes': 10,
            steps: [
              { uses: checkOut, with: { 'fetch-depth': 0, 'persist-credentials': false } },
              {
                uses: `OWNER/lightspan@v${packageJson.version}`,
                with: {
                  mode: 'pin-check',
                  base: filledIn('github.event.pull_request.base.sha || github.event.merge_group.base_sha'),
                  pin: 'values.yaml#image.tag',
                  'max-age': '7d',
                },
              },
            ],
          },
        },
      },
    ]);
  });

  it('GitHub: the bump runs once a week, and may do no more than push a branch and open a pull request', () => {
    expect(dataOf('examples/github-actions/scheduled-bump.yml')).toEqual([
      {
        name: 'lightdash bump',
        on: { schedule: [{ cron: '17 5 * * 1' }], workflow_dispatch: null },
        permissions: { contents: 'write', 'pull-requests': 'write' },
        jobs: {
          bump: {
            'runs-on': 'ubuntu-latest',
            steps: [
              { uses: checkOut },
              setUpNode,
              install,
              { name: 'Move the pin', env: { GH_TOKEN: filledIn('github.token') }, run: aScript },
            ],
          },
        },
      },
    ]);
  });

  it('GitHub: the action is asked of the instance that runs, and its no fails the job', () => {
    expect(dataOf('examples/github-actions/with-the-action.yml')).toEqual([
      {
        name: 'lightdash upgrade',
        on: {
          workflow_dispatch: { inputs: { version: { description: 'The target version', required: true } } },
        },
        permissions: {},
        jobs: {
          'upgrade-check': {
            'runs-on': 'ubuntu-latest',
            steps: [
              {
                id: 'lightspan',
                uses: `OWNER/lightspan@v${packageJson.version}`,
                with: {
                  instance: 'https://lightdash.example.com',
                  to: filledIn('inputs.version'),
                  'max-age': '7d',
                },
              },
              {
                if: "failure() && steps.lightspan.outputs.next-hop != ''",
                env: {
                  NEXT_HOP: filledIn('steps.lightspan.outputs.next-hop'),
                  STRATEGY: filledIn('steps.lightspan.outputs.strategy'),
                },
                run: aScript,
              },
            ],
          },
        },
      },
    ]);
  });

  const gitlabGate = {
    image: 'node:24',
    rules: [{ if: '$CI_MERGE_REQUEST_ID' }],
    variables: { GIT_DEPTH: '0' },
    script: [install.run, aScript],
    artifacts: { when: 'always', reports: { junit: 'lightspan.xml' } },
  };

  it.each(['.gitlab-ci.yml', 'fleet/environment.gitlab-ci.yml'])(
    'GitLab: %s asks in every merge request, with the whole history, and leaves its report whatever it says',
    (name) => {
      expect(dataOf(`examples/gitlab-ci/${name}`)).toEqual([{ 'lightdash-gate': gitlabGate }]);
    },
  );

  it('pre-commit: every commit, merge commit and push, whatever files it has', () => {
    const hook = {
      language: 'system',
      entry: aScript,
      always_run: true,
      pass_filenames: false,
      name: aScript,
    };
    expect(dataOf('examples/pre-commit/.pre-commit-config.yaml')).toEqual([
      {
        default_install_hook_types: ['pre-commit', 'pre-merge-commit', 'pre-push'],
        repos: [{ repo: 'local', hooks: [{ id: 'lightdash-gate', ...hook }] }],
      },
    ]);
    expect(dataOf('.pre-commit-hooks.yaml')).toEqual([
      [{ id: 'lightspan-pin-check', description: aScript, ...hook }],
    ]);
  });

  it('Renovate: of the image of Lightdash, where a failed command blocks automerge', () => {
    expect(JSON.parse(textOf('examples/renovate/renovate.json'))).toEqual({
      $schema: 'https://docs.renovatebot.com/renovate-schema.json',
      description: aScript,
      extends: ['config:recommended'],
      packageRules: [
        {
          matchDatasources: ['docker'],
          matchPackageNames: ['lightdash/lightdash'],
          automerge: true,
          postUpgradeTasks: { commands: [aScript], executionMode: 'update' },
        },
      ],
    });
  });
});

describe('a pipeline', () => {
  // Those of GitHub, GitLab and pre-commit are run by the programs themselves: test/gates.test.ts.
  it('of Renovate passes at a yes, and at nothing else', async () => {
    const [command = ''] = scriptsOf('examples/renovate/renovate.json').slice(-1);
    const codes = [];
    for (const [from, to] of [
      ['1.121.0', '1.156.0'],
      ['1.156.0', '1.157.0'],
      ['1.156.0', '9.9.9'],
      ['1.156.0', '1.121.0'],
    ] as const) {
      const script = command.replace('{{{currentVersion}}}', from).replace('{{{newVersion}}}', to);
      codes.push((await bash(`set -e\n${withoutMaxAge(script)}`)).code);
    }
    expect(codes).toEqual([0, 1, 1, 2]);
  });
});

describe('the gates in a cluster', () => {
  async function startInstance(version: string): Promise<string> {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'ok', results: { version } }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  interface Deployment {
    readonly mode: string;
    readonly tag: string;
  }

  /** The job that Helm makes of the template; undefined where it makes none. Values are put in as they are. */
  function helmJob({ mode, tag }: Deployment): unknown {
    const values: Readonly<Record<string, string>> = {
      '.Release.Name': 'bi',
      '.Values.image.tag': tag,
      $image: /\{\{ \$image := "(.*)" \}\}/.exec(textOf(helmGate))?.[1] ?? '',
    };
    const rendered = textOf(helmGate)
      .replace(/\{\{ \$image := .* \}\}/, '')
      .replace(
        /\{\{ if eq \.Values\.upgrade\.mode "(\w+)" \}\}([^{]*)\{\{ else if eq \.Values\.upgrade\.mode "(\w+)" \}\}([^{]*)\{\{ else \}\}(.*)\{\{ end \}\}/,
        (_, first, ofFirst, second, ofSecond, ofNone) =>
          mode === first ? ofFirst : mode === second ? ofSecond : ofNone,
      );
    if (rendered.includes('{{ fail "upgrade.mode must be RollingUpdate or Recreate" }}')) return undefined;
    const [manifest] = parseAllDocuments(
      rendered.replaceAll(/\{\{ (\S+) \}\}/g, (_, name: string) => values[name] ?? `no value ${name}`),
    );
    return manifest?.toJS();
  }

  /** The job as it stands or, for Recreate, as its comment says; the tag as kustomize puts it in. */
  function argoCdJob({ mode, tag }: Deployment): unknown {
    const text = textOf(argoCdGate);
    const edited =
      mode === 'Recreate' ? text.replace(/^ +- upgrade-check\n/m, '').replaceAll('# - ', '- ') : text;
    const document = parseDocument(edited);
    document.setIn([...containerPath, 'env', 0, 'value'], tag);
    return document.toJS();
  }

  const containerPath = ['spec', 'template', 'spec', 'containers', 0];
  const jobSchema = z.object({
    spec: z.object({
      template: z.object({
        spec: z.object({
          containers: z.tuple([
            z.object({
              args: z.array(z.string()),
              env: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
            }),
          ]),
        }),
      }),
    }),
  });

  /** The command line of the job, its variables put in as Kubernetes does, and asking another instance. */
  function argvOf(job: unknown, instance: string): string[] {
    const [{ args, env = [] }] = jobSchema.parse(job).spec.template.spec.containers;
    const argv = args.map((arg) =>
      env.reduce((text, { name, value }) => text.replaceAll(`$(${name})`, value), arg),
    );
    expect(argv).toContain('--max-age=7d');
    expect(argv.filter((arg) => /^--instance=http:\/\/(bi|lightdash):8080$/.test(arg))).toHaveLength(1);
    return argv.map((arg) => (arg.startsWith('--instance=') ? `--instance=${instance}` : arg));
  }

  const env = { LIGHTSPAN_INDEX: realIndexFile };
  const gates = [
    { name: basename(argoCdGate), jobFor: argoCdJob },
    { name: basename(helmGate), jobFor: helmJob },
  ];

  describe.each(gates)('$name', ({ jobFor }) => {
    it.each([
      ['RollingUpdate', '1.121.0', '1.156.0', 0],
      ['RollingUpdate', '1.156.0', '1.156.0', 0],
      ['RollingUpdate', '1.156.0', '1.157.0', 1],
      ['RollingUpdate', '1.111.0', '1.115.0', 1],
      ['RollingUpdate', '1.156.0', '9.9.9', 1],
      ['RollingUpdate', '1.156.0', '1.121.0', 2],
      ['Recreate', '1.156.0', '1.157.0', 0],
      ['Recreate', '1.111.0', '1.115.0', 0],
      ['Recreate', '1.156.0', '1.156.0', 0],
      ['Recreate', '0.1893.0', '2.134.2', 1],
      ['Recreate', '1.156.0', '9.9.9', 1],
      ['Recreate', '1.156.0', '1.121.0', 2],
      // What is deployed is a tag and not a question: no gate looks up what it may mean.
      ['RollingUpdate', '1.156.0', 'latest', 2],
      ['RollingUpdate', '1.156.0', '', 2],
      ['Recreate', '1.156.0', 'latest', 2],
      ['Recreate', '1.156.0', 'latest-rolling', 2],
      ['Recreate', '1.156.0', '1.157', 2],
      ['Recreate', '1.156.0', '', 2],
    ])('%s, %s to %s exits %i', async (mode, from, tag, code) => {
      const argv = argvOf(jobFor({ mode, tag }), await startInstance(from));
      expect((await runCli(argv, { env })).code).toBe(code);
    });

    it.each(['RollingUpdate', 'Recreate'])(
      '%s: no instance that answers, and an old index, are no yes',
      async (mode) => {
        const job = jobFor({ mode, tag: '1.156.0' });
        const noInstance = argvOf(job, `http://127.0.0.1:${await closedPort()}`);
        expect((await runCli(noInstance, { env })).code).toBe(3);
        const argv = argvOf(job, await startInstance('1.121.0'));
        expect((await runCli(argv, { env })).code).toBe(0);
        const now = new Date(testNow.getTime() + 8 * 24 * 3600 * 1000);
        expect((await runCli(argv, { env, now })).code).toBe(3);
      },
    );
  });

  // Only the two strategies that there are make a job; a hook that Helm cannot render stops the upgrade.
  it.each(['', 'rollingupdate', 'Rolling', 'RollingUpdate ', 'recreate'])(
    'of Helm: none for "%s"',
    (mode) => {
      expect(helmJob({ mode, tag: '1.156.0' })).toBeUndefined();
    },
  );
});

describe('renovate', () => {
  const { packageRules } = JSON.parse(textOf('examples/renovate/renovate.json'));
  const [{ postUpgradeTasks: tasks }] = packageRules;
  const [command] = tasks.commands;
  const config = { exports: { allowedCommands: [''] } };
  new Function('module', textOf('examples/renovate/config.js'))(config);
  const allows = (text: string) =>
    config.exports.allowedCommands.some((pattern) => new RegExp(pattern).test(text));
  const compiled = command.replace('{{{currentVersion}}}', '1.121.0').replace('{{{newVersion}}}', '1.156.0');

  it.each([
    ['the command as it stands', command, true],
    ['the command with its versions', compiled, true],
    ['another command behind it', `${compiled}; id`, false],
    ['its answer thrown away', `${compiled} || true`, false],
    ['another index', compiled.replace(' --max-age', ' --index mine.json --max-age'), false],
    ['a version that leaves its quotes', compiled.replace('1.156.0', "1.156.0' || echo '"), false],
  ])('may run %s: %s', (_, text, may) => {
    expect(allows(text)).toBe(may);
  });

  it('asks about every pin, also where one branch moves several', () => {
    expect(tasks.executionMode).toBe('update');
  });
});

describe('the scheduled bump', () => {
  const [, script = ''] = scriptsOf('examples/github-actions/scheduled-bump.yml').map(withoutMaxAge);
  const run = async (pinned: string, index?: string) => {
    const cwd = repositoryWith(pinned, pinned);
    // Pushing and opening the pull request are recorded, all else is done.
    const tools = toolsWith({
      gh: 'echo "gh $1 $2 $4" >>"$HOME/done"',
      git: 'if [ "$1" = push ]; then echo "push $4" >>"$HOME/done"; else exec /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$HOME" git "$@"; fi',
    });
    const { code } = await bash(script, {
      cwd,
      tools,
      env: index === undefined ? {} : { LIGHTSPAN_INDEX: index },
    });
    const done = readdirSync(tools).includes('done') ? textOf(join(tools, 'done')) : '';
    return { code, done, pin: textOf(join(cwd, 'values.yaml')) };
  };

  it('opens a pull request where a hop is proven', async () => {
    expect(await run('1.121.0')).toEqual({
      code: 0,
      done: 'push lightdash-1.156.0\ngh pr create Upgrade Lightdash to 1.156.0\n',
      pin: 'image:\n  tag: 1.156.0\n',
    });
  });

  it('does nothing where none is', async () => {
    expect(await run('1.214.0')).toEqual({ code: 0, done: '', pin: 'image:\n  tag: 1.214.0\n' });
  });

  it('fails where there is no answer', async () => {
    expect(await run('1.121.0', 'no/such/file')).toEqual({
      code: 3,
      done: '',
      pin: 'image:\n  tag: 1.121.0\n',
    });
  });
});
