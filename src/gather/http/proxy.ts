import type { Pool, Dispatcher as Undici } from 'undici';
import type { Env } from '../../core/common/env.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { loopbackHosts } from './address.js';

/**
 * The dispatcher of the global fetch. The undici in Node and the package have different versions, and so different
 * types.
 */
export type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/**
 * A dispatcher for the proxy that the environment names; undefined if it names none, and then fetch connects directly
 * and undici is not loaded. The lower-case name of a variable wins, as with curl. Requests to this machine never leave
 * it, even after a redirect: that is why plain http to loopback is allowed.
 *
 * `proxy-authorization` in the secret headers is for the proxy: it is sent to the proxy only.
 */
export async function proxyDispatcher(
  env: Env,
  secretHeaders: Readonly<Record<string, string>>,
): Promise<Dispatcher | undefined> {
  const httpProxy = proxyUrl(env.http_proxy || env.HTTP_PROXY || '');
  const httpsProxy = proxyUrl(env.https_proxy || env.HTTPS_PROXY || '');
  if (httpProxy === '' && httpsProxy === '') return undefined;
  const noProxy = noProxyOf(env);
  const token = secretHeaders['proxy-authorization'];

  const key = JSON.stringify([httpProxy, httpsProxy, noProxy, token]);
  const keptDispatcher = dispatchers.get(key);
  if (keptDispatcher !== undefined) return keptDispatcher;
  const { EnvHttpProxyAgent, Pool } = await import('undici');
  const options = {
    httpProxy,
    httpsProxy,
    noProxy: noProxy === '*' ? noProxy : [noProxy, ...loopbackHosts].join(),
    // Plain http goes to a proxy without a tunnel: many refuse one to port 80.
    proxyTunnel: false,
    clientFactory: (origin: URL, options: object) => endingTunnels(new Pool(origin, options)),
    ...(token === undefined ? {} : { token }),
  };
  let dispatcher: unknown;
  try {
    dispatcher = new EnvHttpProxyAgent(options);
  } catch {
    throw noProxyAddress();
  }
  if (!isDispatcher(dispatcher)) throw new TypeError('undici has no such dispatcher');
  dispatchers.set(key, dispatcher);
  return dispatcher;
}

function noProxyOf(env: Env): string {
  return env.no_proxy ?? env.NO_PROXY ?? '';
}

/**
 * Whether `NO_PROXY` has a range, such as `10.0.0.0/8`, in which an address is. undici knows none, and asks the proxy
 * (findings/no-proxy-read-apart.sh). As with curl, a range is for addresses: a name is not resolved for it.
 *
 * @param host as a URL has it: an IPv6 address in brackets
 */
export function isInNoProxyRange(env: Env, host: string): boolean {
  const ranges = noProxyOf(env)
    .split(/[\s,]+/)
    .filter((word) => word.includes('/'));
  if (ranges.length === 0) return false;
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return ranges.some((range) => {
    const [start = '', bits = ''] = range.split('/');
    if (family === 0 || isIP(start) !== family || !/^\d{1,3}$/.test(bits)) return false;
    if (Number(bits) > (family === 4 ? 32 : 128)) return false;
    const list = new BlockList();
    const kind = family === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(start, Number(bits), kind);
    return list.check(address, kind);
  });
}

/** One connection pool for each dispatcher. */
const dispatchers = new Map<string, Dispatcher>();

/** What is requested next of a proxy goes over new connections. */
export function dropDispatchers(): void {
  dispatchers.clear();
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value;
}

/** `host:port` is a proxy over http, as with curl. */
function proxyUrl(value: string): string {
  if (value === '') return '';
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw noProxyAddress();
  return url.href;
}

/** Neither the value is shown nor what undici says of it: it may contain a password. */
function noProxyAddress(): LightspanError {
  const message = 'HTTP_PROXY or HTTPS_PROXY is not the address of an http or https proxy';
  return new LightspanError('usage', message, {
    hint:
      'Write it as http://proxy.example.org:3128, with special characters of a user and a password ' +
      'percent-encoded, or unset it.',
  });
}

/**
 * Connections to a proxy. If a proxy closes instead of opening a tunnel, undici treats that as an idle connection and
 * tries again at once and for ever, thousands of times a second. It continues after the request was given up, so that
 * the process never ends. Here it is an error that ends the request.
 */
function endingTunnels(pool: Pool): Pool {
  const connect: (to: TunnelTo) => Promise<Undici.ConnectData> = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (to: TunnelTo) => {
      try {
        return await connect(to);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET')) throw error;
        const closed = new Error('the proxy closed the connection instead of opening a tunnel');
        throw Object.assign(closed, { code: 'ECONNRESET' });
      }
    },
  });
}

type TunnelTo = Omit<Undici.ConnectOptions, 'origin'>;
