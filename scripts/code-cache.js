import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Keeps what V8 has compiled of the program by the end of a check, behind the source that it was compiled from.
 * `bin/lightspan.cjs` starts with it: Node does the like by itself from 22.8 on. It is for the Node that runs this, and
 * no part of the package.
 */
const file = resolve('dist/program/main.cjs');
const isChecking = process.argv.includes('--check');
if (isChecking) await keepCompiled();
else if (module.enableCompileCache === undefined) {
  // In a process of its own, for a check says its answer.
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--check'], {
    stdio: 'ignore',
    env: {},
  });
  if (status !== 0) throw new Error(`the check that was to be kept compiled ended with ${status}`);
}

async function keepCompiled() {
  const source = readFileSync(file);
  const script = new Script(module.wrap(source.toString()), { filename: file });
  const program = { exports: {} };
  script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file));
  // The program ends the process as soon as its answer is written.
  process.on('exit', () => {
    const { version, platform, arch } = process;
    const aside = `${file}.cache.new`;
    writeFileSync(aside, Buffer.concat([source, script.createCachedData()]));
    renameSync(aside, `${file}.${version}-${platform}-${arch}.cache`);
  });
  const check = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0'];
  await program.exports.main([...check, '--index', 'fixtures/release-safety-index.json']);
}
