import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { nodeUnderTest } from '../support/node-under-test.js';
import { realIndexFile } from '../support/real-index.js';
import { serve, serveTcp } from '../support/server.js';

/** What takes longer than two seconds says on a terminal that it goes on, and nothing of it in a pipe. */

/** A database that never answers, and an instance that is never ready. */
const commands: readonly (readonly [name: string, start: () => Promise<string>, waits: RegExp])[] = [
  [
    'upgrade-preflight of a database',
    async () => {
      const { port } = await serveTcp(() => {});
      const database = `--database postgresql://joe@127.0.0.1:${port}/bi`;
      return `upgrade-preflight --from 1.121.0 --to 1.122.0 --index ${realIndexFile} --timeout 3 ${database}`;
    },
    /Reading the database: [12] s/,
  ],
  [
    'upgrade-verify of an instance',
    async () => {
      const { url } = await serve((_, response) => {
        response.writeHead(503).end('{"status":"not_ready","reason":"schema_pending"}');
      });
      return `upgrade-verify --instance ${url} --version 1.121.0 --window 3s --interval 1s`;
    },
    /[12] s of 3 s: .*not ready/,
  ],
];

/** What a shell line writes to the terminal that it has. */
async function typed(line: string): Promise<string> {
  const { PATH = '' } = process.env;
  const terminal = spawn('script', ['-qfec', line, '/dev/null'], { env: { PATH, TERM: 'xterm' } });
  let screen = '';
  for await (const part of terminal.stdout) screen += part;
  return screen;
}

it.each(commands)('%s', async (_, start, waits) => {
  const line = `${nodeUnderTest} bin/lightspan.cjs ${await start()}`;
  const [seen, piped] = await Promise.all([typed(line), typed(`${line} 2>&1 | cat`)]);
  const cleared = '\r\u001b[K';
  const shown = seen.split(cleared).filter((part) => waits.test(part));
  expect(shown.length).toBeGreaterThan(0);
  // No line of it is left on the screen.
  for (const part of shown) expect(part).not.toContain('\n');
  expect(piped).not.toMatch(waits);
  expect(piped).not.toContain('\u001b[K');
});
