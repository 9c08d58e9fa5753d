import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type CompletedValue,
  withDescendants,
} from './command-tree.js';
import { quotePosix } from './shell-quote.js';

/**
 * Completion for bash 3.2 and later. `_lightspan_at` lists what may follow a command. `_lightspan_value` lists the
 * values of the preceding option, or of the operand at a position.
 */
export function renderBashCompletion({ root, executables }: CompletedProgram): string {
  const commands = withDescendants(root);
  return `# bash completion for ${executables.map(({ name }) => name).join(' and ')}; it is written by: lightspan completion bash

_lightspan_at() {
  commands= options= valued= optional=
  case $1 in
${commands.map(describeCommand).join('\n')}
  esac
}

_lightspan_value() {
  case "$1 $2" in
${commands.flatMap(describeValues).join('\n')}
  esac
}

_lightspan_files() {
  compopt -o default 2>/dev/null && return
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
}

_lightspan_folders() {
  compopt -o dirnames 2>/dev/null && return
  local IFS=$'\\n'
  COMPREPLY=($(compgen -d -- "$1"))
}

_lightspan() {
  local at='' word pending='' position=0 index commands options valued optional
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  case \${1##*/} in
${executables.map(({ name, path }) => `  ${name}) at=${quotePosix(path.join(' '))} ;;`).join('\n')}
  esac
  _lightspan_at "$at"
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == = && -n $pending ]]; then continue; fi
    if [[ -n $pending && ( " $valued " == *" $pending "* || $word != -* ) ]]; then
      pending=''
    elif [[ " $valued $optional " == *" $word "* ]]; then
      pending=$word
    elif [[ " $commands " == *" $word "* ]]; then
      at=\${at:+$at }$word
      _lightspan_at "$at"
      pending=''
    else
      pending=''
      [[ $word == -* ]] || position=$((position + 1))
    fi
  done
  # bash takes the = of --option=value for a word of its own.
  [[ $current == = ]] && current=''
  if [[ -n $pending ]]; then
    _lightspan_value "$at" "$pending" "$current"
    [[ " $valued " == *" $pending "* || \${COMP_WORDS[COMP_CWORD - 1]} == = || \${#COMPREPLY[@]} -gt 0 ]] && return
  fi
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  else
    _lightspan_value "$at" "$position" "$current"
  fi
}

complete -F _lightspan ${executables.map(({ name }) => name).join(' ')}
`;
}

function describeCommand({ path, commands, options }: CompletedCommand): string {
  const flagsOf = (some: readonly CompletedOption[]) => some.flatMap(({ flags }) => flags).join(' ');
  const lists = {
    commands: commands.map((command) => command.path.at(-1)).join(' '),
    options: flagsOf(options),
    valued: flagsOf(options.filter(({ value }) => value?.required === true)),
    optional: flagsOf(options.filter(({ value }) => value?.required === false)),
  };
  const assignments = Object.entries(lists).flatMap(([name, words]) =>
    words === '' ? [] : [`    ${name}=${quotePosix(words)}`],
  );
  return [`  ${quotePosix(path.join(' '))})`, ...assignments, '    ;;'].join('\n');
}

function describeValues({ path, options, operands }: CompletedCommand): string[] {
  const at = path.join(' ');
  return [
    ...options.flatMap(({ flags, value }) =>
      value === undefined ? [] : flags.flatMap((flag) => describeValue(`${at} ${flag}`, value)),
    ),
    ...operands.flatMap((operand, position) => describeValue(`${at} ${position}`, operand)),
  ];
}

function describeValue(where: string, { candidates }: CompletedValue): string[] {
  if (candidates === 'any') return [];
  const action =
    candidates === 'file'
      ? '_lightspan_files "$3"'
      : candidates === 'folder'
        ? '_lightspan_folders "$3"'
        : `COMPREPLY=($(compgen -W ${quotePosix(candidates.join(' '))} -- "$3"))`;
  return [`  ${quotePosix(where)}) ${action} ;;`];
}
