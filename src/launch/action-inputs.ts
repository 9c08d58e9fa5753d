import type { Command } from 'commander';
import { declareProgram } from '../commands/program.js';
import type { CommandContext } from '../door/context.js';

const modes: Readonly<Record<string, string>> = {
  check: 'upgrade-check',
  plan: 'upgrade-plan',
  'pin-check': 'pin-check',
  bump: 'upgrade-bump',
};

async function declared(name: string): Promise<Command | undefined> {
  const { commands } = await declareProgram(async () => {}, [name]);
  return commands.find((command) => command.name() === name);
}

/** Options that are no inputs: the action sets them itself, or they need a person at a terminal. */
const setByAction: ReadonlySet<string> = new Set([
  ...['json', 'format', 'color', 'no-color'],
  ...['staged', 'pre-commit', 'settings', 'no-settings', 'debug', 'version'],
]);
const repeatable: ReadonlySet<string> = new Set([
  ...['from-file', 'pin', 'accept', 'known-issues', 'fact'],
  ...['values', 'compose', 'compose-env-file'],
]);

interface ActionInput {
  readonly name: string;
  readonly takesValue: boolean;
  readonly modes: readonly string[];
}

export async function actionInputs(): Promise<readonly ActionInput[]> {
  const inputs = new Map<string, ActionInput>();
  for (const [mode, command] of Object.entries(modes)) {
    for (const option of (await declared(command))?.options ?? []) {
      const name = option.long?.slice(2);
      if (name === undefined || setByAction.has(name)) continue;
      const modes = [...(inputs.get(name)?.modes ?? []), mode];
      inputs.set(name, { name, takesValue: option.required || option.optional, modes });
    }
  }
  return [...inputs.values()];
}

/** The command line for the inputs of a step. An input is the environment variable `INPUT_<NAME>`. */
export async function argvOfInputs(env: CommandContext['env']): Promise<readonly string[]> {
  const inputOf = (name: string) => env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
  const mode = inputOf('mode') || 'check';
  const command = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  // The command line refuses an unknown mode.
  if (command === undefined) return ['upgrade-check', '--format=github', `--mode=${mode}`];
  const flags = (await actionInputs()).flatMap(({ name, takesValue }) => {
    const value = inputOf(name);
    if (value === '' || (!takesValue && value === 'false')) return [];
    if (repeatable.has(name)) return value.split(/\s*\n\s*/).map((line) => `--${name}=${line}`);
    // It also refuses a switch with another value, and an input that the mode does not have.
    return [!takesValue && value === 'true' ? `--${name}` : `--${name}=${value}`];
  });
  return [command, mode === 'bump' ? '--json' : '--format=github', ...flags];
}
