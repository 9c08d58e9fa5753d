import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { GuardedStream } from '../../../src/sources/database/guarded-stream.js';
import { serveTcp } from '../../support/server.js';

const tooLarge = () => new Error('too much came');

/** A stream over a connection, and the other end of it. */
async function connected(maxBytes = 10) {
  let other: Socket | undefined;
  const { port } = await serveTcp((socket) => {
    other = socket;
    socket.on('error', () => undefined);
  });
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  await expect.poll(() => other).toBeDefined();
  const stream = new GuardedStream(socket, maxBytes, tooLarge);
  onTestFinished(() => {
    stream.destroy();
  });
  return { stream, socket, other: other as Socket };
}

const endOf = (stream: GuardedStream) =>
  new Promise((done) => {
    stream.once('error', done).once('close', () => done('closed'));
  });

it('hands over what comes, as much as it may be', async () => {
  const { stream, other } = await connected(4);
  const came: string[] = [];
  stream.on('data', (chunk) => came.push(String(chunk)));
  other.write('four');
  await expect.poll(() => came.join('')).toBe('four');
  expect(stream.destroyed).toBe(false);
  const end = endOf(stream);
  other.write('.');
  expect(await end).toEqual(tooLarge());
  expect(came.join('')).toBe('four');
});

it('ends where what it hands over cannot be read, and the program does not', async () => {
  const { stream, socket, other } = await connected();
  const fault = new Error('no such message');
  stream.on('data', () => {
    throw fault;
  });
  const end = endOf(stream);
  other.write('x');
  expect(await end).toBe(fault);
  expect(socket.destroyed).toBe(true);
});

it('ends with what the connection ended with', async () => {
  const broken = await connected();
  const fault = new Error('the cable');
  const end = endOf(broken.stream);
  broken.socket.destroy(fault);
  expect(await end).toBe(fault);

  const closed = await connected();
  const ended = endOf(closed.stream);
  closed.other.destroy();
  expect(await ended).toBe('closed');
});

it('writes to the other end, and says what could not be written', async () => {
  const { stream, socket, other } = await connected();
  stream.write('hello');
  expect(String((await once(other, 'data'))[0])).toBe('hello');
  const fault = new Error('no more');
  socket.write = ((_: unknown, done: (error: Error) => void) => {
    done(fault);
    return false;
  }) as never;
  const end = endOf(stream);
  stream.write('more');
  expect(await end).toBe(fault);
});

it('takes its leave, and does not wait for an answer', async () => {
  const { stream, socket, other } = await connected();
  other.pause();
  stream.end('bye');
  await once(stream, 'finish');
  expect(socket.destroyed).toBe(true);
});
