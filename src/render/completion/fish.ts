import {
  type Candidates,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  withDescendants,
} from './command-tree.js';
import { quoteFish } from './shell-quote.js';

/** Completion for fish: lines that each apply at one position, which `__lightspan_at` finds. */
export function renderFishCompletion({ root, executables }: CompletedProgram): string {
  const commands = withDescendants(root);
  return `# fish completion for ${executables.map(({ name }) => name).join(' and ')}; it is written by: lightspan completion fish

function __lightspan_at --argument-names wanted
    set -l words (commandline -opc)
    set -l at ''
    switch (string replace -r '.*/' '' -- $words[1])
${executables.map(({ name, path }) => `        case ${name}\n            set at ${quoteFish(path.join(' '))}`).join('\n')}
    end
    set -l skip 0
    for word in $words[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$at $word"
${commands.flatMap(describeSteps).join('\n')}
        end
    end
    test "$at" = "$wanted"
end

for executable in ${executables.map(({ name }) => name).join(' ')}
    complete -c $executable -f
${commands
  .flatMap(completions)
  .map((line) => `    ${line}`)
  .join('\n')}
end
`;
}

/** Where a word leads: to a command, or past the value that follows it. */
function describeSteps({ path, commands, options }: CompletedCommand): string[] {
  const at = path.join(' ');
  const valued = options.filter(({ value }) => value?.required === true).flatMap(({ flags }) => flags);
  return [
    ...commands.map(
      (child) =>
        `            case ${quoteFish(`${at} ${child.path.at(-1)}`)}\n                set at ${quoteFish(child.path.join(' '))}`,
    ),
    ...(valued.length === 0
      ? []
      : [
          `            case ${valued.map((flag) => quoteFish(`${at} ${flag}`)).join(' ')}\n                set skip 1`,
        ]),
  ];
}

function completions({ path, commands, options, operands }: CompletedCommand): string[] {
  const condition = quoteFish(`__lightspan_at "${path.join(' ')}"`);
  const start = `complete -c $executable -n ${condition}`;
  return [
    ...commands.map(
      (child) => `${start} -a ${quoteFish(child.path.at(-1) ?? '')} -d ${quoteFish(child.description)}`,
    ),
    ...options.map((option) => `${start} ${describeOption(option)}`),
    ...operands.flatMap(({ candidates }) =>
      candidates === 'any' ? [] : [`${start} ${describeCandidates(candidates)}`],
    ),
  ];
}

function describeOption({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takesValue = value?.required !== true ? '' : value.candidates === 'file' ? '-r' : '-x';
  const of = value === undefined ? [] : [takesValue, describeCandidates(value.candidates)];
  return [...names, ...of, `-d ${quoteFish(description)}`].filter((part) => part !== '').join(' ');
}

function describeCandidates(candidates: Candidates): string {
  if (candidates === 'any') return '';
  if (candidates === 'file') return '-F';
  if (candidates === 'folder') return "-a '(__fish_complete_directories)'";
  return `-a ${quoteFish(candidates.join(' '))}`;
}
