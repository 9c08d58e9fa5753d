import { type Command, CommanderError } from 'commander';
import type { Act, CommandContext } from './commands/context.js';
import { formatOfArgv } from './commands/format-of-argv.js';
import { commandNames, declareProgram, versionAsked } from './commands/program.js';
import { readableOnce } from './commands/standard-input.js';
import { LightspanError, toFailure } from './errors.js';
import { type ExitCode, exitCodeOfError, exitCodes } from './exit-codes.js';
import { packageVersion } from './package-version.js';
import { renderFailureJson } from './render/json/failure.js';
import { printableLines } from './render/printable.js';
import { renderFailureText } from './render/text/failure.js';

/**
 * Runs one command line and returns its exit code. Results go to `world.stdout`, everything else to
 * `world.stderr`. Nothing is thrown: a fault of ours is a failure like any other, and never exit 0.
 *
 * @param argv the arguments alone, without the node binary and the script
 */
export async function run(argv: readonly string[], world: CommandContext): Promise<ExitCode> {
  const own = { ...world, stdin: readableOnce(world.stdin) };
  const context =
    formatOfArgv(argv) === 'github' ? (await import('./commands/gate-output.js')).forGithubLog(own) : own;
  let exitCode: ExitCode = exitCodes.unavailable;
  const act: Act = async (command) => {
    exitCode = await command(context);
  };
  let program: Command | undefined;
  try {
    program = connect(await declareProgram(act, commandsFor(argv)), context);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.code === versionAsked) {
      if (!isVersionAlone(argv, program)) return fail(versionNotAlone(), argv, context);
      context.stdout.write(`${packageVersion}\n`);
      return exitCodes.yes;
    }
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.yes;
    // No command was named: commander has shown the help, on stderr.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    return fail(error, argv, context);
  }
}

async function fail(thrown: unknown, argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const error = thrown instanceof CommanderError ? usageError(thrown) : thrown;
  const failure = toFailure(error);
  const exitCode = exitCodeOfError(failure.code);
  const format = formatOfArgv(argv);
  if (format === 'json') stdout.write(renderFailureJson(failure));
  else if (format !== 'text') {
    const { writeGateFailure } = await import('./commands/gate-output.js');
    writeGateFailure(failure, { format, exitCode }, context);
  }
  stderr.write(renderFailureText(failure));
  if (argv.includes('--debug') && error instanceof Error) {
    stderr.write(`${printableLines(error.stack ?? '')}\n`);
  }
  return exitCode;
}

/** Whether a command line holds nothing else, but for the names of a command: exit 0 would answer what else it asks. */
function isVersionAlone(argv: readonly string[], program: Command | undefined): boolean {
  const at = argv.findIndex((argument) => argument === '-V' || argument === '--version');
  let named = program;
  for (const [i, argument] of argv.entries()) {
    if (i !== at) named = named?.commands.find((command) => command.name() === argument);
  }
  return named !== undefined;
}

function versionNotAlone(): LightspanError {
  return new LightspanError('usage', '--version goes with no other argument', {
    hint: 'Leave it out, or ask for it alone.',
  });
}

/** The commands that a command line needs declared: the one it names, or all where it names none, or tells of all. */
function commandsFor(argv: readonly string[]): readonly string[] {
  const [named] = argv.filter((argument) => !argument.startsWith('-'));
  if (named !== undefined && named !== 'completion' && commandNames.includes(named)) return [named];
  return commandNames;
}

/** The program writes to the context, and throws where it would end the process. */
function connect(program: Command, { stdout, stderr }: CommandContext): Command {
  program
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // An error is shown once, by `fail`.
      outputError: () => {},
    })
    .exitOverride();
  for (const command of program.commands) inherit(command, program);
  return program;
}

/** A command and those grouped under it behave as the program does. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inherit(subcommand, command);
}

/** commander's own errors, in our words: its exit code for them, 1, would mean "no". */
function usageError(error: CommanderError): LightspanError {
  const message = error.message
    .replace(/^error: /, '')
    // The value of an option may hold a password, and is not what is wrong.
    .replace(/ argument '.*' is invalid\. (?=It is given twice\.$)/s, ': ')
    .replace(/\s*\n\s*/g, ' ');
  return new LightspanError('usage', message, { hint: 'See lightspan --help.', cause: error });
}
