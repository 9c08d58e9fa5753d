import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { selfSigned } from './self-signed.js';

/** A server on loopback for one test, and every request it got. */
export interface TestServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
}

export function serve(listener: RequestListener): Promise<TestServer> {
  return start(createServer(), 'http', listener);
}

/** The same behind TLS, with a certificate that nothing trusts. */
export function serveTls(listener: RequestListener): Promise<TestServer> {
  return start(createTlsServer(selfSigned), 'https', listener);
}

/** Bytes as they are, on a bare connection. */
export async function serveTcp(onConnection: (socket: Socket) => void): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: await listen(server) };
}

/** A port that nothing listens on, for as long as nothing else takes it. */
export async function closedPort(): Promise<number> {
  const server = createNetServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}

async function start(server: Server, scheme: string, listener: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  server.on('request', (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listen(server);
  return { url: `${scheme}://127.0.0.1:${port}`, port, requests };
}

function listen(server: NetServer): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}
