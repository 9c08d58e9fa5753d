#!/usr/bin/env node
'use strict';

// Answers as `lightdash upgrade-check` does, for scripts that are written for it: nine keys or nothing on standard output,
// exit 0 or 1, and a release version on both sides before anything is fetched.
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const [command, ...rest] = process.argv.slice(2);
const argv = command === 'upgrade-check' ? rest : process.argv.slice(2);

process.exitCode = 1;
const wrong = ['--from', '--to'].find((option) => !/^\d+\.\d+\.\d+$/.test(textBehind(option)));
if (command !== undefined && command !== 'upgrade-check' && !command.startsWith('-')) {
  process.stderr.write(
    `lightdash-upgrade-check answers only upgrade-check, not ${JSON.stringify(command)}\n`,
  );
} else if (wrong === undefined) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(__dirname, 'lightspan.cjs'), 'upgrade-check', ...argv],
    { stdio: ['inherit', 'pipe', 'inherit'], maxBuffer: Number.POSITIVE_INFINITY },
  );
  if (status === 0 || status === 1) process.stdout.write(stdout);
  if (status === 0) process.exitCode = 0;
} else {
  process.stderr.write(`${wrong} must be a release version\n`);
}

function textBehind(option) {
  const at = argv.findIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  const [, value] = /=([\s\S]*)$/.exec(argv[at] ?? '') ?? [];
  return value ?? argv[at + 1] ?? '';
}
