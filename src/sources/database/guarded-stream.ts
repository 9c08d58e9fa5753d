import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * An established connection in the form that `pg` expects. It passes on data up to a number of bytes. If `pg` throws on
 * a message that it cannot read, that ends the connection and not the program.
 */
export class GuardedStream extends Duplex {
  readonly #socket: Socket;
  #left: number;

  /** @param tooLarge the error with which the connection ends if more than `maxBytes` arrive */
  constructor(socket: Socket, maxBytes: number, tooLarge: () => Error) {
    super();
    this.#socket = socket;
    this.#left = maxBytes;
    socket.on('data', (chunk: Buffer) => {
      this.#left -= chunk.length;
      if (this.#left < 0) {
        this.destroy(tooLarge());
        return;
      }
      try {
        this.emit('data', chunk);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Called by `pg`, which would connect itself. */
  connect(): this {
    setImmediate(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    this.#socket.setNoDelay();
    return this;
  }

  override _read(): void {
    // Data is passed on as it arrives.
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    // The goodbye is on its way; the reaction of the other end does not matter.
    this.#socket.end(() => {
      this.#socket.destroy();
      done();
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
