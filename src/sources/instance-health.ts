import { LightspanError } from '../errors.js';
import { createHttpClient } from '../http/client.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { parseTag, type Version } from '../release-safety/version.js';
import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-scan.js';
import { describeValue } from '../shared/quote.js';

export { parseInstanceAddress } from '../http/address.js';

export interface RunningVersionRequest {
  /** Address of the instance, as `parseInstanceAddress` returns it. */
  readonly instance: URL;
  /** For the proxy. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Milliseconds for the whole request. */
  readonly timeoutMs: number;
  readonly allowHttp: boolean;
}

/**
 * The version that an instance reports: `results.version` of `GET /api/v1/health`. No login, no token.
 *
 * @throws {LightspanError} the errors of the request; `invalid-response` if the answer names no release, or contradicts
 *   itself
 */
export async function readRunningVersion({
  instance,
  env,
  userAgent,
  timeoutMs,
  allowHttp,
}: RunningVersionRequest): Promise<Version> {
  const url = healthUrl(instance);
  const answer = await createHttpClient({ env, userAgent }).request({
    url,
    headers: { accept: 'application/json' },
    timeoutMs,
    maxBytes: maxAnswerBytes,
    allowHttp,
  });
  refuseKept(answer);
  const { body } = answer;
  const request = `GET ${url}`;
  const json = parseInstanceAnswer(body, request);
  if (json === undefined) {
    const isMarkup = new TextDecoder().decode(body).trimStart().startsWith('<');
    throw untrusted(`${request} answered ${isMarkup ? 'HTML' : 'something that is not JSON'}`);
  }
  const { version, contradiction } = readHealth(json);
  if (typeof version !== 'string') throw untrusted(`${request} answered without results.version`);
  let release: Version;
  try {
    release = parseTag(version);
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw untrusted(`${request}: results.version: ${error.message}`, error);
  }
  if (contradiction !== undefined) throw untrusted(`${request} names ${release}, but ${contradiction}`);
  return release;
}

/** Where an instance reports its version. */
export function healthUrl(instance: URL): URL {
  return endpointOf(instance, 'api/v1/health');
}

/** The URL of a path of an instance, which may itself be under a path. */
export function endpointOf(instance: URL, path: string): URL {
  const url = new URL(instance);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

/** The maximum size of an answer, in bytes: those requested here have a few hundred. */
export const maxAnswerBytes = 1024 * 1024;

/**
 * The JSON that an instance answered; undefined if it is not JSON. As in an index, a key that occurs twice in one
 * object is refused: programs differ in which of the two they read.
 *
 * @param request its name in messages, such as `GET https://lightdash.example.com/api/v1/health`
 * @throws {LightspanError} `invalid-response`
 */
export function parseInstanceAnswer(body: Uint8Array, request: string): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw untrusted(`${request} did not answer in UTF-8`, error);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const twice = findDuplicateKey(text);
  if (twice !== undefined) {
    throw untrusted(`${request} answered an object that contains the key ${describeValue(twice)} twice`);
  }
  return json;
}

/** For how many seconds a cache has stored an answer; 0 if none says so (RFC 9111, 5.1). */
export function secondsKept({ headers }: { readonly headers: Headers }): number {
  return Number.parseInt(headers.get('age') ?? '', 10) || 0;
}

/**
 * Refuses an answer from a cache: it is old, and other pods may have given it.
 *
 * @throws {LightspanError} `invalid-response`
 */
export function refuseKept(answer: { readonly headers: Headers; readonly url: URL }): void {
  const seconds = secondsKept(answer);
  if (seconds > 0)
    throw untrusted(`GET ${answer.url} was answered by a cache, which has kept it for ${seconds} s`);
}

/** The content of `GET /api/v1/health`. */
export interface Health {
  /** `results.version` as it is. */
  readonly version: unknown;
  /** Whether it states explicitly that the instance is healthy. */
  readonly healthy: boolean;
  /** What contradicts a running release, such as `status is "error"`. */
  readonly contradiction: string | undefined;
}

/** @param json the result of `parseInstanceAnswer` for a 200 */
export function readHealth(json: unknown): Health {
  const { status, results } = isRecord(json) ? json : {};
  const { version, healthy, requiresMigration } = isRecord(results) ? results : {};
  const contradiction =
    status !== 'ok'
      ? `status is ${describeValue(status)}`
      : healthy !== undefined && healthy !== true
        ? `results.healthy is ${describeValue(healthy)}`
        : // It serves a release that its database is not migrated to: an upgrade would start from neither.
          requiresMigration !== undefined && requiresMigration !== false
          ? `results.requiresMigration is ${describeValue(requiresMigration)}`
          : undefined;
  return { version, healthy: healthy === true, contradiction };
}

/** The error for an answer that proves nothing. */
export function untrusted(message: string, cause?: unknown): LightspanError {
  return new LightspanError('invalid-response', message, {
    hint: 'Is it the address of Lightdash itself? Otherwise give the running version with --from.',
    cause,
  });
}
