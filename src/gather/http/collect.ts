type Chunks = AsyncIterable<Uint8Array> | readonly Uint8Array[];

/**
 * Reads a stream to its end, at most `maxBytes` of it.
 *
 * @throws the error of `tooLarge` if there are more
 */
export async function collectAtMost(
  source: Chunks,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const take = (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  };
  if (isStream(source)) await takeAll(source, take);
  else for await (const chunk of source) take(chunk);
  return Buffer.concat(chunks);
}

type Stream = AsyncIterable<Uint8Array> &
  NodeJS.ReadableStream & { readonly destroy: (error?: Error) => unknown };

function isStream(source: Chunks): source is Stream {
  return 'on' in source && 'destroy' in source;
}

/** By events: iterating over an index takes a stream of Node 2 ms more. */
function takeAll(stream: Stream, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((done, fail) => {
    stream.on('data', (chunk: Uint8Array) => {
      try {
        take(chunk);
      } catch (error) {
        stream.destroy();
        fail(error);
      }
    });
    stream.on('end', done);
    stream.on('error', fail);
    stream.on('close', () => fail(new Error('the other end closed the connection')));
  });
}
