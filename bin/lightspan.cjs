#!/usr/bin/env node
'use strict';

const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');

const file = join(__dirname, '../dist/program/main.cjs');

/** Node keeps what it has compiled from 22.8 on; before that, the build does, for the Node that built. */
function load() {
  if (Module.enableCompileCache !== undefined) {
    Module.enableCompileCache();
    return require(file);
  }
  const { version, platform, arch } = process;
  const source = readFileSync(file);
  let kept;
  try {
    kept = readFileSync(`${file}.${version}-${platform}-${arch}.cache`);
  } catch {
    return require(file);
  }
  // In front stands what was compiled: of any other source, nothing is taken.
  if (!kept.subarray(0, source.length).equals(source)) return require(file);
  const { Script } = require('node:vm');
  const script = new Script(Module.wrap(source.toString()), {
    filename: file,
    cachedData: kept.subarray(source.length),
  });
  const module = new Module(file);
  // Its other parts require it in turn, and are to find this one.
  require.cache[file] = module;
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, dirname(file));
  return module.exports;
}

let program;
try {
  program = load();
} catch (error) {
  // Node would end in 1, which means "no": 3 is that no answer could be had.
  process.exitCode = 3;
  const [reason] = String(error?.message ?? error).split('\n');
  process.stderr.write(
    `lightspan: the built program cannot be loaded; in a clone, npm run build makes it (${reason})\n`,
  );
}
program?.main(process.argv.slice(2));
