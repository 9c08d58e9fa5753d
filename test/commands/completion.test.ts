import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shortNames } from '../../src/door/invocation.js';
import { runCli } from '../support/cli.js';
import { declaredCommands } from '../support/declarations.js';
import { environmentOfNode } from '../support/node-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Shell, typeInto } from '../support/terminal.js';

let folder: string;
const scriptOf: Record<Shell, string> = { bash: '', zsh: '', fish: '' };

beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'index one.json'), '');
  mkdirSync(join(folder, 'mirrors'));
  mkdirSync(join(folder, 'fpath'));
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const { code, stdout, stderr } = await runCli(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scriptOf[shell] = join(folder, `completion.${shell}`);
    writeFileSync(scriptOf[shell], stdout);
    if (shell === 'zsh') writeFileSync(join(folder, 'fpath', '_lightspan'), stdout);
  }
});

/** What is typed, and what then runs. */
const typed: readonly (readonly [name: string, line: string, ran: readonly string[]])[] = [
  ['a command', 'lightspan upgrade-c⇥', ['upgrade-check']],
  ['a command of a group', 'lightspan mer⇥ val⇥', ['merge', 'validate']],
  ['an option', 'lightspan upgrade-check --offl⇥', ['upgrade-check', '--offline']],
  ['an option of every command', 'lightspan upgrade-check --deb⇥', ['upgrade-check', '--debug']],
  ['a choice', 'lightspan catalog metrics --order d⇥', ['catalog', 'metrics', '--order', 'desc']],
  ['a choice of an argument', 'lightspan completion z⇥', ['completion', 'zsh']],
  ['a file', 'lightspan upgrade-check --index ind⇥', ['upgrade-check', '--index', 'index one.json']],
  ['a file as an argument', 'lightspan merge validate ind⇥', ['merge', 'validate', 'index one.json']],
  ['no file for a version', 'lightspan upgrade-check --to ind⇥', ['upgrade-check', '--to', 'ind']],
  [
    'after a value',
    'lightspan upgrade-check --to 1.0.0 --offl⇥',
    ['upgrade-check', '--to', '1.0.0', '--offline'],
  ],
  [
    'a command',
    'lightspan upgrade-check --to merge --offl⇥',
    ['upgrade-check', '--to', 'merge', '--offline'],
  ],
  ['a value left out', 'lightspan merge submit --wait --dry⇥', ['merge', 'submit', '--wait', '--dry-run']],
  ['a command to be helped with', 'lightspan help cat⇥', ['help', 'catalog']],
  ['the other executable', 'upgrade-check --offl⇥', ['--offline']],
];

it.each(['bash', 'zsh', 'fish'] as const)(
  'completion in %s completes what is typed at a terminal',
  async (shell) => {
    const load = `source ${scriptOf[shell]}`;
    const setup = shell === 'zsh' ? `autoload -Uz compinit && compinit -D -u\n${load}` : load;
    const ran = await typeInto(
      shell,
      setup,
      typed.map(([, line]) => line),
      folder,
    );
    expect(Object.fromEntries(typed.map(([name], i) => [name, ran[i]]))).toEqual(
      Object.fromEntries(typed.map(([name, , expected]) => [name, expected])),
    );
  },
);

it('completion in zsh loads from fpath', async () => {
  const setup = `fpath=(${join(folder, 'fpath')} $fpath)\nautoload -Uz compinit && compinit -D -u`;
  const lines = ['lightspan upgrade-check --offl⇥', 'upgrade-check --offl⇥'];
  expect(await typeInto('zsh', setup, lines, folder)).toEqual([
    ['upgrade-check', '--offline'],
    ['--offline'],
  ]);
});

it('completion offers what the help shows, for every command', async () => {
  const asked = async (...words: readonly string[]) => {
    const { code, stdout } = await runCli(['__complete', ...words]);
    expect(code).toBe(0);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
  };
  for (const { path, flags, commands } of await helpedCommands([])) {
    const offered = (await asked(...path, '-')).filter((flag) => flag.startsWith('--'));
    expect(offered.sort(), path.join(' ')).toEqual([...flags].sort());
    const short = path.length === 0 ? Object.keys(shortNames) : [];
    if (commands.length > 0)
      expect((await asked(...path, '')).sort()).toEqual([...commands, ...short, 'help'].sort());
  }
});

describe('the examples of its help', async () => {
  const { usage } = (await declaredCommands()).find(({ name }) => name === 'completion') ?? {};
  describe.each([
    ['bash', '', 'complete -p lightspan', ' lightspan\n'],
    ['zsh', 'autoload -U compinit; compinit -D', 'echo $_comps[lightspan]', '_lightspan\n'],
    ['fish', '', "complete -C 'lightspan upgrade-che'", 'upgrade-check\t'],
  ] as const)('load it into %s', (shell, before, ask, answer) => {
    it('in an empty home', () => {
      const example = usage?.examples.find((line) => line.includes(` ${shell}`))?.replace(/ +#.*/, '');
      const home = temporaryFolder();
      symlinkSync(resolve('bin/lightspan.cjs'), join(home, 'lightspan'));
      const env = { HOME: home, PATH: `${home}${delimiter}${environmentOfNode.PATH}` };
      const argv = ['-c', [before, example, ask].join('\n')];
      const { stdout, stderr } = spawnSync(shell, argv, { env, encoding: 'utf8' });
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(answer), stderr: '' });
    });
  });
});

interface HelpedCommand {
  readonly path: readonly string[];
  readonly flags: readonly string[];
  readonly commands: readonly string[];
}

/** Every command, as `--help` tells of it. */
async function helpedCommands(path: readonly string[]): Promise<HelpedCommand[]> {
  const { stdout } = await runCli([...path, '--help', '--all']);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
  const [, listed = ''] = stdout.split(path.length === 0 ? '\nDecide about an upgrade:\n' : '\nCommands:\n');
  const commands = [...(listed.split('\nStart here')[0] ?? '').matchAll(/^ {2}([\w-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  const below = await Promise.all(commands.map((name) => helpedCommands([...path, name])));
  return [{ path, flags, commands }, ...below.flat()];
}
