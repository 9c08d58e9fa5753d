import type { Command, Option } from 'commander';
import type { CommandContext } from './context.js';
import { declarePinCheck } from './pin-check/declaration.js';
import { declareUpgradeBump } from './upgrade-bump/declaration.js';
import { declareUpgradeCheck } from './upgrade-check/declaration.js';
import { declareUpgradePlan } from './upgrade-plan/declaration.js';

/** The modes of the action, and the command of each. */
const declarations = {
  check: declareUpgradeCheck,
  plan: declareUpgradePlan,
  'pin-check': declarePinCheck,
  bump: declareUpgradeBump,
};

/**
 * Options that the action sets itself: the format is for the job, the runner decides on colours, nothing is staged, and
 * nobody is there for the address of a page.
 */
const settled: ReadonlySet<string> = new Set([
  ...['json', 'format', 'color', 'no-color'],
  ...['staged', 'pre-commit', 'open'],
]);
/** For these inputs, each line is one value. */
const repeatable: ReadonlySet<string> = new Set([
  'from-file',
  'pin',
  'accept',
  'known-issues',
  'fact',
  'accept-issue',
]);

export interface ActionInput {
  readonly name: string;
  readonly takesValue: boolean;
  /** The modes that have it. */
  readonly modes: readonly string[];
}

/** The options of the commands that are inputs of the action, under the names of the flags. */
export function actionInputs(): readonly ActionInput[] {
  const inputs = new Map<string, ActionInput>();
  for (const [mode, declare] of Object.entries(declarations)) {
    const { options }: Command = declare(async () => {});
    for (const option of options) {
      const name = option.long?.slice(2);
      if (name === undefined || settled.has(name)) continue;
      const modes = [...(inputs.get(name)?.modes ?? []), mode];
      inputs.set(name, { name, takesValue: takesValue(option), modes });
    }
  }
  return [...inputs.values()];
}

/** The command line for the inputs of a step. An input is the environment variable `INPUT_<NAME>`. */
export function argvOfInputs(env: CommandContext['env']): string[] {
  const inputOf = (name: string) => env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
  const mode = inputOf('mode') || 'check';
  const declare = Object.entries(declarations).find(([name]) => name === mode)?.[1];
  // The command line refuses an unknown mode.
  if (declare === undefined) return ['upgrade-check', '--format=github', `--mode=${mode}`];
  const command: Command = declare(async () => {});
  const flags = actionInputs().flatMap(({ name, takesValue }) => {
    const value = inputOf(name);
    if (value === '' || (!takesValue && value === 'false')) return [];
    if (repeatable.has(name)) return value.split(/\s*\n\s*/).map((line) => `--${name}=${line}`);
    // It also refuses a switch with another value, and an input that the mode does not have.
    return [!takesValue && value === 'true' ? `--${name}` : `--${name}=${value}`];
  });
  const format = command.options.some(({ long }) => long === '--format') ? ['--format=github'] : [];
  return [command.name(), ...format, ...flags];
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
