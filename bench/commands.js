import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { answerAsInstance } from './every-command.js';

/** The program of docs/jq.md, which asks jq the same question. */
const [, jqProgram] = /jq -ne [^']*'\n([\s\S]*?)\n'/.exec(
  readFileSync(new URL('../docs/jq.md', import.meta.url), 'utf8'),
);

export const jqCheck = (index, from, to, program = 'jq') => [
  ...[program, '-ne', '--arg', 'from', from, '--arg', 'to', to],
  jqProgram,
  index,
];

/** `curl | jq`, for an index behind a URL. */
export const curlJqCheck = (url, from, to) => [
  'sh',
  '-c',
  'curl --fail --silent "$0" | jq -ne --arg from "$1" --arg to "$2" "$3"',
  url,
  from,
  to,
  jqProgram,
];

export const isInstalled = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** An instance that answers every request of a command at once. */
export async function startInstance() {
  const server = createServer(answerAsInstance);
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
