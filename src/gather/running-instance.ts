import type { Env } from '../core/common/env.js';
import { isRecord } from '../core/json/is-record.js';
import { findDuplicateKey } from '../core/json/json-scan.js';
import { isInputError, LightspanError } from '../core/lightspan-error.js';
import { describeValue, quote } from '../core/text/quote.js';
import { compareVersions, isVersion, type Version } from '../core/version.js';
import { firstWith } from '../instance/first-versions.js';
import type { InstanceState, Probe } from '../instance/instance-state.js';
import { hasErrorCode } from './files/read-file.js';
import { createHttpClient, type HttpResponse, useNewConnections } from './http/client.js';
import { mostBytes } from './limits.js';

export { parseInstanceAddress } from './http/address.js';

interface InstanceRequest {
  /** As `parseInstanceAddress` returns it. */
  readonly instance: URL;
  /** For the proxy. */
  readonly env: Env;
  /** For one answer. */
  readonly timeoutMs: number;
  readonly allowHttp: boolean;
}

type NotReady = Extract<InstanceState, { kind: 'not-ready' }>;
type ParkedState = Extract<InstanceState, { kind: 'parked' }>;

/** The maximum size of an answer: those requested here have a few hundred bytes, but the page of the app has more. */
const maxBytes = mostBytes.state;

const healthPath = 'api/v1/health';

export function healthUrl(instance: URL): URL {
  return endpointOf(instance, healthPath);
}

/** The URL of a path of an instance, which may itself be under a path. */
function endpointOf(instance: URL, path: string): URL {
  const url = new URL(instance);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

/**
 * The version that an instance reports: `results.version` of `GET /api/v1/health`. No login, no token.
 *
 * @throws {LightspanError} the errors of the request; `invalid-response` if the answer names no release, or contradicts
 *   itself
 */
export async function readRunningVersion({ instance, env, ...how }: InstanceRequest): Promise<Version> {
  const headers = { accept: 'application/json' };
  const url = healthUrl(instance);
  const answer = await createHttpClient({ env }).request({ url, headers, maxBytes, ...how });
  const health = readHealth(answer);
  if (health === undefined) throw untrusted(answer, 'answered something that is not JSON');
  const { release, version } = health;
  if (release !== undefined) return release;
  throw untrusted(answer, `answered that results.version is ${describeValue(version)}`);
}

/**
 * Requests once whether an instance is ready (`GET /api/v1/readyz`), and if so which release it serves: the
 * `Lightdash-Version` header of `/`, if that is no error, else `results.version` of `/api/v1/health`. A release without
 * readyz is judged by its health. No login, no token, no cache, and connections of its own; redirects are followed for
 * the header alone.
 *
 * @throws {LightspanError} `usage` if the address may not be requested, `invalid-response` if an answer contradicts
 *   itself
 */
export async function readInstanceState(request: InstanceRequest): Promise<InstanceState> {
  await useNewConnections();
  try {
    const answer = await requestOnce('api/v1/readyz', request);
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
function whyNotReady(answer: HttpResponse): NotReady | ParkedState | undefined {
  const { status, body } = answer;
  const json = parseAnswer(answer);
  const because = (reason: string): NotReady => ({ kind: 'not-ready', status, reason, probe: 'readyz' });
  if (json === undefined) return because(`readyz answered ${quote(new TextDecoder().decode(body))}`);
  if (!isRecord(json) || json.status !== 'ready') {
    return notReadyBecause(answer, 'readyz', `readyz: status is ${describeValue(field(json, 'status'))}`);
  }
  const { reason, warnings = [] } = json;
  if (reason !== undefined) {
    throw untrusted(answer, `answered that it is ready, and why it is not: ${describeValue(reason)}`);
  }
  const warned = [warnings].flat();
  if (warned.includes(parkedReason)) return { kind: 'parked', status };
  if (Array.isArray(warnings) && warned.length === 0) return undefined;
  return because(textOf(warned) ?? 'readyz: warnings are not in words');
}

/** The state of a release without readyz: its health fails while migrations are pending. */
async function readStateByHealth(readyz: NotReady, request: InstanceRequest): Promise<InstanceState> {
  const answer = await requestOnce(healthPath, request);
  const { status } = answer;
  if (status === 404) return readyz;
  if (status !== 200) return notReadyBecause(answer, 'health');
  const health = readHealth(answer);
  if (health === undefined) return readyz;
  const { release: version, healthy } = health;
  if (version === undefined) return unknownVersion('results.version of its health', health.version);
  // This excuse is for old releases only, not for something that hides the readyz of a newer one.
  if (compareVersions(version, firstWith.readyz) >= 0) {
    return {
      ...readyz,
      reason: `${version} has /api/v1/readyz, and it is not there: does a proxy hide it?`,
    };
  }
  if (!healthy) {
    return { kind: 'not-ready', status, reason: 'health does not say that it is healthy', probe: 'health' };
  }
  return { kind: 'ready', version, probe: 'health' };
}

async function readServedVersion(request: InstanceRequest): Promise<InstanceState> {
  const any = () => true;
  const answered = await requestOnce('', request, any, 'follow').catch(
    (error: unknown) => void messageOf(error),
  );
  // Another server names its own version, and fails for itself.
  const home = answered && isSameServer(answered.url, request.instance) ? answered : undefined;
  // A proxy may protect the page, as with 401; then `/api/v1/health` is requested.
  if (home !== undefined && home.status >= 500)
    return { kind: 'not-ready', status: home.status, reason: 'its page (GET /) fails', probe: 'readyz' };
  // The page of the app rarely changes, and caches store it.
  const counts = home !== undefined && isOk(home.status) && secondsKept(home) === 0;
  const header = (counts && home.headers.get('lightdash-version')) || undefined;
  const version = releaseInHeader(header);
  if (version !== undefined) return { kind: 'ready', version, probe: 'readyz' };
  if (header !== undefined) return unknownVersion('its header Lightdash-Version', header);

  const health = readHealth(await requestOnce(healthPath, request, (status) => status === 200));
  if (health?.release === undefined) {
    return unknownVersion('results.version of its health', health?.version);
  }
  return { kind: 'ready', version: health.release, probe: 'readyz' };
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** A header that a proxy has doubled arrives as a list: of one release, if all of it says the same. */
function releaseInHeader(header: string | undefined): Version | undefined {
  const releases = new Set(header?.split(',').map((part) => releaseOf(part.trim())));
  return releases.size === 1 ? [...releases][0] : undefined;
}

/** Whether a redirect ended where it began, or there by https. */
function isSameServer(end: URL, start: URL): boolean {
  const isSecured = end.protocol === 'https:' && end.port === '' && end.hostname === start.hostname;
  return end.origin === start.origin || isSecured;
}

/**
 * The content of `GET /api/v1/health`; undefined if it is no JSON.
 *
 * @throws {LightspanError} `invalid-response` if it contradicts a running release
 */
function readHealth(answer: HttpResponse) {
  const json = parseAnswer(answer);
  if (json === undefined) return undefined;
  const { status, results } = isRecord(json) ? json : {};
  const { version, healthy = true, requiresMigration = false } = isRecord(results) ? results : {};
  const refuse = (what: string, is: unknown) =>
    untrusted(answer, `answered that ${what} is ${describeValue(is)}`);
  if (status !== 'ok') throw refuse('status', status);
  if (healthy !== true) throw refuse('results.healthy', healthy);
  // It serves a release that its database is not migrated to: an upgrade would start from neither.
  if (requiresMigration !== false) throw refuse('results.requiresMigration', requiresMigration);
  return { version, release: releaseOf(version), healthy: field(results, 'healthy') === true };
}

function releaseOf(text: unknown): Version | undefined {
  const version = typeof text === 'string' ? text.replace(/^v/, '') : undefined;
  return isVersion(version) ? version : undefined;
}

function unknownVersion(what: string, served: unknown): InstanceState {
  return { kind: 'unknown-version', message: `${what} is ${describeValue(served)}` };
}

async function requestOnce(
  path: string,
  { instance, env, ...how }: InstanceRequest,
  acceptStatus = (_status: number) => true,
  // The target of a redirect is not what was requested.
  redirects: 'follow' | 'refuse' = 'refuse',
): Promise<HttpResponse> {
  return createHttpClient({ env }).request({
    url: endpointOf(instance, path),
    headers: { accept: 'application/json, */*;q=0.1', 'cache-control': 'no-cache' },
    maxBytes,
    redirects,
    acceptStatus,
    retries: 0,
    ...how,
  });
}

/**
 * The JSON of an answer; undefined if it is not JSON. As in an index, a key that occurs twice in one object is refused:
 * programs differ in which of the two they read. So is an answer from a cache: it is old, and other pods may have given
 * it.
 *
 * @throws {LightspanError} `invalid-response`
 */
function parseAnswer(answer: HttpResponse): unknown {
  const seconds = secondsKept(answer);
  if (seconds > 0) throw untrusted(answer, `was answered by a cache, which has kept it for ${seconds} s`);
  let text: string;
  let json: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const twice = findDuplicateKey(text);
  if (twice === undefined) return json;
  throw untrusted(answer, `answered an object that contains the key ${describeValue(twice)} twice`);
}

/** For how many seconds a cache has stored an answer; 0 if none says so (RFC 9111, 5.1). */
function secondsKept({ headers }: HttpResponse): number {
  return Number.parseInt(headers.get('age') ?? '', 10) || 0;
}

/** The state for an answer that says no, with its reason; `otherwise` if it states none. */
function notReadyBecause(answer: HttpResponse, probe: Probe, otherwise?: string): NotReady | ParkedState {
  const { status } = answer;
  const reason = reasonOf(tryParse(answer));
  if (reason === parkedReason) return { kind: 'parked', status };
  return { kind: 'not-ready', status, reason: reason ?? otherwise, probe };
}

/** An answer that is not a yes anyway need not be valid. */
function tryParse(answer: HttpResponse): unknown {
  try {
    return parseAnswer(answer);
  } catch {
    return undefined;
  }
}

const parkedReason = 'migration_parked';

/** Releases put their reason at the top level, errors of the API a message in an `error` object. */
function reasonOf(answer: unknown): string | undefined {
  const places = [answer, field(answer, 'error')];
  return ['reason', 'message']
    .flatMap((name) => places.map((place) => textOf([field(place, name)])))
    .find((text) => text !== undefined);
}

function textOf(values: readonly unknown[]): string | undefined {
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
  if (!(error instanceof LightspanError) || isInputError(error)) throw error;
  if (error.code === 'usage' || error.code === 'invalid-response') throw error;
  // The duration changes with every poll, and is no news.
  return error.summary;
}

function untrusted({ url }: HttpResponse, what: string): LightspanError {
  return new LightspanError('invalid-response', `GET ${url} ${what}`, {
    hint: 'Is it the address of Lightdash itself? Otherwise pass the running version with --from.',
  });
}
