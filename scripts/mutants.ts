import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { folders } from './mutant-folders.js';

/**
 * Breaks one folder, one small place at a time, against the tests that concern it, and tells the score:
 * `npm run suite -- mutants <folder>`, with the files of it behind that where not all are meant. Without a folder, all
 * of them, one after the other.
 */
interface Run {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/** Below it, a folder that judges fails. */
const leastScore = 95;

const [asked, ...files] = process.argv.slice(2);
if (asked !== undefined && !Object.hasOwn(folders, asked)) {
  process.stderr.write(`There is no folder ${asked}; there are: ${Object.keys(folders).join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const folder of asked === undefined ? Object.keys(folders) : [asked]) runFolder(folder);
}

function runFolder(name: string): void {
  const { mutate, judges } = folders[name] ?? { mutate: [], judges: false };
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
  const fates = Object.values(run.files).flatMap(({ mutants }) => mutants.map((mutant) => mutant.status));
  const countOf = (...of: readonly string[]) => fates.filter((fate) => of.includes(fate)).length;
  const killed = countOf('Killed', 'Timeout');
  const alive = countOf('Survived', 'NoCoverage');
  const score = (100 * killed) / (killed + alive);
  process.stdout.write(`${name}: ${killed} mutants killed, ${alive} alive: ${score.toFixed(2)} %\n`);
  // Where nothing was broken the score is no number.
  if (!(score >= (judges ? leastScore : 0))) process.exitCode = 1;
}
