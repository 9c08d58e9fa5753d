import {
  type Candidates,
  type CommandPath,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type CompletedValue,
  withDescendants,
} from './command-tree.js';
import { quotePosix } from './shell-quote.js';

/** Completion for zsh: a function for each command. The text can be evaluated, or put into `fpath` as `_lightspan`. */
export function renderZshCompletion({ root, executables }: CompletedProgram): string {
  const names = executables.map(({ name }) => name).join(' ');
  return `#compdef ${names}
# zsh completion for ${names.replace(' ', ' and ')}; it is written by: lightspan completion zsh

${withDescendants(root).map(renderFunction).join('\n\n')}

_lightspan() {
  case $service in
${executables.map(({ name, path }) => `    ${name}) ${functionOf(path)} ;;`).join('\n')}
  esac
}

if [[ $funcstack[1] == _lightspan ]]; then
  _lightspan "$@"
else
  compdef _lightspan ${names}
fi
`;
}

function renderFunction(command: CompletedCommand): string {
  const { path, commands, options, operands } = command;
  const specs = options.flatMap(optionSpecs);
  if (commands.length === 0) {
    return `${functionOf(path)}() {
  _arguments -s -S : ${[...specs, ...operands.map(valueSpec)].map(quotePosix).join(' \\\n    ')}
}`;
  }
  return `${functionOf(path)}() {
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  _arguments -C : ${[...specs, '1:command:->command', '*::argument:->argument'].map(quotePosix).join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
${commands.map((child) => `        ${quotePosix(`${child.path.at(-1)}:${escapeColons(child.description)}`)}`).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${commands.map((child) => `        ${child.path.at(-1)}) ${functionOf(child.path)} ;;`).join('\n')}
      esac
      ;;
  esac
}`;
}

function functionOf(path: CommandPath): string {
  return ['_lightspan_program', ...path].join('__');
}

/** One spec for each flag; once one is typed, none is offered again. An optional value follows `=`. */
function optionSpecs({ flags, description, value }: CompletedOption): string[] {
  const excluded = flags.length > 1 ? `(${flags.join(' ')})` : '';
  return flags.map((flag) => {
    if (value === undefined) return `${excluded}${flag}[${escapeBrackets(description)}]`;
    const name = flag.startsWith('--') ? `${flag}=${value.required ? '' : '-'}` : `${flag}+`;
    return `${excluded}${name}[${escapeBrackets(description)}]${valueSpec(value)}`;
  });
}

function valueSpec({ name, required, candidates }: CompletedValue): string {
  return `${required ? ':' : '::'}${escapeColons(name)}:${actionOf(candidates)}`;
}

function actionOf(candidates: Candidates): string {
  if (candidates === 'any') return '';
  if (candidates === 'file') return '_files';
  if (candidates === 'folder') return '_files -/';
  return `(${candidates.join(' ')})`;
}

function escapeColons(text: string): string {
  return text.replaceAll(/[\\:]/g, '\\$&');
}

function escapeBrackets(text: string): string {
  return text.replaceAll(/[\\[\]]/g, '\\$&');
}
