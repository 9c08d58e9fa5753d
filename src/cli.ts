import { Command, CommanderError } from 'commander';
import type { Act, CommandContext } from './commands/context.js';
import { formatOfArgv } from './commands/gate-format.js';
import { LightspanError, toFailure } from './errors.js';
import { type ExitCode, exitCodeOfError, exitCodes } from './exit-codes.js';
import { packageVersion } from './package-version.js';
import { renderFailureJson } from './render/json/failure.js';
import { renderFailureText } from './render/text/failure.js';

/**
 * Runs one command line and returns its exit code. Results go to `world.stdout`, everything else to
 * `world.stderr`. Nothing is thrown: a fault of ours is a failure like any other, and never exit 0.
 *
 * @param argv the arguments alone, without the node binary and the script
 */
export async function run(argv: readonly string[], world: CommandContext): Promise<ExitCode> {
  const context =
    formatOfArgv(argv) === 'github' ? (await import('./commands/gate-output.js')).forGithubLog(world) : world;
  let exitCode: ExitCode = exitCodes.unavailable;
  const act: Act = async (command) => {
    exitCode = await command(context);
  };
  try {
    const program = await declareProgram(commandsFor(argv), context, act);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.yes;
    // No command was named: commander has shown the help, on stderr.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    return fail(error, argv, context);
  }
}

async function fail(error: unknown, argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const failure = toFailure(error instanceof CommanderError ? usageError(error) : error);
  const exitCode = exitCodeOfError(failure.code);
  const format = formatOfArgv(argv);
  if (format === 'json') stdout.write(renderFailureJson(failure));
  else if (format !== 'text') {
    const { writeGateFailure } = await import('./commands/gate-output.js');
    await writeGateFailure(failure, { format, exitCode }, context);
  }
  stderr.write(renderFailureText(failure));
  if (argv.includes('--debug') && error instanceof Error) stderr.write(`${error.stack}\n`);
  return exitCode;
}

/** What declares each command, in the order of the help. Only the one that is named is loaded. */
const declarations: Readonly<Record<string, () => Promise<(act: Act) => Command>>> = {
  'upgrade-check': async () => (await import('./commands/upgrade-check/declaration.js')).declareUpgradeCheck,
  'upgrade-plan': async () => (await import('./commands/upgrade-plan/declaration.js')).declareUpgradePlan,
  index: async () => (await import('./commands/index/declaration.js')).declareIndex,
  release: async () => (await import('./commands/release/declaration.js')).declareRelease,
  merge: async () => (await import('./commands/merge/declaration.js')).declareMerge,
  chart: async () => (await import('./commands/chart/declaration.js')).declareChart,
  query: async () => (await import('./commands/query/declaration.js')).declareQuery,
  catalog: async () => (await import('./commands/catalog/declaration.js')).declareCatalog,
  org: async () => (await import('./commands/org/declaration.js')).declareOrg,
  completion: async () => (await import('./commands/completion/declaration.js')).declareCompletion,
};

/** The commands that a command line needs declared: the one it names, or all where it names none, or tells of all. */
function commandsFor(argv: readonly string[]): readonly string[] {
  const [named] = argv.filter((argument) => !argument.startsWith('-'));
  if (named !== undefined && named !== 'completion' && Object.hasOwn(declarations, named)) return [named];
  return argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V') ? [] : Object.keys(declarations);
}

async function declareProgram(
  names: readonly string[],
  { stdout, stderr }: CommandContext,
  act: Act,
): Promise<Command> {
  const program = new Command('lightspan')
    .description('Upgrade decisions for self-hosted Lightdash, from its public release-safety index.')
    .version(packageVersion, '-V, --version', 'print the version')
    .option('--debug', 'with an error, print its stack trace')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // An error is shown once, by `fail`.
      outputError: () => {},
    })
    .exitOverride();
  for (const name of names) {
    const declare = await declarations[name]?.();
    if (declare !== undefined) program.addCommand(inherit(declare(act), program));
  }
  return program;
}

/** A command and those grouped under it behave as the program does. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inherit(subcommand, command);
  return command;
}

/** commander's own errors, in our words: its exit code for them, 1, would mean "no". */
function usageError(error: CommanderError): LightspanError {
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return new LightspanError('usage', message, { hint: 'See lightspan --help.', cause: error });
}
