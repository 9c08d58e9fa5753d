import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Builds `build/lightspan`: the program in dist/ and the Node that runs this, in one executable (nodejs.org, "Single
 * executable applications"). It is for the platform it is built on.
 */

const folder = 'build';
const executable = join(folder, process.platform === 'win32' ? 'lightspan.exe' : 'lightspan');
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

if (!readFileSync(process.execPath).includes(fuse)) {
  throw new Error(
    `${process.execPath} (Node ${process.version}) was built without single executables, as some distributions do: run this with a Node from nodejs.org`,
  );
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const script = join(folder, 'lightspan.cjs');
writeFileSync(script, oneScript());

const config = join(folder, 'sea-config.json');
const blob = join(folder, 'lightspan.blob');
writeFileSync(
  config,
  JSON.stringify({ main: script, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
);
execFileSync(process.execPath, ['--experimental-sea-config', config], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

copyFileSync(process.execPath, executable);
chmodSync(executable, 0o755);
const isMac = process.platform === 'darwin';
// macOS runs nothing whose signature does not fit: off before, a new one after.
if (isMac) run('codesign', '--remove-signature', executable);
run(
  process.execPath,
  ...['node_modules/postject/dist/cli.js', executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse],
  ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : []),
);
if (isMac) run('codesign', '--sign', '-', executable);

for (const file of [script, config, blob]) rmSync(file);
process.stdout.write(
  `${executable}: ${(statSync(executable).size / 1e6).toFixed(0)} MB, for ${process.platform}-${process.arch}\n`,
);

/**
 * The built program in one file, each of its parts a function that is called when it is first required: Node keeps
 * compiled what is compiled when the file is loaded, and the parts for the commonest questions are. Left out is what
 * another part does too: decide.cjs, for which there is main.cjs, and plain-json.cjs, for which there is plain.cjs.
 */
function oneScript() {
  const program = join('dist', 'program');
  const parts = readdirSync(program)
    .filter((name) => name !== 'decide.cjs' && name !== 'plain-json.cjs')
    .map((name) => {
      const body = `function (module, exports, require) {${readFileSync(join(program, name), 'utf8')}\n}`;
      // V8 compiles at once what stands in parentheses.
      return `${JSON.stringify(`./${name}`)}: ${/^(start|version|help|plain|main)/.test(name) ? `(${body})` : body}`;
    });
  return `'use strict';
const parts = {${parts.join(',\n')}};
const loaded = {};
function load(name) {
  const part = name === './decide.cjs' ? './main.cjs' : name.replace('-json.cjs', '.cjs');
  if (!Object.hasOwn(parts, part)) return require(name);
  if (!Object.hasOwn(loaded, part)) {
    loaded[part] = { exports: {} };
    parts[part](loaded[part], loaded[part].exports, load);
  }
  return loaded[part].exports;
}
const argv = process.argv.slice(2);
load(\`./\${load('./start.cjs').startAlone(argv)}.cjs\`).main(argv);
`;
}

/** What a tool says is shown where it fails: postject warns of sections that do not matter. */
function run(command, ...args) {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
