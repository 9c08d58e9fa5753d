import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * Serves a file on loopback, from a process that only waits meanwhile, or 304 to whoever has it by its `etag`.
 *
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveFile(file, headers) {
  const body = readFileSync(file);
  const server = createServer((request, response) => {
    const isKept = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
    response.writeHead(isKept ? 304 : 200, headers).end(isKept ? undefined : body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/release-safety-index.json`,
    close: () => server.close(),
  };
}
