import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
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
    ['check', 'plan', 'bump', 'report', 'verify', 'rehearse']
      .map((name) => `upgrade-${name}`)
      .concat('pin-check')
      .map(async (name) => [name, await declaredCommand(name)] as const),
  ),
);

const actionWorkflows = ['gate', 'with-the-action'].map((name) => `examples/github-actions/${name}.yml`);

describe('the examples', () => {
  const readme = textOf('examples/README.md');

  it('of which ls shows no name are listed, and each that the page names is there', () => {
    const hidden = files.map((file) => relative('examples', file)).filter((file) => /(?:^|\/)\./.test(file));
    expect([...readme.matchAll(/^- `([^`]+)`$/gm)].map(([, file]) => file).toSorted()).toEqual(
      hidden.toSorted(),
    );
    const rows = [...readme.matchAll(/^\| ((?:`[\w./-]+`(?:, )?)+) \| /gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => join('examples', path)),
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((path) => !existsSync(path))).toEqual([]);
  });

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
    // A locale that the machine lacks is another thing that bash tells.
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: script,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
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
});

/** A file of the examples as data. What a shell runs is run, and held to be text here. */
const dataOf = (file: string) => parseAllDocuments(textOf(file)).map((document) => document.toJS());
const aScript = expect.any(String);
/** An expression that GitHub fills in. */
const _filledIn = (expression: string) => `$\{{ ${expression} }}`;

const argoCdGate = 'examples/argo-cd/presync-gate.yaml';
const helmGate = 'examples/helm/upgrade-gate.yaml.tpl';
/** A placeholder, which scripts/release-check.js refuses. */
const _gateImage = `OWNER/lightspan:${packageJson.version}`;

describe('what no shell shows', () => {
  /** Without this version, and what a shell runs, which is run. */
  const shown = (key: string, value: unknown) =>
    ['run', 'script', 'entry', 'description'].includes(key)
      ? '<text>'
      : typeof value === 'string'
        ? value.replaceAll(packageJson.version, '<version>')
        : value;

  // Argo CD: a hook before the sync, once, without rights, that can write nothing. GitHub and GitLab: always, with the
  // whole history and the base. pre-commit: every commit, merge commit and push, whatever files it has.
  it.each([
    ...[argoCdGate, 'examples/github-actions/gate.yml', 'examples/github-actions/scheduled-bump.yml'],
    ...['examples/github-actions/with-the-action.yml', 'examples/gitlab-ci/.gitlab-ci.yml'],
    ...['examples/github-actions/watch.yml', 'examples/gitlab-ci/watch.gitlab-ci.yml'],
    'examples/kubernetes/watch-cronjob.yaml',
    ...['examples/gitlab-ci/fleet/environment.gitlab-ci.yml', 'examples/pre-commit/.pre-commit-config.yaml'],
    ...['examples/github-actions/rehearse-backup.yml', '.pre-commit-hooks.yaml'],
  ])('%s: when it runs, on what, and with which rights', (file) => {
    expect(JSON.stringify(dataOf(file), shown, 2)).toMatchSnapshot();
  });

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
