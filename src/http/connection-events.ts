import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '../shared/is-record.js';

/**
 * Reports when a request that is about to be made waits for a connection, and when it has one and is on the wire. fetch
 * itself reports neither; undici, which is below it, does (its documented diagnostics channels). A fetch that is not
 * undici's reports nothing.
 *
 * @returns stops it
 */
export function watchConnection(
  method: string,
  url: URL,
  observer: {
    readonly connecting: () => void;
    readonly sent: () => void;
    /**
     * Its headers have arrived: names and values, alternating. fetch reads them afterwards, with any changes made here.
     */
    readonly headers?: (raw: unknown[], status: unknown) => void;
  },
): () => void {
  let ours: object | undefined;
  const onCreate = (message: unknown) => {
    const request = requestOf(message);
    if (request === undefined || ours !== undefined || claimed.has(request)) return;
    const path = url.pathname + url.search;
    const isDirect = request.origin === url.origin && request.path === path;
    // A plain http request to a proxy has the whole address as its path.
    if (request.method !== method || !(isDirect || request.path === url.origin + path)) return;
    claimed.add(request);
    ours = request;
    observer.connecting();
  };
  const onSend = (message: unknown) => {
    if (ours !== undefined && requestOf(message) === ours) observer.sent();
  };
  const onHeaders = (message: unknown) => {
    if (ours === undefined || requestOf(message) !== ours) return;
    const { headers, statusCode } = responseOf(message) ?? {};
    if (Array.isArray(headers)) observer.headers?.(headers, statusCode);
  };
  subscribe('undici:request:create', onCreate);
  subscribe('undici:request:headers', onHeaders);
  subscribe('undici:client:sendHeaders', onSend);
  return () => {
    unsubscribe('undici:request:create', onCreate);
    unsubscribe('undici:request:headers', onHeaders);
    unsubscribe('undici:client:sendHeaders', onSend);
  };
}

/** Two requests for one URL may be made at the same time: each belongs to one watcher. */
const claimed = new WeakSet<object>();

interface UndiciRequest {
  readonly method?: unknown;
  readonly origin?: unknown;
  readonly path?: unknown;
}

function requestOf(message: unknown): UndiciRequest | undefined {
  return isRecord(message) && isRecord(message.request) ? message.request : undefined;
}

interface UndiciResponse {
  readonly headers?: unknown;
  readonly statusCode?: unknown;
}

function responseOf(message: unknown): UndiciResponse | undefined {
  return isRecord(message) && isRecord(message.response) ? message.response : undefined;
}
