import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Types lines into a shell at a terminal of its own, and returns what it ran: a list of arguments a line. `⇥` is the
 * tab key. `lightspan` and `upgrade-check` are stubs that say what they were given.
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
  writeFileSync(rc, `${stubs[shell]}\n${setup}\n`);
  return new Promise((done, fail) => {
    // util-linux: a terminal, and the shell in it.
    const terminal = spawn('script', ['-qfec', starts[shell](rc), '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ZDOTDIR: folder, TERM: 'xterm', COLUMNS: '200' },
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

const posixStubs = `PS1='${prompt}'
lightspan() { printf 'RAN'; printf '<%s>' "$@"; echo; }
upgrade-check() { lightspan "$@"; }`;

const stubs: Record<Shell, string> = {
  bash: posixStubs,
  zsh: posixStubs,
  fish: `function fish_prompt; printf '${prompt}'; end
function fish_greeting; end
function lightspan; printf 'RAN'; printf '<%s>' $argv; echo; end
function upgrade-check; lightspan $argv; end`,
};

function argumentsIn(screen: string): string[][] {
  // Where a line starts, a terminal may be told of colours first.
  return [...stripVTControlCharacters(screen).matchAll(/^\r*RAN<(.*)>\r?$/gm)].map(([, words = '']) =>
    words.split('><'),
  );
}
