import type { ContainerFact } from '../../instance/facts/deployment-facts.js';

/** What replaces the entrypoint of the image starts. The entrypoint itself migrates, and then starts its arguments. */
export function containerStart(command: readonly string[]): ContainerFact['starts'] {
  const words = command.join(' ');
  if (/\bmigrate-production\b(?!\s+(?:preflight|status|wait|unlock)\b)/.test(words)) return 'migration';
  if (/\bmigrate[:\s]+(?:latest|up)\b/.test(words)) return 'migration';
  if (/\bprod-entrypoint\b/.test(words)) return 'entrypoint';
  // A custom entrypoint may call that of the image, or not.
  if (/entrypoint/.test(words)) return 'other';
  if (/\b(?:scheduler|worker)\b|[a-z]Worker\b/.test(words)) return 'worker';
  if (/\bdist\/index(?:\.js)?\b/.test(words)) return 'server';
  return 'other';
}

/**
 * The variables that a command of Lightdash may set itself, as one source whose names are not known; none for a known
 * command.
 */
export function variablesOfCommand(
  command: readonly string[],
  workload: string,
): ContainerFact['variablesFrom'] {
  if (!maySetVariables(command)) return [];
  return [{ origin: 'env-file', object: `that the command of ${workload} may read`, prefix: '', keys: null }];
}

/**
 * Whether it is a shell that reads a file, such as one with the secrets of Vault, or a program that is not known, such
 * as one that fetches secrets and then starts its arguments.
 */
export function maySetVariables([program, ...rest]: readonly string[]): boolean {
  if (program === undefined) return false;
  const name = program.replace(/^.*\//s, '');
  if (/^(?:dumb-init|tini|--)$/.test(name)) return maySetVariables(rest);
  if (/^(?:ba|da|a)?sh$/.test(name)) return mayShellSet(rest);
  const isKnown = /^(?:node|pnpm|npm|npx|yarn|prod-entrypoint(?:\.sh)?)$/.test(name);
  return !isKnown || rest.some((word) => loadsVariables.test(word));
}

/** `node --env-file`, code that node loads first, and `dotenv` in any form. */
const loadsVariables = /^(?:--env-file|--require|--import|-r$)|dotenv/;

/**
 * Whether a shell may set variables: unless it sets none itself, and its commands for Lightdash, or else its last one,
 * are known programs.
 */
function mayShellSet([option = '', ...rest]: readonly string[]): boolean {
  const text = rest.join(' ');
  // A shell for logins or for people reads its profile first.
  if (!/^-[eux]*c$/.test(option) || setsInShell.test(text)) return true;
  const commands = text.split(/[;&|\n]+/).map((command) => command.trim().replace(/^exec\s+/, ''));
  const commandsOfImage = commands.filter((command) => /\bmigrate|\bdist\/|entrypoint/.test(command));
  return (commandsOfImage.length > 0 ? commandsOfImage : commands.slice(-1)).some((command) =>
    maySetVariables(command.split(/\s+/)),
  );
}

/** `. file`, `source file`, `export NAME`, `eval`, `set -a` and `NAME=value command`. */
const setsInShell = /(?:^|[\s;&|(])(?:(?:\.|source|export|eval)\s|set\s+-\w*a|[A-Za-z_]\w*=)/;

/** Whether the command of a Lightdash container begins with `yarn workspace`, as it did while the image had yarn. */
export function startsByYarn(words: readonly string[]): boolean {
  return /(?:^|[\s;&|])yarn\s+workspace\s/.test(words.join(' '));
}
