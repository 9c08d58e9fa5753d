import { parseInstanceAddress } from '../http/address.js';
import { createHttpClient } from '../http/client.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { parseTag, type Version } from '../release-safety/version.js';
import { maxAnswerBytes, parseInstanceAnswer, readHealth, refuseKept, untrusted } from './instance-answer.js';

export interface RunningVersionRequest {
  /** Address of the instance, as `parseInstanceUrl` returns it. */
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
  const release = readRelease(version, request);
  if (contradiction !== undefined) throw untrusted(`${request} names ${release}, but ${contradiction}`);
  return release;
}

function readRelease(version: string, request: string): Version {
  try {
    return parseTag(version);
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw untrusted(`${request}: results.version: ${error.message}`, error);
  }
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

/**
 * Reads the address of an instance from the command line.
 *
 * @throws {LightspanError} `usage`
 */
export function parseInstanceUrl(text: string, name = '--instance: the URL'): URL {
  return parseInstanceAddress(text, name);
}
