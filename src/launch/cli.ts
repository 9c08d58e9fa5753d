import { type Command, CommanderError } from 'commander';
import { renderFailureJson } from '../answer/json/document.js';
import { renderFailureText } from '../answer/outputs/messages.js';
import { declareProgram } from '../commands/program.js';
import { LightspanError, toFailure } from '../core/lightspan-error.js';
import { printableLines } from '../core/text/printable.js';
import { type CommandContext, colourLevel, packageVersion, usualWidth, widthOf } from '../door/context.js';
import { namedCommand, type RunParsed } from '../door/declare.js';
import { type ExitCode, exitCodeOfError, exitCodes } from '../door/exit-codes.js';
import { briefHelp, fullName, widest } from '../door/help.js';
import type { Invocation } from '../door/invocation.js';
import { describeOperands, withOperands } from '../door/operands.js';
import { usersWordsOf } from '../door/users-words.js';
import { noSettings } from '../question/settings.js';
import { forGithubLog } from './github-log.js';

/**
 * Runs one command line and returns its exit code. Results go to `world.stdout`, everything else to `world.stderr`.
 * Nothing is thrown: a fault of ours is a failure like any other, and never exit 0.
 */
export async function run(request: Invocation, world: CommandContext): Promise<ExitCode> {
  const { completed, version } = request;
  if (version) {
    world.stdout.write(`${packageVersion}\n`);
    return exitCodes.yes;
  }
  if (completed !== undefined) return await writeCandidates(completed, world);
  const screen =
    world.stderr.isTTY === true ? (await import('../door/terminal.js')).screenOf(world, world.env) : {};
  const here = { ...world, ...screen, stdin: readableOnce(world.stdin) };
  // The runner of a GitHub job obeys commands in its log.
  const context = await forGithubLog(here, request);
  let exitCode: ExitCode = exitCodes.unavailable;
  let { argv: words } = request;
  const act: RunParsed = async (command) => {
    const { filled, settings } = command.takesSettings
      ? await (await import('../app/settings/decide.js')).decideBySettings(command, context)
      : { filled: {}, settings: noSettings };
    exitCode = await command.run(filled, { words: usersWordsOf(words), settings }, context);
  };
  const { argv, all } = readHelp(request.argv);
  let named: ReturnType<typeof namedCommand> | undefined;
  let helpText = '';
  try {
    const program = await declareProgram(act, argv, (root) =>
      connect(all ? root : root.configureHelp(briefHelp), context, (text) => {
        helpText += text;
      }),
    );
    program.hook('preAction', () => {
      if (program.getOptionValue('version') === true) throw mustStandAlone('--version');
    });
    named = namedCommand(argv, program);
    words = withOperands(argv, named.command.options);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (helpText === '') {
      // No command was named: commander has shown the help, on stderr.
      const isShown = error instanceof CommanderError && error.code === 'commander.help';
      return isShown ? exitCodes.usage : reportFailure(error, request, context, named?.command);
    }
    if (named?.others.length === 1 || named?.others[0] === 'help') {
      context.stdout.write(helpText);
      return exitCodes.yes;
    }
    const [subcommand = '-'] = named?.others ?? [];
    if (named !== undefined && named.command.commands.length > 0 && !subcommand.startsWith('-')) {
      const [, ...path] = fullName(named.command).split(' ');
      return run({ ...request, argv: [...path, subcommand] }, world);
    }
    context.stderr.write(`${helpText}\n`);
    return reportFailure(mustStandAlone('--help'), request, context, named?.command);
  }
}

/**
 * `help` before a command, and a command line without any word, ask for `--help`; beside it, `--all` is for the whole.
 */
function readHelp(words: readonly string[]): { readonly argv: readonly string[]; readonly all: boolean } {
  const [first, ...rest] = words;
  const argv = first === undefined ? ['--help'] : first === 'help' ? [...rest, '--help'] : words;
  const asksHelp = argv.some((word) => word === '--help' || word === '-h');
  const all = asksHelp && argv.includes('--all');
  return { argv: all ? argv.filter((word) => word !== '--all') : argv, all: all };
}

async function writeCandidates(words: readonly string[], context: CommandContext): Promise<ExitCode> {
  const program = await declareProgram(async () => {}, words.slice(0, -1));
  const { complete } = await import('../commands/completion.js');
  context.stdout.write(await complete(program, words, context));
  return exitCodes.yes;
}

/** Standard input for one reader: a second one would find it empty. */
function readableOnce(stdin: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let taken = false;
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw new LightspanError('usage', 'standard input is named twice, but can be read only once', {
          hint: 'Name a file instead of one "-".',
        });
      }
      taken = true;
      return stdin[Symbol.asyncIterator]();
    },
  };
}

async function reportFailure(
  thrown: unknown,
  { format, debug }: Invocation,
  context: CommandContext,
  command: Command | undefined,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const error = thrown instanceof CommanderError ? await usageError(thrown, command) : thrown;
  const { hint, ...withoutHint } = toFailure(error);
  const isUsage = hint === undefined && withoutHint.code === 'usage';
  const failure = {
    ...withoutHint,
    hint: isUsage ? await hintFor(error, command, context) : hint,
  };
  const exitCode = exitCodeOfError(failure.code);
  if (format === 'json') stdout.write(renderFailureJson(failure));
  else if (format !== 'text') {
    const { writeGateFailure } = await import('../door/write-pipeline.js');
    await writeGateFailure(failure, { format, exitCode }, context);
  }
  stderr.write(renderFailureText(failure));
  if (debug && error instanceof Error) {
    stderr.write(`${printableLines(error.stack ?? '')}\n`);
  }
  return exitCode;
}

async function hintFor(
  error: unknown,
  command: Command | undefined,
  { env }: CommandContext,
): Promise<string> {
  const { hintOfUsage } = await import('./usage-hints.js');
  return hintOfUsage(error, command, env);
}

/** Exit 0 would be an answer to everything else that the command line asks. */
function mustStandAlone(option: string): LightspanError {
  return new LightspanError('usage', `${option} takes only the name of a command`, {
    hint: 'Leave it out, or use it alone.',
  });
}

/** The program writes to the context, and throws instead of ending the process. */
function connect(
  program: Command,
  { stdout, stderr, env }: CommandContext,
  writeHelp: (text: string) => void,
): void {
  program.exitOverride().configureOutput({
    writeOut: writeHelp,
    getOutHelpWidth: () => Math.min(widthOf(stdout) ?? usualWidth, widest),
    getErrHelpWidth: () => Math.min(widthOf(stderr) ?? usualWidth, widest),
    getOutHasColors: () => colourLevel({}, { env, stdout }) > 0,
    getErrHasColors: () => colourLevel({}, { env, stdout: stderr }) > 0,
    writeErr: (text) => stderr.write(text),
    // An error is shown once, by `fail`.
    outputError: () => {},
  });
}

/** commander's own errors in our words: its exit code for them, 1, would mean "no". */
async function usageError(error: CommanderError, command: Command | undefined): Promise<LightspanError> {
  const message = error.message
    .replace(/^error: /, '')
    // The value of an option may contain a password, and is not what is wrong.
    .replace(/ argument '.*' is invalid\. (?=is given twice$)/s, ' ')
    .replace(/\s*\n\s*/g, ' ');
  if (error.code === 'commander.excessArguments') {
    const expected = describeOperands(command?.name() ?? '', command?.args.length ?? 0);
    if (expected !== undefined)
      return new LightspanError('usage', `too many arguments: ${expected}`, { cause: error });
  }
  const isUnknown = error.code === 'commander.unknownCommand' && !message.includes('(Did you mean');
  const near = isUnknown ? await commandsFor(/'(.*)'/s.exec(message)?.[1] ?? '', command) : [];
  const text = near.length === 0 ? message : `${message} (Did you mean ${near.join(' or ')}?)`;
  const isOffline = error.code === 'commander.conflictingOption' && message.includes("'--offline'");
  return new LightspanError('usage', text, {
    cause: error,
    ...(isOffline && {
      hint:
        '--offline contacts no server at all. With --index and a file or a mirror instead, only the servers that you ' +
        'name are contacted.',
    }),
  });
}

/** The command that a word after the name of a group is meant for, if there is one alone, or else those that it is like. */
async function commandsFor(word: string, command: Command | undefined): Promise<readonly string[]> {
  const [only, second] = command?.commands ?? [];
  return command?.parent && only !== undefined && second === undefined
    ? [`${command.name()} ${only.name()}`]
    : commandsLike(word, command);
}

/**
 * The full names of commands of which a part begins with a word, such as `index mirror` for mirror, else of which one
 * is near to it.
 */
async function commandsLike(word: string, command: Command | undefined): Promise<readonly string[]> {
  const below = (some: Command, path: string): string[] =>
    some.commands.flatMap((child) => {
      const name = `${path}${child.name()}`;
      return child.commands.length === 0 ? [name] : below(child, `${name} `);
    });
  if (command === undefined || word.length < 3) return [];
  const names = below(rootOf(command), '');
  const partsOf = (name: string) => name.split(/[ -]/);
  const begun = names.filter((name) => partsOf(name).some((part) => part.startsWith(word)));
  if (begun.length > 0) return begun;
  const { nearestTo } = await import('../core/text/did-you-mean.js');
  const nearest = nearestTo(word, names.flatMap(partsOf));
  return names.filter((name) => nearest !== undefined && partsOf(name).includes(nearest));
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
