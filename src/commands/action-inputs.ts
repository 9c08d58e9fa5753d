import type { Option } from 'commander';
import type { CommandContext } from './context.js';
import { declareUpgradeCheck } from './upgrade-check/declaration.js';

/** What the action settles itself: its answer is for the job, and colours are the runner's own affair. */
const settled: ReadonlySet<string> = new Set(['json', 'format', 'color', 'no-color']);

/** The options of `upgrade-check` that are inputs of the action, under the names of the flags. */
export function actionInputs(): readonly { readonly name: string; readonly option: Option }[] {
  return declareUpgradeCheck(async () => {}).options.flatMap((option) => {
    const name = option.long?.slice(2);
    return name === undefined || settled.has(name) ? [] : [{ name, option }];
  });
}

/** The command line that the inputs of a step stand for. An input is the environment variable `INPUT_<NAME>`. */
export function argvOfInputs(env: CommandContext['env']): string[] {
  const flags = actionInputs().flatMap(({ name, option }) => {
    const value = env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';
    const takesValue = option.required || option.optional;
    if (value === '' || (!takesValue && value === 'false')) return [];
    // Each line names a place that must agree.
    if (name === 'from-file') return value.split(/\s*\n\s*/).map((place) => `--${name}=${place}`);
    // A switch set to anything else is left to the command line to refuse.
    return [!takesValue && value === 'true' ? `--${name}` : `--${name}=${value}`];
  });
  return ['upgrade-check', '--format=github', ...flags];
}
