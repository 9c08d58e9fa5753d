/**
 * Reads a stream to its end, and no further than `maxBytes` of it.
 *
 * @param onProgress told how many bytes there are, as they come
 * @throws what `tooLarge` makes, where there is more
 */
export async function collectAtMost(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  onProgress: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
    onProgress(size);
  }
  return Buffer.concat(chunks, size);
}
