import { LightspanError } from '../errors.js';
import { createHttpClient, type HttpResponse } from '../http/client.js';
import { firstWith } from '../instance/first-versions.js';
import type { InstanceState, Probe } from '../instance-state.js';
import { quoteForMessage } from '../release-safety/errors.js';
import { compareVersions, isVersion, type Version } from '../release-safety/version.js';
import { isRecord } from '../shared/is-record.js';
import { describeValue } from '../shared/quote.js';
import {
  endpointOf,
  maxAnswerBytes,
  parseInstanceAnswer,
  readHealth,
  refuseKept,
  secondsKept,
  untrusted,
} from './instance-health.js';
import { hasErrorCode } from './read-file.js';

export interface InstanceStateRequest {
  /** As `parseInstanceAddress` returns it. */
  readonly instance: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Returns the milliseconds for the next request; called before each. */
  readonly timeoutMs: () => number;
  readonly allowHttp: boolean;
}

type NotReady = Extract<InstanceState, { kind: 'not-ready' }>;
type Parked = Extract<InstanceState, { kind: 'parked' }>;

/**
 * Requests once whether an instance is ready (`GET /api/v1/readyz`), and if so which release it serves: the
 * `Lightdash-Version` header of `/`, if that is no error, else `results.version` of `/api/v1/health`. A release without
 * readyz is judged by its health. No login, no token, no cache, no redirects.
 *
 * @throws {LightspanError} `usage` if the address may not be requested, `invalid-response` if an answer contradicts
 *   itself
 */
export async function readInstanceState(request: InstanceStateRequest): Promise<InstanceState> {
  try {
    const answer = await ask('api/v1/readyz', request);
    const { status } = answer;
    // Older releases answer an unknown path with the page of the app. So do login pages.
    const isPage = status === 200 && answer.headers.get('content-type')?.includes('text/html') === true;
    if (isPage || status === 404) {
      const reason = isPage ? 'readyz answered with an HTML page' : reasonOf(tryParse(answer));
      return await readStateByHealth({ kind: 'not-ready', status, reason, probe: 'readyz' }, request);
    }
    const notReady = status === 200 ? whyNotReady(answer) : notReadyBecause(answer, 'readyz');
    if (notReady !== undefined) return notReady;
  } catch (error) {
    return { kind: 'unreachable', message: messageOf(error), isUnknownHost: isUnknownHost(error) };
  }
  try {
    return await readServedVersion(request);
  } catch (error) {
    return { kind: 'unknown-version', message: messageOf(error) };
  }
}

/** What in a 200 of readyz contradicts readiness: only `status: "ready"`, without a warning, is a yes. */
function whyNotReady(answer: HttpResponse): NotReady | Parked | undefined {
  const { status, url, body } = answer;
  refuseKept(answer);
  const json = parseInstanceAnswer(body, `GET ${url}`);
  const because = (reason: string): NotReady => ({ kind: 'not-ready', status, reason, probe: 'readyz' });
  if (json === undefined)
    return because(`readyz answered ${quoteForMessage(new TextDecoder().decode(body))}`);
  if (!isRecord(json) || json.status !== 'ready') {
    return notReadyBecause(answer, 'readyz', `readyz: status is ${describeValue(field(json, 'status'))}`);
  }
  const { reason, warnings = [] } = json;
  if (reason !== undefined) {
    throw untrusted(`GET ${url} answered that it is ready, and why it is not: ${describeValue(reason)}`);
  }
  if (!Array.isArray(warnings)) return because(`readyz: warnings are ${describeValue(warnings)}`);
  if (warnings.includes(parkedReason)) return { kind: 'parked', status };
  return warnings.length === 0
    ? undefined
    : because(joinTexts(warnings) ?? 'readyz: warnings are not in words');
}

/** The state of a release without readyz: its health fails while migrations are pending. */
async function readStateByHealth(readyz: NotReady, request: InstanceStateRequest): Promise<InstanceState> {
  const answer = await ask('api/v1/health', request);
  const { status } = answer;
  if (status === 404) return readyz;
  if (status !== 200) return notReadyBecause(answer, 'health');
  const health = readHealthOf(answer);
  if (health === undefined) return readyz;
  const version = releaseOf(health.version);
  if (version === undefined) return unknownVersion('results.version of its health', health.version);
  // This excuse is for old releases only, not for something that hides the readyz of a newer one.
  if (compareVersions(version, firstWith.readyz) >= 0) {
    return {
      ...readyz,
      reason: `${version} has /api/v1/readyz, and it is not there: does a proxy hide it?`,
    };
  }
  if (!health.healthy) {
    return { kind: 'not-ready', status, reason: 'health does not say that it is healthy', probe: 'health' };
  }
  return { kind: 'ready', version, probe: 'health' };
}

async function readServedVersion(request: InstanceStateRequest): Promise<InstanceState> {
  const isOk = (status: number) => status >= 200 && status < 300;
  const home = await ask('', request, isOk).catch((error: unknown) => void messageOf(error));
  // The page of the app rarely changes, and caches store it.
  const header = (home && secondsKept(home) === 0 && home.headers.get('lightdash-version')) || undefined;
  const version = releaseOf(header);
  if (version !== undefined) return { kind: 'ready', version, probe: 'readyz' };
  if (header !== undefined) return unknownVersion('its header Lightdash-Version', header);

  const answer = await ask('api/v1/health', request, (status) => status === 200);
  const health = readHealthOf(answer);
  const served = releaseOf(health?.version);
  if (served === undefined) return unknownVersion('results.version of its health', health?.version);
  return { kind: 'ready', version: served, probe: 'readyz' };
}

/** @throws {LightspanError} `invalid-response` if it contradicts itself */
function readHealthOf(answer: HttpResponse): ReturnType<typeof readHealth> | undefined {
  const { url, body } = answer;
  refuseKept(answer);
  const json = parseInstanceAnswer(body, `GET ${url}`);
  if (json === undefined) return undefined;
  const health = readHealth(json);
  if (health.contradiction !== undefined) throw untrusted(`GET ${url}: ${health.contradiction}`);
  return health;
}

function releaseOf(text: unknown): Version | undefined {
  const version = typeof text === 'string' ? text.trim().replace(/^v/, '') : undefined;
  return isVersion(version) ? version : undefined;
}

function unknownVersion(what: string, served: unknown): InstanceState {
  return { kind: 'unknown-version', message: `${what} is ${describeValue(served)}` };
}

async function ask(
  path: string,
  request: InstanceStateRequest,
  acceptStatus = (_status: number) => true,
): Promise<HttpResponse> {
  const { instance, env, userAgent, timeoutMs, allowHttp } = request;
  return createHttpClient({ env, userAgent }).request({
    url: endpointOf(instance, path),
    headers: { accept: 'application/json, */*;q=0.1', 'cache-control': 'no-cache' },
    timeoutMs: timeoutMs(),
    maxBytes: path === '' ? maxPageBytes : maxAnswerBytes,
    allowHttp,
    // The target of a redirect is not what was requested.
    redirects: 'refuse',
    acceptStatus,
    retries: 0,
  });
}

const maxPageBytes = 4 * 1024 * 1024;

/** The state for an answer that says no, with its reason; `otherwise` if it states none. */
function notReadyBecause(answer: HttpResponse, probe: Probe, otherwise?: string): NotReady | Parked {
  const { status } = answer;
  const reason = reasonOf(tryParse(answer));
  if (reason === parkedReason) return { kind: 'parked', status };
  return { kind: 'not-ready', status, reason: reason ?? otherwise, probe };
}

/** An answer that is not a yes anyway need not be valid. */
function tryParse({ url, body }: HttpResponse): unknown {
  try {
    return parseInstanceAnswer(body, String(url));
  } catch {
    return undefined;
  }
}

const parkedReason = 'migration_parked';

/** Releases put their reason at the top level, errors of the API in an `error` object. */
function reasonOf(answer: unknown): string | undefined {
  const error = field(answer, 'error');
  const places = [answer, field(answer, 'results'), error, field(error, 'data')];
  return ['reason', 'reasons', 'message']
    .flatMap((name) => places.map((place) => joinTexts([field(place, name)].flat())))
    .find((text) => text !== undefined);
}

function joinTexts(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === 0 ? undefined : texts.join(', ').slice(0, 500);
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether the name of the host, or of a proxy, could not be resolved. */
function isUnknownHost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['ENOTFOUND', 'EAI_AGAIN'].some((code) => hasErrorCode(error, code)) || isUnknownHost(error.cause);
}

/** The message for a missing answer. Untrusted answers and wrong requests are thrown again. */
function messageOf(error: unknown): string {
  if (!(error instanceof LightspanError) || error.code === 'usage' || error.code === 'invalid-response')
    throw error;
  // The duration changes with every poll, and is no news.
  return error.summary;
}
