import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRefusedStatement } from '../../src/core/refused-statement.js';
import { openSession } from '../../src/rehearsal/session.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A server that answers every connection with one error, as PostgreSQL writes it. */
async function serverThatSays(sqlState: string, message: string): Promise<string> {
  const folder = temporaryFolder();
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  onTestFinished(() => void server.close());
  return folder;
}

const failureOf = async (sqlState: string, message: string) => {
  const host = await serverThatSays(sqlState, message);
  return openSession({ host, port: 5432 }, 'lightdash', 'lightdash').catch((error: unknown) => error);
};

it.each([
  ['57P01', 'terminating connection due to administrator command'],
  ['57P02', 'terminating connection because of crash of another server process'],
  ['57P03', 'the database system is in recovery mode'],
])('names the server that is gone: %s', async (sqlState, message) => {
  const failure = await failureOf(sqlState, message);
  expect(failure).toMatchObject({
    code: 'unreadable-source',
    message: `the server of the copy does not answer: ${message}`,
  });
  // It would be filed under what the dump says.
  expect(isRefusedStatement(failure)).toBe(false);
});

it('says what a server that is there refuses', async () => {
  const failure = await failureOf('3D000', 'database "lightdash" does not exist');
  expect(failure).toMatchObject({ message: 'database "lightdash" does not exist' });
  expect(isRefusedStatement(failure)).toBe(true);
});
