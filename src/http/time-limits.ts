import { keepEncoded } from './body.js';
import { watchConnection } from './connection-events.js';
import { HttpFault } from './fault.js';

/** All in milliseconds. */
export interface Timeouts {
  /** Until the request is on the wire: name, connection, TLS, proxy. */
  readonly connectMs: number;
  /** For everything: every try, the pauses between them, every redirect, the body. */
  readonly totalMs: number;
}

/** The time limits of one try. `signal` aborts with an `HttpFault` that says which stage took too long. */
export interface TimeLimits {
  readonly signal: AbortSignal;
  /** Call it before each request; each redirect is one. */
  readonly connecting: (method: string, url: URL) => void;
  /** Whether the request waits for a connection, so that nothing of it has been sent. */
  readonly neverSent: () => boolean;
  /** Whether the status was 407, which fetch does not report. */
  readonly answeredBy407: () => boolean;
  /** The headers have arrived. */
  readonly answered: () => void;
  /** This many bytes of the body have arrived. */
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

/** A timer accepts at most 24.8 days, and fires at once for more. */
function waitable(ms: number): number {
  return Math.min(Math.max(0, ms), 2 ** 31 - 1);
}
