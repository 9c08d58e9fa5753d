import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Command, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { LightspanError } from '../core/lightspan-error.js';
import { printable } from '../core/text/printable.js';
import { shellWord } from '../core/text/quoted-words.js';
import { targetNames } from '../core/version.js';
import type { CommandContext } from '../door/context.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import { makeFolder, writeWhole } from '../door/text-sink.js';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command = defineCommand({
  takes: {
    shell: {
      flags: '[shell]',
      description: 'the shell (default with --install: that of $SHELL)',
      choices: shells,
    },
    install: {
      flags: '--install',
      group: 'output',
      description: 'write it where that shell looks for it, and say what else to do',
    },
  },
  exitCodes: {
    0: 'the script is written',
    2: 'the request is wrong, or another program wrote the file that would be replaced',
    3: 'the file cannot be written',
  },
  examples: [
    'lightspan completion --install',
    'source <(lightspan completion bash)    # in ~/.bashrc',
    'source <(lightspan completion zsh)     # in ~/.zshrc, after compinit',
    'lightspan completion fish | source     # in ~/.config/fish/config.fish',
  ],
  run: async ({ shell, install }, context) => {
    if (install === true) await installScript(shell ?? usedShell(context.env), context);
    else if (shell === undefined) throw new LightspanError('usage', "missing required argument 'shell'");
    else context.stdout.write(completionScripts[shell]);
    return exitCodes.yes;
  },
});

type Shell = (typeof shells)[number];

const executables = Object.keys(packageJson.bin);
const names = executables.join(' ');

function usedShell({ SHELL = '' }: CommandContext['env']): Shell {
  const shellOfUser = shells.find((shell) => shell === basename(SHELL));
  if (shellOfUser !== undefined) return shellOfUser;
  throw new LightspanError('usage', '$SHELL names none of bash, zsh and fish', {
    hint: 'Name the shell: lightspan completion bash --install.',
  });
}

/** Where a shell looks for what completes a command, by the name of the command, and what it needs besides. */
function placesOf(shell: Shell, env: CommandContext['env']) {
  const home = env.HOME || homedir();
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const all = (folder: string, ending = '') => executables.map((name) => join(folder, `${name}${ending}`));
  if (shell === 'bash') {
    const files = all(join(data, 'bash-completion', 'completions'));
    return { files, next: 'New shells have it if the package bash-completion is installed.' };
  }
  if (shell === 'fish') {
    const config = env.XDG_CONFIG_HOME || join(home, '.config');
    return { files: all(join(config, 'fish', 'completions'), '.fish'), next: 'New shells have it.' };
  }
  const folder = join(data, 'zsh', 'site-functions');
  const line = `fpath=(${shellWord(folder)} $fpath)`;
  return {
    files: [join(folder, '_lightspan')],
    next:
      'Add this to ~/.zshrc, before compinit, unless it is already there (lightspan does not edit that ' +
      `file):\n  ${line}`,
  };
}

async function installScript(shell: Shell, { env, stdout }: CommandContext): Promise<void> {
  const { files, next } = placesOf(shell, env);
  for (const file of files) {
    const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (present === '' || present.includes('it is written by: lightspan completion')) continue;
    throw new LightspanError('usage', `${file} already exists, and lightspan did not write it`, {
      hint: `Nothing was written. Move it away, or put the script elsewhere: lightspan completion ${shell} > <file>.`,
    });
  }
  for (const file of files) {
    await makeFolder(dirname(file));
    await writeWhole(file, completionScripts[shell]);
    stdout.write(`Written: ${printable(file)}\n`);
  }
  stdout.write(`${next}\n`);
}

const head = (shell: string) =>
  `# ${shell} completion for ${names.replaceAll(' ', ', ')}; it is written by: lightspan completion ${shell}`;

/** The script of each shell, which asks the program at each completion. */
const completionScripts = {
  // 3.2 and later.
  bash: `${head('bash')}

_lightspan() {
  local IFS=$'\\n' answer current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  answer=$("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  case $answer in
    :file) compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$current")) ;;
    :folder) compopt -o dirnames 2>/dev/null || COMPREPLY=($(compgen -d -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$(cut -f1 <<<"$answer")" -- "$current")) ;;
  esac
}

complete -F _lightspan ${names}
`,
  zsh: `#compdef ${names}
${head('zsh')}

_lightspan() {
  local -a answer
  local tab=$'\\t'
  answer=("\${(@f)$("$words[1]" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case $answer[1] in
    :file) _files ;;
    :folder) _files -/ ;;
    ?*)
      answer=("\${(@)answer//:/\\:}")
      answer=("\${(@)answer/$tab/:}")
      if [[ $PREFIX == -* ]]; then _describe -o option answer; else _describe value answer; fi
      ;;
  esac
}

if [[ $funcstack[1] == _lightspan ]]; then
  _lightspan "$@"
else
  compdef _lightspan ${names}
fi
`,
  fish: `${head('fish')}

function __lightspan_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] __complete $words[2..] "$current" 2>/dev/null)
    switch "$answer[1]"
        case :file
            __fish_complete_path "$current"
        case :folder
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $answer
    end
end

for executable in ${names}
    complete -c $executable -f -a '(__lightspan_complete)'
end
`,
} as const;

/**
 * What may stand at the end of a command line: one candidate a line, with its description behind a tab; or `:file` or
 * `:folder`, for which the shell looks itself.
 *
 * @param words up to the cursor, of which the last may be empty
 */
export async function complete(
  program: Command,
  words: readonly string[],
  context: CommandContext,
): Promise<string> {
  const valuesOf = (flags: string, choices?: readonly string[]) => valuesFor(flags, choices, words, context);
  const current = words.at(-1) ?? '';
  let command = program;
  let pending: Option | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (pending !== undefined && (pending.required || !word.startsWith('-'))) {
      pending = undefined;
      continue;
    }
    pending = optionsOf(command).find(
      (option) => flagsOf(option).includes(word) && (option.required || option.optional),
    );
    const below = commandsOf(command).find((child) => child.name() === word);
    // What follows `help` is a command too.
    if (below !== undefined) command = word === 'help' ? command : below;
    else if (!word.startsWith('-')) position++;
  }
  if (pending?.required) return valuesOf(pending.flags, pending.argChoices);
  if (current.startsWith('-')) {
    return linesOf(
      optionsOf(command).flatMap((option) => flagsOf(option).map((name) => [name, option.description])),
    );
  }
  const commands = commandsOf(command);
  if (commands.length > 0) {
    const named = (child: Command) => [child.name(), ...child.aliases()];
    return linesOf(
      commands.flatMap((child) => named(child).map((name) => [name, child.description()] as const)),
    );
  }
  const last = command.registeredArguments.at(-1);
  const operand = command.registeredArguments[position] ?? (last?.variadic ? last : undefined);
  return operand === undefined ? '' : valuesOf(`<${operand.name()}>`, operand.argChoices);
}

function linesOf(values: readonly (readonly [text: string, description?: string])[]): string {
  return values.map(([text, description = '']) => `${text}\t${description}\n`).join('');
}

/** Where there are no choices, the placeholder names the kind of value: `<file>`, `<folder>`. */
async function valuesFor(
  flags: string,
  choices: readonly string[] | undefined,
  words: readonly string[],
  context: CommandContext,
): Promise<string> {
  if (choices !== undefined && choices.length > 0) return linesOf(choices.map((choice) => [choice]));
  const [, kind = ''] = /[<[]([a-z]+)/.exec(flags) ?? [];
  // A source is a URL, a file or a mirror.
  if (kind === 'file' || kind === 'source') return ':file\n';
  if (kind === 'version' || kind === 'target') {
    const { versionsToComplete } = await import('../app/completed-values.js');
    const names = kind === 'target' ? targetNames.filter((name) => name.startsWith(words.at(-1) ?? '')) : [];
    return linesOf([...names, ...(await versionsToComplete(words, context))].map((version) => [version]));
  }
  if (kind === 'words') {
    const { topics, wordKinds } = await import('./explain.js');
    const named = [...Object.keys(wordKinds), ...topics.map(({ word }) => word)];
    return linesOf([...new Set(named)].map((word) => [word]));
  }
  return kind === 'folder' ? ':folder\n' : '';
}

function commandsOf(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function flagsOf({ short, long }: Option): string[] {
  return [short, long].filter((flag) => typeof flag === 'string');
}
