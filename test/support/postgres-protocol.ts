import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** A message of PostgreSQL's protocol: its letter, its length, what is in it. */
export function message(type: string, body: Uint8Array | string = '', length?: number): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

export const int32 = (number: number) => Buffer.from([number >> 24, number >> 16, number >> 8, number]);
export const int16 = (number: number) => Buffer.from([number >> 8, number]);

export const welcome = Buffer.concat([message('R', int32(0)), message('Z', 'I')]);
export const columns = (...names: readonly string[]) =>
  Buffer.concat([
    int16(names.length),
    ...names.flatMap((name) => [
      Buffer.from(`${name}\0`),
      Buffer.alloc(6),
      ...[int32(25), int16(-1), int32(-1), int16(0)],
    ]),
  ]);
export const column = columns('observation');
export const row = (...texts: readonly string[]) =>
  message(
    'D',
    Buffer.concat([
      int16(texts.length),
      ...texts.flatMap((text) => [int32(Buffer.byteLength(text)), Buffer.from(text)]),
    ]),
  );
export const answerOf = (values: Readonly<Record<string, string>>) =>
  Buffer.concat([
    message('T', columns(...Object.keys(values))),
    row(...Object.values(values)),
    message('C', 'SELECT 1\0'),
    message('Z', 'T'),
  ]);
export const refusal = (sqlState: string, text: string) =>
  message('E', `SFATAL\0VFATAL\0C${sqlState}\0M${text}\0\0`);

/** A server that lets everybody in, and answers every statement with the same. */
export const answering = (reply: (socket: Socket, text: string) => void) => (socket: Socket) => {
  let isIn = false;
  socket.on('data', (chunk) => {
    if (!isIn) {
      isIn = true;
      socket.write(welcome);
    } else reply(socket, chunk.toString('latin1', 5));
  });
};
