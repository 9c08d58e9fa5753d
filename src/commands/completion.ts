import packageJson from '../../package.json' with { type: 'json' };
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { CommandContext } from './context.js';
import { defineCommand, type OptionsOf, type OptionTable } from './declare.js';

const takes = {
  shell: { flags: '<shell>', description: 'the shell it is for', choices: ['bash', 'zsh', 'fish'] },
} as const satisfies OptionTable;

export const command = defineCommand({
  takes,
  exitCodes: { 0: 'the script is written', 2: 'the request is wrong' },
  examples: [
    'source <(lightspan completion bash)                                  # in ~/.bashrc',
    'source <(lightspan completion zsh)                                   # in ~/.zshrc, after compinit',
    'lightspan completion fish | source                                   # in ~/.config/fish/config.fish',
  ],
  run: completion,
});

/** `lightspan completion`: the script of a shell. */
export function completion({ shell }: OptionsOf<typeof takes>, { stdout }: CommandContext): ExitCode {
  stdout.write(completionScripts[shell]);
  return exitCodes.yes;
}

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
  [[ $current == = ]] && current=''
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
    :file | :folder)
      [[ $PREFIX == --*=* ]] && compset -P '*='
      if [[ $said[1] == :file ]]; then _files; else _files -/; fi
      ;;
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
    set -l flag (string match -r -- '^--[^=]*=' "$current")
    set -l path (string replace -r -- '^--[^=]*=' '' "$current")
    switch "$said[1]"
        case :file
            __fish_complete_path "$path" | string replace -r '^' -- "$flag"
        case :folder
            __fish_complete_directories "$path" | string replace -r '^' -- "$flag"
        case '*'
            printf '%s\\n' $said
    end
end

for executable in ${names}
    complete -c $executable -f -a '(__lightspan_complete)'
end
`,
} as const;
