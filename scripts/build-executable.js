import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBun } from './find-bun.js';

/**
 * Builds `build/lightspan`: the program in dist/ and a runtime, in one executable, for the platform it is built on. The
 * runtime is Bun, which starts in a third of the time that Node takes, and keeps all of the program compiled inside.
 */

/** What they run lies together within the executable, the first of them first, and so is read in fewer pieces. */
const oftenRun = [
  ['upgrade-check', '--from', '1.121.0', '--to', '2.134.2', '--json'],
  ['upgrade-check', '--from', '1.121.0', '--to', '2.134.2'],
  ['upgrade-plan', '--from', '1.121.0'],
].map((words) => [...words, '--index', join('fixtures', 'release-safety-index.json')]);

const folder = 'build';
const isWindows = process.platform === 'win32';
const executable = join(folder, isWindows ? 'lightspan.exe' : 'lightspan');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const entry = join(folder, 'lightspan.cjs');
writeFileSync(entry, entryOf(resolve('dist', 'program')));
compile();
const orders = oftenRun.map((commandLine, i) => {
  const order = join(folder, `order-${i}.txt`);
  // It ends in 1 where the answer is no. Without an order, the next step fails.
  spawnSync(executable, commandLine, { env: { BUN_BYTECODE_ORDER_OUT: order } });
  return order;
});
compile(...orders.map((order) => `--bytecode-order=${order}`));
for (const file of [entry, ...orders]) rmSync(file);
process.stdout.write(
  `${executable}: ${(statSync(executable).size / 1e6).toFixed(0)} MB, for ${process.platform}-${process.arch}\n`,
);

/**
 * The runtime compiles what runs often, at the side, for the processor: a check is over before that is worth its time,
 * so it begins a thousand times as late. All of the program, which may read thousands of files, has the usual policy.
 */
function compile(...more) {
  execFileSync(
    findBun(),
    [
      ...['build', entry, '--compile', '--bytecode', '--minify', '--target=bun', `--outfile=${executable}`],
      ...['--compile-jit-policy=1000', ...more],
      // A file of the folder it is started in neither sets variables nor changes how the executable runs.
      ...['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((file) => `--no-compile-autoload-${file}`),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/**
 * What bin/lightspan.cjs does, with the parts of the program inside: one is loaded when it is the one to run. As there,
 * what is thrown while it is loaded is no answer: exit 3.
 */
function entryOf(program) {
  const parts = readdirSync(program).map((file) => {
    const name = file.replace('.cjs', '');
    const usual = name === 'main' ? 'Bun.unsafe.setJITPolicy(1), ' : '';
    return `${JSON.stringify(name)}: () => (${usual}require(${JSON.stringify(join(program, file))}))`;
  });
  return `'use strict';
const parts = {${parts.join(',\n')}};
const argv = process.argv.slice(2);
let program;
try {
  program = parts[parts.start().startExecutable(argv)]();
} catch (error) {
  process.exitCode = 3;
  process.stderr.write(\`lightspan: the program cannot be loaded (\${error})\\n\`);
}
program?.main(argv);
`;
}
