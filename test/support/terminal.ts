import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Types lines into a shell at a terminal of its own, and returns what it ran: a list of arguments a line. `⇥` is the
 * tab key. `lightspan` and `upgrade-check` answer a shell that completes, and otherwise say what they were given.
 *
 * @param setup the lines of that shell that load the completion
 */
export function typeInto(
  shell: Shell,
  setup: string,
  lines: readonly string[],
  folder: string,
): Promise<string[][]> {
  const rc = join(folder, `.${shell}-rc`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(rc, `${prompts[shell]}\n${setup}\n`);
  return new Promise((done, fail) => {
    // util-linux: a terminal, and the shell in it.
    const terminal = spawn('script', ['-qfec', starts[shell](rc), '/dev/null'], {
      cwd: folder,
      env: {
        PATH: pathWithExecutables(folder),
        HOME: folder,
        ZDOTDIR: folder,
        TERM: 'xterm',
        COLUMNS: '200',
      },
    });
    const typed = [...(shell === 'zsh' ? [`source ${rc}`] : []), ...lines, 'exit'];
    let screen = '';
    let prompts = 0;
    terminal.stdout.on('data', (data) => {
      screen += data;
      for (const seen = screen.split(prompt).length - 1; prompts < seen; prompts++) {
        terminal.stdin.write(`${(typed.shift() ?? '').replaceAll('⇥', '\t')}\n`);
      }
    });
    terminal.stdin.on('error', () => {});
    terminal.on('error', fail);
    terminal.on('close', () => done(argumentsIn(screen)));
  });
}

const prompt = 'READY> ';

const starts: Record<Shell, (rc: string) => string> = {
  bash: (rc) => `bash --noprofile --rcfile ${rc} -i`,
  // No file of the user or the system, not even the prompt of the system.
  zsh: () => `PS1='${prompt}' zsh -f -i`,
  fish: (rc) => `fish --no-config -i -C 'source ${rc}'`,
};

const posixPrompt = `PS1='${prompt}'`;

const prompts: Record<Shell, string> = {
  bash: posixPrompt,
  zsh: posixPrompt,
  fish: `function fish_prompt; printf '${prompt}'; end
function fish_greeting; end`,
};

/** The path of programs, with the executables of the package in front. */
function pathWithExecutables(folder: string): string {
  const bin = join(folder, '.executables');
  mkdirSync(bin, { recursive: true });
  for (const name of ['lightspan', 'upgrade-check', 'lightdash-upgrade-check']) {
    const lines = [
      '#!/bin/sh',
      `[ "$1" = __complete ] && exec '${process.execPath}' '${resolve(`bin/${name}.cjs`)}' "$@"`,
      `printf RAN; printf '<%s>' "$@"; echo`,
    ];
    writeFileSync(join(bin, name), `${lines.join('\n')}\n`, { mode: 0o755 });
  }
  return [bin, process.env.PATH].join(delimiter);
}

function argumentsIn(screen: string): string[][] {
  // Where a line starts, a terminal may be told of colours first.
  return [...stripVTControlCharacters(screen).matchAll(/^\r*RAN<(.*)>\r?$/gm)].map(([, words = '']) =>
    words.split('><'),
  );
}
