import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { folders } from './mutant-folders.js';

/**
 * Breaks one folder, one small place at a time, against the tests that concern it, and tells the score:
 * `npm run test:mutants -- <folder>`, with the files of it behind that where not all are meant. Without a folder, all of
 * them, one after the other. Where what survives is listed, `test/mutants.md` is held to the run: what no test killed
 * stands there, and nothing else.
 */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Run {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

/** Below it, a folder whose survivors are listed fails. */
const leastScore = 95;

const [asked, ...files] = process.argv.slice(2);
if (asked !== undefined && !Object.hasOwn(folders, asked)) {
  process.stderr.write(`There is no folder ${asked}; there are: ${Object.keys(folders).join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const folder of asked === undefined ? Object.keys(folders) : [asked]) runFolder(folder);
}

function runFolder(name: string): void {
  const { mutate, listed } = folders[name] ?? { mutate: [], listed: false };
  const { status, signal } = spawnSync(
    'npx',
    ['stryker', 'run', '--mutate', (files.length === 0 ? mutate : files).join(',')],
    {
      stdio: 'inherit',
      env: { ...process.env, LIGHTSPAN_MUTANTS_OF: name },
    },
  );
  if (status !== 0) {
    process.stderr.write(`${name}: no score, for stryker ended with ${signal ?? status}\n`);
    process.exitCode = 1;
    return;
  }
  const run: Run = JSON.parse(readFileSync('coverage/mutants.json', 'utf8'));
  const { killed, alive } = countFates(run);
  const score = (100 * killed) / (killed + alive);
  process.stdout.write(`${name}: ${killed} mutants killed, ${alive} alive: ${score.toFixed(2)} %\n`);
  if (listed && (findUnlisted(run) > 0 || score < leastScore)) process.exitCode = 1;
}

function countFates({ files }: Run): { readonly killed: number; readonly alive: number } {
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  return { killed, alive: mutants.filter(isAlive).length };
}

function isAlive({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

/** How many mutants are not as `test/mutants.md` has them; files that were not part of the run are passed over. */
function findUnlisted({ files }: Run): number {
  const listed = readList(readFileSync('test/mutants.md', 'utf8'));
  let faults = 0;
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const found = new Set(mutants.filter(isAlive).map((mutant) => describe(source, mutant)));
    const expected = listed.get(file) ?? new Set();
    const unlisted = [...found].filter((mutant) => !expected.has(mutant));
    const gone = [...expected].filter((mutant) => !found.has(mutant));
    report(file, 'survives, and is not listed', unlisted);
    report(file, 'is listed, and does not survive', gone);
    faults += unlisted.length + gone.length;
  }
  return faults;
}

function report(file: string, what: string, mutants: readonly string[]): void {
  for (const mutant of mutants) process.stdout.write(`${file}: ${what} in test/mutants.md:\n${mutant}\n\n`);
}

/** The lines that a mutant stands on, before and after, as a diff has them. */
function describe(source: string, { location: { start, end }, replacement = '' }: Mutant): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const before = lines.join(' ');
  const head = lines[0]?.slice(0, start.column - 1);
  const tail = lines.at(-1)?.slice(end.column - 1);
  return diffOf(before, `${head}${replacement}${tail}`);
}

function diffOf(before: string, after: string): string {
  return [`- ${before}`, `+ ${after}`].map((line) => line.replaceAll(/\s+/g, ' ').trim()).join('\n');
}

/** The mutants of each file: in its section, each line `+` with the line `-` before it. */
function readList(markdown: string): Map<string, Set<string>> {
  const listed = new Map<string, Set<string>>();
  let file = '';
  let before = '';
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) file = line.slice(3);
    else if (line.startsWith('- ')) before = line.slice(2);
    else if (line.startsWith('+ ')) {
      listed.set(file, (listed.get(file) ?? new Set()).add(diffOf(before, line.slice(2))));
    }
  }
  return listed;
}
