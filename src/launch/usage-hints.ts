import type { Command } from 'commander';
import { settingsInForce } from '../app/settings/in-force.js';
import { type ErrorDetails, LightspanError } from '../core/lightspan-error.js';
import type { CommandContext } from '../door/context.js';
import { fullName, usageOf } from '../door/help.js';
import type { LackingDetails } from '../door/lacking.js';
import { takesVersions } from '../door/operands.js';

/** What to do about a wrong request that says nothing of it itself. */
export async function hintOfUsage(
  error: unknown,
  command: Command | undefined,
  env: CommandContext['env'],
): Promise<string> {
  if (command === undefined) return 'See lightspan --help.';
  const details = error instanceof LightspanError ? error.details : undefined;
  if (!isLacking(details)) return seeHelp(error, command);
  const settings = await settingsInForce({}, env).catch(() => undefined);
  return hintOfLacking(details, command, settings?.shown);
}

function isLacking(details: ErrorDetails | undefined): details is LackingDetails {
  return details?.kind === 'lacking';
}

/** @param settings the file in force, if there is one */
function hintOfLacking(
  { what, mayBeInDatabase = false }: LackingDetails,
  command: Command,
  settings: string | undefined,
): string {
  const how = what === 'pinned-file' ? ['--file'] : ['--from', '--instance', '--from-file'];
  const options = [...how, ...(mayBeInDatabase ? ['--from-database'] : [])];
  const ways = `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
  if (what === 'one-running-version') return `Pass one of ${ways}.`;
  const keys = what === 'pinned-file' ? 'pins' : 'pins or instance';
  const once =
    settings === undefined
      ? `run lightspan init, which finds ${what === 'pinned-file' ? 'it' : 'where it is pinned'}`
      : `add ${keys} to ${settings}`;
  const example =
    what === 'pinned-file'
      ? `, as in ${fullName(command)} --file values.yaml`
      : takesVersions(command.name())
        ? `, as in ${fullName(command)} 1.121.0 1.156.0 (or with ${ways})`
        : ` with ${ways}`;
  return `Name it${example}; or ${once}.`;
}

/** What an option of another command or tool is called here: too unlike for a name that is mistyped. */
const namesElsewhere: Readonly<Record<string, readonly string[]>> = {
  '--from-file': ['--file'],
  '--pin': ['--file', '--from-file'],
  '--file': ['--from-file'],
  '--env-file': ['--compose-env-file'],
  '--dry-run': ['--check'],
  '--target': ['--to'],
};

/** An example for a command line that lacks something or has too much, and where all of it stands. */
function seeHelp(error: unknown, command: Command): string {
  const name = fullName(command);
  const [example] = usageOf(command)?.examples ?? [];
  const message = error instanceof Error ? error.message : '';
  const [, unknown = ''] = /^unknown option '(--[\w-]+)/.exec(message) ?? [];
  const meant = namesElsewhere[unknown]?.find((long) =>
    command.options.some((option) => option.long === long),
  );
  if (meant !== undefined) return `Here it is ${meant}. See ${name} --help.`;
  const isOfShape = /^(missing required|required option|too many arguments)/.test(message);
  return isOfShape && example !== undefined
    ? `For example: ${example} (more: ${name} --help)`
    : `See ${name} --help.`;
}
