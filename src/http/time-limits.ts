import { keepEncoded } from './body.js';
import { watchConnection } from './connection-events.js';
import { HttpFault } from './fault.js';

/** All in milliseconds. */
export interface Timeouts {
  /** Until the request is on the wire: name, connection, TLS, proxy. */
  readonly connectMs: number;
  /** Over all of it: every try, the pauses between them, every redirect, the body. */
  readonly totalMs: number;
}

/** The clock over one try. `signal` aborts with an `HttpFault` that says which stage took too long. */
export interface TimeLimits {
  readonly signal: AbortSignal;
  /** A request is about to be made; each redirect is one. */
  readonly connecting: (method: string, url: URL) => void;
  /** Whether it waits for a connection, and so nothing of it has been sent. */
  readonly neverSent: () => boolean;
  /** Whether the status that came is 407, which fetch keeps to itself. */
  readonly answeredBy407: () => boolean;
  /** Its headers have come. */
  readonly answered: () => void;
  /** So many bytes of the body have come. */
  readonly received: (bytes: number) => void;
  readonly stop: () => void;
}

export function startTimeLimits(
  { connectMs, totalMs, wholeMs }: Timeouts & { readonly wholeMs: number },
  outer: AbortSignal | undefined,
): TimeLimits {
  const controller = new AbortController();
  let stage = 'no connection';
  let stageTimer: NodeJS.Timeout | undefined;
  let unwatch = () => {};
  let neverSent = false;
  let answeredBy407 = false;

  const runOut = (what: string, ms: number, isConnectionError = false) => {
    controller.abort(
      new HttpFault('timeout', `${what} within ${ms / 1000} s`, {
        isConnectionError,
        hint: '--timeout sets how long to wait.',
      }),
    );
  };
  const enter = (next: string, ms?: number, isConnectionError?: boolean) => {
    clearTimeout(stageTimer);
    stage = next;
    if (ms !== undefined) stageTimer = setTimeout(() => runOut(next, ms, isConnectionError), waitable(ms));
  };
  const totalTimer = setTimeout(() => runOut(stage, wholeMs), waitable(totalMs));
  const abortWithOuter = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abortWithOuter);

  return {
    signal: controller.signal,
    connecting: (method, url) => {
      enter(noAnswer);
      unwatch = watchConnection(method, url, {
        connecting: () => {
          neverSent = true;
          enter('no connection', connectMs, true);
        },
        sent: () => {
          neverSent = false;
          enter(noAnswer);
        },
        headers: (raw, status) => {
          keepEncoded(raw);
          answeredBy407 = status === 407;
        },
      });
    },
    neverSent: () => neverSent,
    answeredBy407: () => answeredBy407,
    answered: () => {
      unwatch();
      enter('no complete body');
    },
    received: (bytes) => {
      stage = `no complete body (${bytes} bytes received)`;
    },
    stop: () => {
      unwatch();
      clearTimeout(stageTimer);
      clearTimeout(totalTimer);
      outer?.removeEventListener('abort', abortWithOuter);
    },
  };
}

const noAnswer = 'connected, but no answer';

/** A timer takes 24.8 days at most, and runs out at once for any more. */
function waitable(ms: number): number {
  return Math.min(Math.max(0, ms), 2 ** 31 - 1);
}
