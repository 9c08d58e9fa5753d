import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * Serves a file on loopback, from a process that only waits meanwhile.
 *
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveFile(file, cacheControl) {
  const body = readFileSync(file);
  const server = createServer((_, response) => {
    response.setHeader('cache-control', cacheControl).end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/release-safety-index.json`,
    close: () => server.close(),
  };
}
