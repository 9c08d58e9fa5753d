import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lazyChildProcess, shared, withoutNative } from './bundle-options.js';

/**
 * Builds `build/lightspan`: the program and the Node that runs this, in one executable (nodejs.org, "Single
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
await build({
  ...shared,
  stdin: {
    contents: `import { main } from './src/launch/main.js'; main(process.argv.slice(2));`,
    resolveDir: process.cwd(),
  },
  outfile: script,
  format: 'cjs',
  minify: true,
  plugins: [lazyChildProcess, withoutNative],
  // A single executable has no file to import. What is imported lazily is still run only when it is asked for.
  supported: { 'dynamic-import': false },
});

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

/** What a tool says is shown where it fails: postject warns of sections that do not matter. */
function run(command, ...args) {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
