import { channel } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { watchConnection } from '../../src/http/connection-events.js';
import { serve } from '../support/server.js';

const create = channel('undici:request:create');
const send = channel('undici:client:sendHeaders');
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Watches, and keeps what was told. */
function watch(url: string, method = 'GET'): string[] {
  const told: string[] = [];
  stops.push(
    watchConnection(method, new URL(url), {
      connecting: () => told.push('connecting'),
      sent: () => told.push('sent'),
    }),
  );
  return told;
}

describe('watchConnection', () => {
  it('tells of a request that fetch makes', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const told = watch(`${url}/a?b`);
    await (await fetch(`${url}/a?b`)).text();
    expect(told).toEqual(['connecting', 'sent']);
  });

  it('tells each of two watchers of one URL about its own request', () => {
    const url = 'https://example.org/a';
    const request = () => ({ method: 'GET', origin: 'https://example.org', path: '/a' });
    const first = watch(url);
    const [mine, other] = [request(), request()];
    create.publish({ request: mine });
    const second = watch(url);
    create.publish({ request: other });
    send.publish({ request: other });
    expect({ first, second }).toEqual({ first: ['connecting'], second: ['connecting', 'sent'] });
    send.publish({ request: mine });
    expect(first).toEqual(['connecting', 'sent']);
  });

  it.each<[what: string, message: unknown]>([
    ['another method', { request: { method: 'POST', origin: 'https://example.org', path: '/a' } }],
    ['another origin', { request: { method: 'GET', origin: 'https://example.com', path: '/a' } }],
    ['another path', { request: { method: 'GET', origin: 'https://example.org', path: '/a?b' } }],
    ['no request', {}],
    ['null', null],
    ['a text', 'request'],
    ['a request that is a text', { request: 'GET' }],
  ])('is not misled by %s', (_, message) => {
    const told = watch('https://example.org/a');
    create.publish(message);
    send.publish(message);
    expect(told).toEqual([]);
  });

  it('tells nothing more once it is stopped', () => {
    const told = watch('https://example.org/a');
    stops.pop()?.();
    create.publish({ request: { method: 'GET', origin: 'https://example.org', path: '/a' } });
    expect(told).toEqual([]);
  });
});
