import { LightspanError } from '../errors.js';

/** What the global fetch sends through. The undici in Node and the package are of two versions, and so are their types. */
export type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/**
 * What sends a request through the proxy that the environment names; undefined where it names none, and then fetch
 * goes its own way and undici is not loaded. The lower-case name of a variable wins, as with curl.
 *
 * `proxy-authorization` in the secret headers is the proxy's: it goes to it and no further.
 */
export async function proxyDispatcher(
  env: Readonly<Record<string, string | undefined>>,
  secretHeaders: Readonly<Record<string, string>>,
): Promise<Dispatcher | undefined> {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || '';
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || '';
  if (httpProxy === '' && httpsProxy === '') return undefined;
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  const token = secretHeaders['proxy-authorization'];

  requireUrl('HTTP_PROXY', httpProxy);
  requireUrl('HTTPS_PROXY', httpsProxy);

  const key = JSON.stringify([httpProxy, httpsProxy, noProxy, token]);
  const known = dispatchers.get(key);
  if (known !== undefined) return known;
  const { EnvHttpProxyAgent } = await import('undici');
  const { openProxyPool } = await import('./proxy-pool.js');
  const dispatcher: unknown = new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    // Plain http goes to a proxy as plain http does: many refuse a tunnel to port 80.
    proxyTunnel: false,
    clientFactory: openProxyPool,
    ...(token === undefined ? {} : { token }),
  });
  if (!isDispatcher(dispatcher)) throw new TypeError('undici has no such dispatcher');
  dispatchers.set(key, dispatcher);
  return dispatcher;
}

/** Its value is not shown: it may hold a password. */
function requireUrl(variable: string, value: string): void {
  if (value === '' || URL.canParse(value)) return;
  throw new LightspanError('usage', `${variable} is not a URL`, {
    hint: `Write it as ${variable}=http://proxy.example.org:3128, or unset it.`,
  });
}

/** One connection pool for each way out. */
const dispatchers = new Map<string, Dispatcher>();

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value;
}
