import type { Command, Option } from 'commander';
import type {
  Candidates,
  CommandPath,
  CompletedCommand,
  CompletedOption,
  CompletedProgram,
} from '../../render/completion/command-tree.js';

/**
 * What a shell can complete, taken from the declarations that the program uses.
 *
 * @param executables the names under which it is installed: the program's own, and those of commands
 */
export function completedProgram(program: Command, executables: readonly string[]): CompletedProgram {
  return {
    root: completedCommand(program, [], []),
    executables: executables.map((name) => ({ name, path: name === program.name() ? [] : [name] })),
  };
}

function completedCommand(
  command: Command,
  path: CommandPath,
  siblings: readonly string[],
): CompletedCommand {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const names = children.map((child) => child.name()).filter((name) => name !== 'help');
  return {
    path,
    description: command.description(),
    commands: children.map((child) => completedCommand(child, [...path, child.name()], names)),
    options: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(completedOption),
    operands: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      required: argument.required,
      // commander's own `help [command]`.
      candidates:
        argument.name() === 'command' ? siblings : candidatesOf(argument.name(), argument.argChoices),
    })),
  };
}

function completedOption({
  flags,
  short,
  long,
  required,
  optional,
  description,
  argChoices,
}: Option): CompletedOption {
  const name = /[<[]([^>\]]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => typeof flag === 'string'),
    description,
    value: required || optional ? { name, required, candidates: candidatesOf(name, argChoices) } : undefined,
  };
}

/** If there is no list of candidates, the placeholder names the kind of value: `<file>`, `<folder>`. */
function candidatesOf(name: string, choices: readonly string[] | undefined): Candidates {
  if (choices !== undefined) return choices;
  return pathPlaceholders[/^[a-z]+/.exec(name)?.[0] ?? ''] ?? 'any';
}

const pathPlaceholders: Readonly<Record<string, 'file' | 'folder'>> = {
  file: 'file',
  // A URL, a file or a mirror folder.
  source: 'file',
  folder: 'folder',
};
