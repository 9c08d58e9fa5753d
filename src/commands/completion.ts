import type { Command, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { defineCommand } from '../cli/declare.js';
import { exitCodes } from '../cli/exit-codes.js';

export const command = defineCommand({
  takes: {
    shell: { flags: '<shell>', description: 'the shell it is for', choices: ['bash', 'zsh', 'fish'] },
  },
  exitCodes: { 0: 'the script is written', 2: 'the request is wrong' },
  examples: [
    'source <(lightspan completion bash)    # in ~/.bashrc',
    'source <(lightspan completion zsh)     # in ~/.zshrc, after compinit',
    'lightspan completion fish | source     # in ~/.config/fish/config.fish',
  ],
  run: ({ shell }, { stdout }) => {
    stdout.write(completionScripts[shell]);
    return exitCodes.yes;
  },
});

const names = Object.keys(packageJson.bin).join(' ');

const head = (shell: string) =>
  `# ${shell} completion for ${names.replaceAll(' ', ', ')}; it is written by: lightspan completion ${shell}`;

/** The script of each shell, which asks the program at each completion. */
const completionScripts = {
  // 3.2 and later.
  bash: `${head('bash')}

_lightspan() {
  local IFS=$'\\n' said current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  said=$("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  case $said in
    :file) compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$current")) ;;
    :folder) compopt -o dirnames 2>/dev/null || COMPREPLY=($(compgen -d -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$(cut -f1 <<<"$said")" -- "$current")) ;;
  esac
}

complete -F _lightspan ${names}
`,
  zsh: `#compdef ${names}
${head('zsh')}

_lightspan() {
  local -a said
  local tab=$'\\t'
  said=("\${(@f)$("$words[1]" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case $said[1] in
    :file) _files ;;
    :folder) _files -/ ;;
    ?*)
      said=("\${(@)said//:/\\:}")
      said=("\${(@)said/$tab/:}")
      if [[ $PREFIX == -* ]]; then _describe -o option said; else _describe value said; fi
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
    set -l said ($words[1] __complete $words[2..] "$current" 2>/dev/null)
    switch "$said[1]"
        case :file
            __fish_complete_path "$current"
        case :folder
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $said
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
export function complete(program: Command, words: readonly string[]): string {
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
    return linesOf(optionsOf(command).flatMap((one) => flagsOf(one).map((name) => [name, one.description])));
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
function valuesOf(flags: string, choices: readonly string[] = []): string {
  if (choices.length > 0) return linesOf(choices.map((choice) => [choice]));
  const [, kind = ''] = /[<[]([a-z]+)/.exec(flags) ?? [];
  // A source is a URL, a file or a mirror.
  if (kind === 'file' || kind === 'source') return ':file\n';
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
