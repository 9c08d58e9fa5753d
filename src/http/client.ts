import { LightspanError } from '../errors.js';

export interface GetRequest {
  readonly url: URL;
  /** Bounds the whole of it, body included. */
  readonly timeoutMs: number;
  /** The most that is read of the body, after decoding. */
  readonly maxBytes: number;
  readonly userAgent: string;
}

/**
 * One GET, nothing sent but the request itself.
 *
 * @returns the body of a 200
 * @throws {LightspanError} `timeout`, `network`, `http-status` or `too-large`, naming the URL and what happened
 */
export async function get(request: GetRequest): Promise<Uint8Array> {
  const { url, timeoutMs } = request;
  const started = performance.now();
  const failed = (code: LightspanError['code'], what: string, cause?: unknown) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    return new LightspanError(code, `GET ${url}: ${what}, after ${seconds} s`, { cause });
  };

  try {
    const response = await fetch(url, {
      headers: { 'user-agent': request.userAgent },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200)
      throw failed('http-status', `HTTP ${response.status} ${response.statusText}`.trim());
    return await readAtMost(response, request.maxBytes, () =>
      failed('too-large', `the body is larger than ${request.maxBytes} bytes`),
    );
  } catch (error) {
    if (error instanceof LightspanError) throw error;
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw failed('timeout', `no complete answer within ${timeoutMs / 1000} s`, error);
    }
    throw failed('network', innermostMessage(error), error);
  }
}

async function readAtMost(response: Response, maxBytes: number, tooLarge: () => Error): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** fetch says "fetch failed" and keeps what happened in its cause. */
function innermostMessage(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  if (innermost instanceof AggregateError && innermost.message === '') {
    return innermost.errors.map(innermostMessage).join('; ');
  }
  return innermost instanceof Error ? innermost.message : String(innermost);
}
