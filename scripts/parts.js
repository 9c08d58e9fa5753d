import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * What stands behind `npm run build`, `generate`, `suite` and `bench`: `npm run build -- page index.json` runs one part,
 * with the words that follow. Without a part, the first one runs. CONTRIBUTING.md says what each is for.
 */
const node = (script, ...args) => [script, ...args];
const tsx = (script) => ['--import', 'tsx', script];
const vitest = (...args) => ['node_modules/vitest/vitest.mjs', 'run', ...args];
const project = (...names) => vitest(...names.flatMap((name) => ['--project', name]));

const bundles = node('scripts/bundle.js');
const generated = ['styles', 'known-issues', 'backfills', 'releases', 'schemas', 'docs'];

/** The rooms whose tests start no process, and so need no build: Windows and macOS run them too. */
export const roomsWithoutProcesses =
  'core known-issues instance checks merge answer words steps gather pins page'.split(' ');
const unit = [...roomsWithoutProcesses.map((room) => `test/${room}/`), 'test/structure.test.ts'];

/** Each part: the programs that run one after the other, as the arguments of node. */
export const parts = {
  build: {
    all: [node('scripts/build.js')],
    bundles: [bundles],
    types: [node('scripts/bundle-types.js')],
    man: [tsx('scripts/man.ts')],
    page: [tsx('scripts/build-page.ts')],
    executable: [bundles, node('scripts/build-executable.js')],
    container: [node('scripts/container-root.js')],
  },
  generate: {
    all: generated.map((name) => tsx(`scripts/${name}.ts`)),
    ...Object.fromEntries(generated.map((name) => [name, [tsx(`scripts/${name}.ts`)]])),
    dependencies: [tsx('scripts/dependencies.ts')],
    'released-schemas': [node('scripts/released-schemas.js')],
  },
  suite: {
    unit: [[...project('quick'), '--configLoader', 'runner', ...unit]],
    long: [project('long')],
    tools: [project('tools', 'postgres-*')],
    faults: [[...project('faults*'), '--reporter', 'verbose']],
    speed: [project('speed')],
    executable: [project('executable')],
    container: [project('container')],
    nodes: [node('scripts/test-nodes.js')],
    postgres: [node('scripts/test-postgres.js')],
    mutants: [tsx('scripts/mutants.ts')],
  },
  bench: {
    speed: [node('bench/run.js')],
    forecast: [project('forecast')],
    rehearsal: [project('bench-rehearsal')],
  },
};

/** @returns the exit code: of the first program that fails, or 2 if there is no such part */
function run([name = '', ...words]) {
  if (!Object.hasOwn(parts, name)) return refuse('npm run', Object.keys(parts));
  const known = parts[name];
  const [first] = Object.keys(known);
  const [word = first] = words;
  // The figures of a Node, and how they are kept, need no name of a part.
  const isNamed = Object.hasOwn(known, word);
  if (!isNamed && name !== 'bench') return refuse(`npm run ${name} --`, Object.keys(known));
  const programs = known[isNamed ? word : first];
  const rest = isNamed ? words.slice(1) : words;
  for (const [i, program] of programs.entries()) {
    const args = i === programs.length - 1 ? [...program, ...rest] : program;
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function refuse(command, names) {
  process.stderr.write(`There is no such part. Write ${command} ${names.join(' | ')}\n`);
  return 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = run(process.argv.slice(2));
