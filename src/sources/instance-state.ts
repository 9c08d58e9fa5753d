import { LightspanError } from '../errors.js';
import { createHttpClient, type HttpResponse, timeoutsWithin } from '../http/client.js';
import type { InstanceState } from '../instance-state.js';
import { isVersion } from '../release-safety/version.js';
import { endpointOf, readRunningVersion } from './running-version.js';

export interface InstanceStateRequest {
  /** As `parseInstanceUrl` returns it. */
  readonly instance: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Milliseconds for the next request, asked before each. */
  readonly timeoutMs: () => number;
  readonly allowHttp: boolean;
}

const maxBytes = 4 * 1024 * 1024;

/**
 * Asks once whether an instance is ready (`GET /api/v1/readyz`), and if so which release it serves: the
 * `Lightdash-Version` header of `/`, where that is no error, else `results.version` of `/api/v1/health`. No login, no
 * token, no cache.
 *
 * @throws {LightspanError} `usage` where the address may not be asked
 */
export async function readInstanceState(request: InstanceStateRequest): Promise<InstanceState> {
  const { instance } = request;
  try {
    const ready = await ask(endpointOf(instance, 'api/v1/readyz'), request);
    if (ready.status !== 200) {
      return { kind: 'not-ready', status: ready.status, reason: reasonOf(ready.body) };
    }
    // A login page in front of it, or any other page, is no word of the instance.
    if (ready.headers.get('content-type')?.includes('text/html') === true) {
      return { kind: 'not-ready', status: 200, reason: 'readyz answered with an HTML page' };
    }
  } catch (error) {
    return { kind: 'unreachable', message: messageOf(error) };
  }
  try {
    const isOk = (status: number) => status >= 200 && status < 300;
    const home = await ask(endpointOf(instance, ''), request, isOk).catch(ignoreUnlessUsage);
    const served = home?.headers.get('lightdash-version') ?? undefined;
    if (served === undefined) {
      const health = { ...request, timeoutMs: request.timeoutMs(), retries: 0 };
      return { kind: 'ready', version: await readRunningVersion(health) };
    }
    const version = served.trim().replace(/^v/, '');
    if (isVersion(version)) return { kind: 'ready', version };
    return { kind: 'unknown-version', message: `its header Lightdash-Version is ${JSON.stringify(served)}` };
  } catch (error) {
    return { kind: 'unknown-version', message: messageOf(error) };
  }
}

async function ask(
  url: URL,
  request: InstanceStateRequest,
  acceptStatus = (_status: number) => true,
): Promise<HttpResponse> {
  const { env, userAgent, timeoutMs, allowHttp } = request;
  return createHttpClient({ env, userAgent }).request({
    url,
    headers: { accept: 'application/json, */*;q=0.1', 'cache-control': 'no-cache' },
    timeouts: timeoutsWithin(timeoutMs()),
    maxBytes,
    allowHttp,
    // What a redirect leads to is not what was asked.
    redirects: 'refuse',
    acceptStatus,
    retries: 0,
  });
}

/** The places where an answer that is not 200 may name its reason; the shape of it is not documented. */
function reasonOf(body: Uint8Array): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const places = [
    answer,
    field(answer, 'results'),
    field(answer, 'error'),
    field(field(answer, 'error'), 'data'),
  ];
  for (const name of ['reason', 'reasons', 'message']) {
    for (const place of places) {
      const value = field(place, name);
      const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string');
      if (texts.length > 0) return texts.join(', ').slice(0, 500);
    }
  }
  return undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function ignoreUnlessUsage(error: unknown): undefined {
  messageOf(error);
  return undefined;
}

function messageOf(error: unknown): string {
  if (!(error instanceof LightspanError) || error.code === 'usage') throw error;
  // How long it took is another at every poll, and no news.
  return error.message.replace(/, after [\d.]+ s and 1 try$/, '');
}
