import {
  createServer,
  request as forward,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
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

/** A proxy that forwards plain http and tunnels the rest, and what it was asked, such as `CONNECT host:port`. */
export async function serveProxy() {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((request, response) => {
    note(request);
    const { 'proxy-authorization': _, ...headers } = request.headers;
    forward(request.url ?? '', { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.on('connect', (request, socket) => {
    note(request);
    const [host, port] = (request.url ?? '').split(':');
    const tunnel = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
    onTestFinished(() => {
      tunnel.destroy();
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked, authorizations };
}

/**
 * A port that nothing listens on. It is none of those that systems give to whoever asks for any, from 32,768 on: another
 * test's connection would take it before a server listens there.
 */
export async function closedPort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_000);
  const server = createNetServer();
  const isFree = await new Promise((done) => {
    server.on('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
  });
  if (!isFree) return closedPort();
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

/** @returns its port */
export function listen(server: NetServer): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}
