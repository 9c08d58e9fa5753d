import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from './server.js';

export interface ArtifactServer {
  /** What `--artifact-url` takes. */
  readonly template: string;
  /** The versions asked for, in order. */
  readonly requests: string[];
  /** The most requests that were under way at the same time. */
  readonly peak: () => number;
  /** How many connections were opened. */
  readonly connections: () => number;
  /** Before the test ends, with which it ends. */
  readonly close: () => Promise<void>;
}

/** Answers for one version: a body for 200, a status for any other, or whatever a function does with the response. */
export type Answer = string | number | ((response: ServerResponse) => void);

/**
 * A real server on loopback that has artifacts at `/<version>/release-safety.json`. It answers when so many requests
 * are under way `together`, and 5 ms later, in which more would come.
 */
export async function startArtifactServer(
  answer: (version: string) => Answer,
  { together = 1 }: { readonly together?: number } = {},
): Promise<ArtifactServer> {
  const requests: string[] = [];
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let peak = 0;
  let connections = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const version = request.url?.split('/')[1] ?? '';
    requests.push(version);
    underWay += 1;
    peak = Math.max(peak, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    waiting.push(() => {
      const what = answer(version);
      if (typeof what === 'function') what(response);
      else if (typeof what === 'number') response.writeHead(what).end();
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(what);
    });
    if (waiting.length < together) return;
    const answerAll = () => {
      for (const one of waiting.splice(0)) one();
    };
    if (together === 1) answerAll();
    else setTimeout(answerAll, 5);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    template: `http://127.0.0.1:${await listen(server)}/{version}/release-safety.json`,
    requests,
    peak: () => peak,
    connections: () => connections,
    close,
  };
}
