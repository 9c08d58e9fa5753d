import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { actionInputs } from '../src/commands/action-inputs.js';
import { declaredCommand } from './support/declarations.js';
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

const commands = new Map(
  await Promise.all(
    ['check', 'plan', 'bump', 'report', 'verify']
      .map((name) => `upgrade-${name}`)
      .concat('pin-check')
      .map(async (name) => [name, await declaredCommand(name)] as const),
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
    for (const file of [argoCdGate, helmGate]) expect(textOf(file)).toMatch(/^ *- "?--max-age=7d"?$/m);
  });

  it.each(actionWorkflows)(
    '%s gives the action inputs that its mode has, and reads outputs that it writes',
    async (file) => {
      const action: { readonly outputs: object } = parse(textOf('action.yml'));
      const jobs: Record<string, { steps: { uses?: string; with?: Record<string, string> }[] }> = parse(
        textOf(file),
      ).jobs;
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      const [inputs = {}] = steps.flatMap((step) => (step.uses?.startsWith('OWNER/') ? [step.with] : []));
      const { mode = 'check', ...others } = inputs;
      const known = (await actionInputs()).flatMap(({ name, modes }) => (modes.includes(mode) ? [name] : []));
      expect(known).toEqual(expect.arrayContaining(Object.keys(others)));
      const read = [...textOf(file).matchAll(/outputs\.([a-z-]+)/g)].map(([, name]) => name);
      expect(Object.keys(action.outputs)).toEqual(expect.arrayContaining(read));
    },
  );
});

/** A file of the examples as data. What a shell runs is run, and held to be text here. */
const dataOf = (file: string) => parseAllDocuments(textOf(file)).map((document) => document.toJS());
const aScript = expect.any(String);
/** An expression that GitHub fills in. */
const filledIn = (expression: string) => `$\{{ ${expression} }}`;

const argoCdGate = 'examples/argo-cd/presync-gate.yaml';
const helmGate = 'examples/helm/upgrade-gate.yaml.tpl';
/** A placeholder, which scripts/release-check.js refuses. */
const gateImage = `example.invalid/lightspan:${packageJson.version}`;

describe('what no shell shows', () => {
  it('Argo CD: a hook before the sync, which runs once, without rights, and can write nothing', () => {
    const container = {
      image: gateImage,
      env: [{ name: 'TAG', value: 'not-filled-in' }],
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    };
    const pod = {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
      containers: [container],
    };
    expect(dataOf(argoCdGate)).toMatchObject([
      {
        kind: 'Job',
        metadata: {
          annotations: {
            'argocd.argoproj.io/hook': 'PreSync',
            'argocd.argoproj.io/sync-wave': '-1',
            'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
          },
        },
        spec: { backoffLimit: 0, activeDeadlineSeconds: 300, template: { spec: pod } },
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

  it('GitHub: a required check that always reports, with the whole history and the base of the pull request', () => {
    const [{ on, permissions, jobs }] = dataOf('examples/github-actions/gate.yml');
    expect(on).toEqual({
      pull_request: { types: ['opened', 'reopened', 'synchronize', 'edited'] },
      merge_group: null,
    });
    expect(permissions).toEqual({ contents: 'read' });
    const { steps, ...job } = jobs['pin-check'];
    expect(job).toEqual({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': 10 });
    const [checkOut, gate, ...more] = steps;
    expect(checkOut.with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
    expect(gate).toEqual({
      uses: `OWNER/lightspan@v${packageJson.version}`,
      with: {
        mode: 'pin-check',
        base: filledIn('github.event.pull_request.base.sha || github.event.merge_group.base_sha'),
        pin: 'values.yaml#image.tag',
        'max-age': '7d',
      },
    });
    expect(more).toEqual([]);
  });

  const gitlabGate = {
    image: 'node:24',
    rules: [{ if: '$CI_MERGE_REQUEST_ID' }],
    variables: { GIT_DEPTH: '0' },
    script: [`npm install --global lightspan@${packageJson.version}`, aScript],
    after_script: ['cat lightspan.xml'],
    artifacts: { when: 'always', reports: { junit: 'lightspan.xml' } },
  };

  it.each(['.gitlab-ci.yml', 'fleet/environment.gitlab-ci.yml'])(
    'GitLab: %s asks in every merge request, with the whole history, and leaves its report whatever it says',
    (name) => {
      expect(dataOf(`examples/gitlab-ci/${name}`)).toEqual([{ 'lightdash-gate': gitlabGate }]);
    },
  );

  it('Renovate: the command of the preset may be run, and nothing else', () => {
    const copy = join(temporaryFolder(), 'config.cjs');
    copyFileSync('examples/renovate/config.js', copy);
    const config: { allowedCommands: string[] } = createRequire(import.meta.url)(copy);
    const [allowed, ...others] = config.allowedCommands.map((pattern) => new RegExp(pattern));
    const command = (to: string, file: string) =>
      `lightspan upgrade-report --from '1.121.0' --to '${to}' --max-age 7d --format markdown --out '${file}.upgrade.md'`;
    const usual = command('1.156.0', 'infra/values.yaml');
    expect(others).toEqual([]);
    expect(
      [
        ...[usual, `${usual}; id`, `id; ${usual}`, usual.replace('.upgrade.md', '')],
        ...[command("1'; id; '", 'values.yaml'), command('1.156.0', '../values.yaml')],
        ...[command('1.156.0', '/values.yaml'), usual.replace(' --max-age 7d', '')],
      ].filter((one) => allowed?.test(one)),
    ).toEqual([usual]);
  });

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
});
