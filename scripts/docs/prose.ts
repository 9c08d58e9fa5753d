import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

/** Where the prose is kept that is written by hand, beside the pages that are made of it. */
const proseFolder = 'docs/prose';

/** Every piece of prose by name, with the output of each command line that it shows. */
export async function readProse(): Promise<ReadonlyMap<string, string>> {
  const prose = new Map<string, string>();
  for (const file of readdirSync(proseFolder).sort()) {
    const text = quoteTranscripts(readFileSync(join(proseFolder, file), 'utf8'));
    prose.set(file.replace(/\.md$/, ''), await showOutputs(text));
  }
  return prose;
}

/**
 * A block such as `from jobs/helm-to-the-newest: upgrade-plan, 12 lines` gets that command line and so much of its output
 * (without a number, all of it) from the transcripts, which a test holds to what the program prints.
 */
function quoteTranscripts(text: string): string {
  return text.replaceAll(
    /^```console\nfrom ([\w/-]+): ([\w-]+(?: [\w-]+)*?)(?:, (\d+) lines)?\n```$/gm,
    (_, file: string, command: string, count?: string) => {
      const transcript = readFileSync(`test/transcripts/${file}.txt`, 'utf8');
      const runs = transcript
        .split(/^(?=\$ )/m)
        .filter((run) => /^\s/.test(run.split(`$ lightspan ${command}`)[1] ?? ''));
      const [run] = runs;
      if (run === undefined) throw new Error(`${file} has no run of ${command}`);
      const lines = run
        .replace(/^--- [\s\S]*/m, '')
        .replaceAll('http://<instance>', 'https://bi.example.com')
        .replaceAll('<fixtures>', 'mirror')
        .trimEnd()
        .split('\n');
      const shown = count === undefined ? lines : lines.slice(0, Number(count) + 1);
      const rest = shown.length < lines.length ? ['…'] : [];
      return ['```console', ...shown, ...rest, '```'].join('\n');
    },
  );
}

/**
 * A block that begins with `explain` or `known-issues`, or a command line of ours on a file of `fixtures/`, gets what
 * that writes. `| jq` lays it out.
 */
async function showOutputs(text: string): Promise<string> {
  const commands =
    /^```console\n\$ lightspan ((?:explain|known-issues) .*?|.*fixtures\/.*?)( \| jq)?\n```$/gm;
  let whole = '';
  let end = 0;
  for (const match of text.matchAll(commands)) {
    const [block, argv = '', jq] = match;
    const { exitCode, stdout, shown } = await runCommand(
      argv.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1')),
    );
    if (exitCode > 1) throw new Error(`lightspan ${argv} ends with exit code ${exitCode}`);
    const output = jq === undefined ? shown : `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`;
    whole += `${text.slice(end, match.index)}\`\`\`console\n$ lightspan ${argv}${jq ?? ''}\n${output}\`\`\``;
    end = match.index + block.length;
  }
  return whole + text.slice(end);
}
