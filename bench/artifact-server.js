import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * Forked by the benchmark: serves on loopback, 20 ms a response, the artifacts of the releases 1.0.0, 1.1.0, 1.2.0 …,
 * each of them true, and sends its port to its parent.
 */

const plain = JSON.parse(
  readFileSync(new URL('../fixtures/artifacts/1.121.0.json', import.meta.url), 'utf8'),
);

const server = createServer((request, response) => {
  const version = request.url.slice(1);
  const minor = Number(version.split('.')[1]);
  const previousVersion = minor === 0 ? null : `1.${minor - 1}.0`;
  const upgrade = { minPreviousVersion: null, requiredStops: [] };
  const body = JSON.stringify({ ...plain, version, previousVersion, upgrade }, null, 2);
  setTimeout(() => response.end(body), 20);
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
