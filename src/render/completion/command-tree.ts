/** What a shell must know of the command line to complete it. */
export interface CompletedProgram {
  readonly root: CompletedCommand;
  /** The executables: the program, and those that start at a command of it. */
  readonly executables: readonly { readonly name: string; readonly path: CommandPath }[];
}

/** The names of a command from the program down; empty for the program itself. */
export type CommandPath = readonly string[];

export interface CompletedCommand {
  readonly path: CommandPath;
  readonly description: string;
  readonly commands: readonly CompletedCommand[];
  /** Its own, and those of its parent commands. */
  readonly options: readonly CompletedOption[];
  readonly operands: readonly CompletedValue[];
}

export interface CompletedOption {
  /** As typed: `-V`, `--version`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined if it takes none. */
  readonly value: CompletedValue | undefined;
}

export interface CompletedValue {
  readonly name: string;
  readonly required: boolean;
  readonly candidates: Candidates;
}

/** `any` is a word that no shell can guess, such as a version. */
export type Candidates = 'file' | 'folder' | 'any' | readonly string[];

/** A command and every command below it. */
export function withDescendants(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}
