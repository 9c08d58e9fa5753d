/**
 * Reads a stream to its end, at most `maxBytes` of it.
 *
 * @param onProgress called with the number of bytes so far, as they come
 * @throws the error of `tooLarge` if there are more
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
