import type { IncomingMessage } from 'node:http';

/** An answer as far as it is used here: one of fetch, or of `getByNode`. */
export interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: Body | null;
}

type Body = AsyncIterable<Uint8Array> & { readonly cancel: () => unknown };

/** The limits of undici; `fault.ts` reads its messages. */
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 300_000;

/**
 * A GET that goes to its server directly, by Node's own client: it is loaded in a third of the time of fetch. Redirects
 * are not followed. The connection is pooled, and keeps no process alive.
 */
export async function getByNode(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Received> {
  // The module's object, not its exported names: what observes or answers requests replaces functions of that object.
  const { default: http } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const sent = http.request(url, {
      headers: { accept: '*/*', 'accept-encoding': 'gzip, br', ...headers },
      signal,
      // As fetch does.
      joinDuplicateHeaders: true,
      timeout: idleTimeoutMs,
    });
    const endWith = (message: string, code: string) =>
      sent.destroy(Object.assign(new Error(message), { code }));
    const unconnected = `no connection within ${connectTimeoutMs / 1000} s`;
    const connecting = setTimeout(endWith, connectTimeoutMs, unconnected, 'UND_ERR_CONNECT_TIMEOUT');
    sent.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    sent.on('timeout', () => endWith('nothing came for 300 s', 'UND_ERR_BODY_TIMEOUT'));
    sent.on('response', done);
    sent.on('error', fail);
    sent.on('close', () => clearTimeout(connecting));
    sent.end();
  });
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  // fetch fails on 407 too: only a proxy may answer so, and none was used.
  if (status === 407) {
    response.destroy();
    throw new Error('Proxy Authentication Required');
  }
  return {
    status,
    statusText,
    headers: { get: (name) => [response.headers[name] ?? []].flat().join(', ') || null },
    body: await decoded(response),
  };
}

/** Closes the pooled connections that nothing is requested on. */
export async function closeIdleConnections(): Promise<void> {
  const modules = await Promise.all([import('node:http'), import('node:https')]);
  for (const { globalAgent } of modules) {
    for (const socket of Object.values(globalAgent.freeSockets).flat()) socket?.destroy();
  }
}

/** The body, decompressed. A coding that is not known is left in place: the reader of the body will refuse it. */
async function decoded(response: IncomingMessage): Promise<Body> {
  const codings = (response.headers['content-encoding'] ?? '').toLowerCase().match(/[^\s,]+/g) ?? [];
  const cancel = () => response.destroy();
  if (codings.length === 0) return Object.assign(response, { cancel });
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  // As fetch does: of a body that is cut short comes what there is of it, and whoever reads that judges it.
  const partial = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const { BROTLI_OPERATION_FLUSH: flush } = constants;
  const decoders = {
    gzip: () => createGunzip(partial),
    'x-gzip': () => createGunzip(partial),
    deflate: () => createInflate(partial),
    br: () => createBrotliDecompress({ flush, finishFlush: flush }),
  };
  const knownDecoders = Object.entries(decoders);
  const steps = codings.toReversed().map((coding) => knownDecoders.find(([name]) => name === coding)?.[1]);
  if (steps.length > mostCodings || steps.includes(undefined)) return Object.assign(response, { cancel });
  const { pipeline } = await import('node:stream');
  const plain = steps.reduce<NodeJS.ReadableStream>(
    (coded, decode) => (decode === undefined ? coded : pipeline(coded, decode(), () => {})),
    response,
  );
  return Object.assign(plain as unknown as AsyncIterable<Uint8Array>, { cancel });
}

/** As many as fetch takes. */
const mostCodings = 5;
