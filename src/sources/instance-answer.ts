import { LightspanError } from '../errors.js';
import { describeValue } from '../release-safety/json-value.js';
import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey } from '../shared/json-keys.js';

/** The most that is read of an answer, in bytes: those asked for here have a few hundred. */
export const maxAnswerBytes = 1024 * 1024;

/**
 * The JSON that an instance answered; undefined where it is none. As in an index, a key that stands twice in one
 * object is refused: who reads the first and who reads the last would not read the same.
 *
 * @param request as messages name it, such as `GET https://lightdash.example.com/api/v1/health`
 * @throws {LightspanError} `invalid-response`
 */
export function parseInstanceAnswer(body: Uint8Array, request: string): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw untrusted(`${request} answered what is not UTF-8`, error);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const twice = findDuplicateKey(text);
  if (twice !== undefined) {
    throw untrusted(`${request} answered an object that holds the key ${describeValue(twice)} twice`);
  }
  return json;
}

/** For how many seconds a cache has kept an answer; 0 where none says so (RFC 9111, 5.1). */
export function secondsKept({ headers }: { readonly headers: Headers }): number {
  return Number.parseInt(headers.get('age') ?? '', 10) || 0;
}

/**
 * Refuses what the instance said a while ago: other pods may have answered then.
 *
 * @throws {LightspanError} `invalid-response`
 */
export function refuseKept(answer: { readonly headers: Headers; readonly url: URL }): void {
  const seconds = secondsKept(answer);
  if (seconds > 0)
    throw untrusted(`GET ${answer.url} was answered by a cache, which has kept it for ${seconds} s`);
}

/** What `GET /api/v1/health` tells. */
export interface Health {
  /** `results.version` as it stands there. */
  readonly version: unknown;
  /** It says in so many words that the instance is healthy. */
  readonly healthy: boolean;
  /** What it says that does not go with a release that runs, such as `status is "error"`. */
  readonly contradiction: string | undefined;
}

/** @param json what `parseInstanceAnswer` returned for a 200 */
export function readHealth(json: unknown): Health {
  const { status, results } = isRecord(json) ? json : {};
  const { version, healthy, requiresMigration } = isRecord(results) ? results : {};
  const contradictions = [
    ...(status === 'ok' ? [] : [`status is ${describeValue(status)}`]),
    ...(healthy === undefined || healthy === true ? [] : [`results.healthy is ${describeValue(healthy)}`]),
    // It serves a release that its database is not migrated to: what an upgrade would start from is neither.
    ...(requiresMigration === undefined || requiresMigration === false
      ? []
      : [`results.requiresMigration is ${describeValue(requiresMigration)}`]),
  ];
  return { version, healthy: healthy === true, contradiction: contradictions[0] };
}

/** An answer of an instance that nothing may be concluded from. */
export function untrusted(message: string, cause?: unknown): LightspanError {
  return new LightspanError('invalid-response', message, {
    hint: 'Is it the address of Lightdash itself? Otherwise give the version that runs with --from.',
    cause,
  });
}
