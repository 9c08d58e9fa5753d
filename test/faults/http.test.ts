import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, describe } from 'vitest';
import { runCli } from '../support/cli.js';
import { listen } from '../support/server.js';
import { itFailsClosed } from './campaign.js';
import { bytesOfIndex, checkOf, documentFault, indexNames, safeInTruth } from './documents.js';
import { byteFault } from './mutations.js';

/** Answers each path with the bytes that were put there, head and body as they are, and closes. */
const answers = new Map<string, Buffer>();
const server = createServer((socket) => {
  socket.on('error', () => {});
  let request = '';
  socket.on('data', (chunk) => {
    request += chunk.toString('latin1');
    if (request.includes('\r\n\r\n')) socket.end(answers.get(request.split(' ')[1] ?? '') ?? '');
  });
});
const origin = `http://127.0.0.1:${await listen(server)}`;
afterAll(() => {
  server.close();
});

const headOf = (body: Buffer) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );

let cases = 0;
async function check(answer: Buffer) {
  const path = `/${cases++}`;
  answers.set(path, answer);
  const outcome = await runCli(checkOf(`${origin}${path}`, '--no-cache', '--timeout', '1'));
  answers.delete(path);
  return outcome;
}

describe('a damaged HTTP answer', () => {
  const anyCase = fc.record({ name: fc.constantFrom(...indexNames), fault: documentFault });

  itFailsClosed('HTTP body', { cases: anyCase, numRuns: 2000, parallel: 16 }, async ({ name, fault }) => {
    const body = fault.apply(bytesOfIndex(name));
    const outcome = await check(Buffer.concat([headOf(body), body]));
    return { damaged: body, outcome, safeInTruth: safeInTruth(body) };
  });

  itFailsClosed(
    'HTTP head',
    {
      cases: fc.record({ name: fc.constantFrom(...indexNames), fault: byteFault }),
      numRuns: 1500,
      parallel: 64,
    },
    async ({ name, fault }) => {
      const body = bytesOfIndex(name);
      const damaged = Buffer.concat([fault.apply(headOf(body)), body]);
      const outcome = await check(damaged);
      return { damaged, outcome, safeInTruth: name === 'safe' };
    },
  );

  const cut = byteFault.filter(({ kind }) => kind === 'truncate');
  itFailsClosed(
    'HTTP answer cut off',
    { cases: fc.record({ name: fc.constantFrom(...indexNames), fault: cut }), numRuns: 500, parallel: 64 },
    async ({ name, fault }) => {
      const body = bytesOfIndex(name);
      const damaged = fault.apply(Buffer.concat([headOf(body), body]));
      const outcome = await check(damaged);
      return { damaged, outcome, safeInTruth: false };
    },
  );
});
