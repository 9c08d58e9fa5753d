import { LightspanError } from '../errors.js';
import { exitCodeOfError, exitCodes } from '../exit-codes.js';
import type { LightdashClient } from '../lightdash-api/client.js';
import { isRecord } from '../shared/is-record.js';
import { readMergeFile } from '../sources/merge-file.js';
import { type CanaryEvidence, type CanaryFinding, judgeCanary, mergeWithItself } from '../verify/canary.js';
import { connect } from './connection.js';
import type { CommandContext } from './context.js';
import { buildRequestBody, type RequestBody } from './merge-body.js';

export interface CanaryOptions {
  readonly instance: string;
  /** A merge file, `-`, or the UUID of a chart. */
  readonly canary: string;
  readonly project?: string;
  readonly allowHttp?: true;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds for the query. */
  readonly window: number;
}

/** Runs the query once, if the instance is ready. */
export type Canary = (isReady: boolean) => Promise<CanaryFinding>;

const chartUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the query before anything is requested.
 *
 * @throws {LightspanError} `usage` for a file that is not a merge; if it cannot be read
 */
export async function openCanary(options: CanaryOptions, context: CommandContext): Promise<Canary> {
  const { canary } = options;
  const found = (evidence: CanaryEvidence, isAnswer = true) => judgeCanary(canary, evidence, isAnswer);
  const notRun = (message: string, hint: string) => found({ kind: 'canary-not-run', message, hint }, false);
  const merge = chartUuid.test(canary) ? undefined : await readMerge(canary, context);

  return async (isReady) => {
    if (!isReady)
      return notRun(
        'the instance is not ready with that release, and was not asked',
        'Verify again when it is.',
      );
    const { instance: url, ...rest } = options;
    let client: LightdashClient;
    try {
      client = await connect({ ...rest, url }, { project: true }, context);
    } catch (error) {
      if (!(error instanceof LightspanError)) throw error;
      return notRun(error.message, error.hint ?? 'Correct it, and verify again.');
    }
    try {
      const body = merge ?? (await mergeOfChart(client, canary));
      if (body === undefined) {
        return notRun(
          'the chart has no dimension, so that no merge can run its query',
          'Name a chart with one, or a merge file.',
        );
      }
      return found(await run(client, body, options.window));
    } catch (error) {
      if (!(error instanceof LightspanError)) throw error;
      const { code, message, hint = null } = error;
      const isAnswer = exitCodeOfError(code) !== exitCodes.unavailable;
      return found({ kind: 'canary-failed', message, hint }, isAnswer);
    }
  };
}

async function readMerge(source: string, { stdin }: CommandContext): Promise<RequestBody> {
  const { name, check, json } = await readMergeFile({ source, stdin });
  if (check.status !== 'valid' || !isRecord(json)) {
    const [fault] = check.status === 'valid' ? [] : check.faults;
    const place = fault === undefined ? name : `${name}:${fault.line}:${fault.column}`;
    throw new LightspanError('usage', `--canary: ${place}: ${fault?.message ?? 'it is no merge'}`, {
      hint: 'lightspan merge validate names every fault of it. A chart is named by its UUID.',
    });
  }
  return requestOf(json);
}

/** A cached result may be from before the upgrade, and would prove nothing. */
function requestOf(file: RequestBody): RequestBody {
  return buildRequestBody(file, { invalidateCache: true });
}

async function mergeOfChart(client: LightdashClient, uuid: string): Promise<RequestBody | undefined> {
  const { results } = await client.getChart(uuid);
  const mergeQuery = mergeWithItself(results.metricQuery);
  return mergeQuery && requestOf({ mergeQuery });
}

/** Runs until the first page of the result: all that counts is that there are rows. */
async function run(client: LightdashClient, body: RequestBody, windowMs: number): Promise<CanaryEvidence> {
  const { results } = await client.submitMerge(body);
  if (results.outcome === 'refused') {
    return {
      kind: 'canary-refused',
      errors: results.errors.map(({ kind, message }) => ({ kind, message })),
    };
  }
  const { queryUuid, cacheMetadata } = results.query;
  if (cacheMetadata.cacheHit) return { kind: 'canary-from-cache' };
  if (queryUuid === undefined) {
    const message = 'the answer names no query to wait for (results.query.queryUuid)';
    return { kind: 'canary-failed', message, hint: null };
  }
  for await (const state of client.followQuery(queryUuid, { windowMs })) {
    if (state.status === 'ready') {
      const { length } = state.rows;
      return length === 0 ? { kind: 'canary-without-rows' } : { kind: 'canary-rows', rows: length };
    }
    if (!('name' in state)) {
      return { kind: 'canary-ended', status: state.status, reason: state.reason ?? null };
    }
  }
  throw new LightspanError('invalid-response', `the query ${queryUuid} ended in an unknown state`);
}
