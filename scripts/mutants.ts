import { readFileSync } from 'node:fs';

/**
 * Holds `test/mutants.md` to the run of mutants before it: what no test killed stands there, and nothing else. Files
 * that were not part of the run are passed over. Runs after `npm run test:mutants`.
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

const run: Run = JSON.parse(readFileSync('coverage/mutants.json', 'utf8'));
const listed = readList(readFileSync('test/mutants.md', 'utf8'));
const fates = { killed: 0, alive: 0 };
let faults = 0;

for (const [file, { source, mutants }] of Object.entries(run.files)) {
  const alive = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  fates.alive += alive.length;
  fates.killed += mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const found = new Set(alive.map((mutant) => describe(source, mutant)));
  const expected = listed.get(file) ?? new Set();
  report(
    file,
    'survives, and is not listed',
    [...found].filter((mutant) => !expected.has(mutant)),
  );
  report(
    file,
    'is listed, and does not survive',
    [...expected].filter((mutant) => !found.has(mutant)),
  );
}
const score = (100 * fates.killed) / (fates.killed + fates.alive);
process.stdout.write(`${fates.killed} mutants killed, ${fates.alive} alive: ${score.toFixed(2)} %\n`);
if (faults > 0) process.exitCode = 1;

function report(file: string, what: string, mutants: readonly string[]): void {
  for (const mutant of mutants) process.stdout.write(`${file}: ${what} in test/mutants.md:\n${mutant}\n\n`);
  faults += mutants.length;
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
