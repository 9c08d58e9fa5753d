import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { declareProgram } from '../../src/commands/program.js';
import { namedCommand } from '../../src/door/declare.js';
import { withOperands } from '../../src/door/operands.js';
import { type CliWorld, runCli } from '../support/cli.js';
import { declaredCommands } from '../support/declarations.js';

const commands = await declaredCommands();
const examples = commands.flatMap(({ name, usage }) =>
  (usage?.examples ?? []).map((example) => ({ name, example })),
);

describe('the usage of a command', () => {
  it.each(commands)('$name has two examples of its own, and its exit codes', ({ name, usage }) => {
    const own = usage?.examples.filter((example) => `${example} `.includes(`lightspan ${name} `)) ?? [];
    expect(own.length).toBeGreaterThanOrEqual(2);
    expect(usage?.exitCodes).toHaveProperty('0');
    expect(usage?.exitCodes).toHaveProperty('2');
  });

  const takes = ({ command }: (typeof commands)[number], flag: string) =>
    command.options.some(({ long }) => long === flag);
  it.each(commands.filter((one) => takes(one, '--from') && takes(one, '--instance')))(
    '$name says that exit code 3 may mean that the instance gives no answer',
    ({ usage }) => expect(usage?.exitCodes[3]).toContain('no answer from the instance'),
  );

  it.each([...commands.map(({ name }) => name.split(' ')), [], ['index']])(
    '%j %j --help is at most 45 lines of 80 columns, and with --all all of it is at most as wide',
    async (...words) => {
      const { stdout } = await runCli([...words, '--help'], { columns: 80 });
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
      for (const columns of [60, 80]) {
        const whole = await runCli([...words, '--help', '--all'], { columns });
        // A word, such as an address, is never broken.
        const isTooLong = (line: string) => line.length > columns && !/^ +\S+$/.test(line);
        expect(stripVTControlCharacters(whole.stdout).split('\n').filter(isTooLong)).toEqual([]);
      }
    },
  );

  it.each<[what: string, argv: string[], options: CliWorld, isBold: boolean]>([
    ['a terminal', ['check', '--help'], { columns: 80 }, true],
    ['a terminal, with every option', ['check', '--help', '--all'], { columns: 80 }, true],
    ['a terminal without colour', ['check', '--help'], { columns: 80, env: { NO_COLOR: '1' } }, false],
    ['a pipe', ['check', '--help'], {}, false],
    ['a pipe that is to have colour', ['check', '--help'], { env: { FORCE_COLOR: '1' } }, true],
  ])('the headings are bold on %s, if colour may be there', async (_, argv, options, isBold) => {
    const { stdout } = await runCli(argv, options);
    const bold = stdout
      .split('\u001b[1m')
      .slice(1)
      .map((part) => part.split('\u001b[22m')[0]);
    const headings = ['Usage:', 'Question:', 'Evidence:', 'Output:', 'Network:', 'Exit codes:', 'Examples:'];
    expect(bold).toEqual(isBold ? expect.arrayContaining(headings) : []);
    expect(stripVTControlCharacters(stdout) === stdout).toBe(!isBold);
  });

  it.each(examples)(
    '$name: "$example" is the same command where it is wrapped',
    async ({ name, example }) => {
      const { stdout } = await runCli([...name.split(' '), '--help', '--all'], { columns: 60 });
      expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(`  $ ${example}\n`);
    },
  );

  it.each(examples)('$name: "$example" is a command line that its commands take', async ({ example }) => {
    const taken: string[] = [];
    for (const [word, ...argv] of shellCommands(example)) {
      if (word !== 'lightspan') continue;
      const program = refusing(await declareProgram(async () => void taken.push(word)));
      const { options } = namedCommand(argv, program).command;
      await program.parseAsync(withOperands(argv, options), { from: 'user' });
    }
    expect(taken.length).toBeGreaterThan(0);
    // Nobody has made the folder of a file that is to be written.
    expect(example).not.toMatch(/(?:out|>) \S+\/\S+\.\w+$/);
  });
});

/** The program, which throws where it would show an error and end the process. */
function refusing(command: Command): Command {
  for (const subcommand of command.commands) refusing(subcommand);
  return command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
}

/** The commands of a line as words, without redirections and comments: as much of a shell as examples use. */
function shellCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, single, double, redirection, end, word] of line
    .replace(/\s#.*/, '')
    .matchAll(/'([^']*)'|"([^"]*)"|(\d?>+\s*\S+)|(<\(|[|)])|([^\s'"()|]+)/g)) {
    if (end !== undefined) commands.push([]);
    else if (redirection === undefined) commands.at(-1)?.push(single ?? double ?? word ?? '');
  }
  return commands;
}

it.each([
  ['upgrade-preflight', '--from', '1.121.0', '--database', 'env'],
  ['upgrade-preflight', '--from', '1.121.0', '--kubernetes'],
  ['upgrade-check', '--instance', 'https://bi.example.com'],
])('says how else no other server is contacted than those that are named: %s', async (...argv) => {
  const { code, stderr } = await runCli([...argv, '--offline']);
  expect(code).toBe(2);
  expect(stderr).toContain(
    'With --index and a file or a mirror instead, only the servers that you name are contacted.',
  );
});
