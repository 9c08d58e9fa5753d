#!/usr/bin/env node
'use strict';

const argv = process.argv.slice(2);
let program;
try {
  const { start } = require('../dist/program/start.cjs');
  program = require(`../dist/program/${start(argv, process.env)}.cjs`);
} catch (error) {
  // Node would end in 1, which means "no": 3 is that no answer could be had.
  process.exitCode = 3;
  const [reason] = String(error?.message ?? error).split('\n');
  process.stderr.write(
    `lightspan: the built program cannot be loaded; in a clone, npm run build makes it (${reason})\n`,
  );
}
program?.main(argv);
