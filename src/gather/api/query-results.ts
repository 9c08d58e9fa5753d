import * as z from 'zod/mini';
import { doubleOf, type Exact, stringifyExactJson } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { requireUuid } from './base-url.js';
import { type Answer, type Clock, okEnvelope, parseResponse, type Send } from './send.js';

/**
 * The states and results of a started query. The contract leaves both open ("not shown"), so this file, and only this
 * file, follows the public behaviour of the API, and reads it tolerantly.
 */

/** One value of a result: as the warehouse returned it, and as Lightdash formats it. */
export interface ResultCell {
  /** Numbers as they were written, see `ExactNumber`. */
  readonly raw: unknown;
  readonly formatted: string;
}

/** One row of a result: its cells by field id. */
export type ResultRow = ReadonlyMap<string, ResultCell>;

/** One page of the result of a query that has ended well. */
export interface QueryPage {
  readonly status: 'ready';
  readonly rows: readonly ResultRow[];
  /** Field ids in the order of the result, if the server states it; else empty. */
  readonly columns: readonly string[];
  /** Counted from 1. */
  readonly page: number;
  /** Undefined on the last page. */
  readonly nextPage: number | undefined;
  readonly totalPageCount: number | undefined;
  readonly totalResults: number | undefined;
}

/** A query that ended without a result; `reason` is the server's message. */
export interface FailedQuery {
  readonly status: 'error' | 'cancelled' | 'expired';
  readonly reason: string | undefined;
}

/** A query that has not ended. A status that the contract does not know counts as running. */
interface RunningQuery {
  readonly status: 'pending' | 'queued' | 'executing' | 'other';
  /** The status by the server's name. */
  readonly name: string;
}

/** The state of a query: not ended, ended with a page of rows, or ended without a result. */
export type QueryState = RunningQuery | QueryPage | FailedQuery;

export function isRunning(state: QueryState): state is RunningQuery {
  return ['pending', 'queued', 'executing', 'other'].includes(state.status);
}

const usualPageSize = 500;
const shortestPauseMs = 250;
const longestPauseMs = 1000;

/**
 * Polls a query with growing pauses until it ends, then reads all of its pages. Yields every state that it sees; the
 * last is `error`, `cancelled`, `expired` or the last page.
 *
 * @param windowMs the maximum wait for the first page, in milliseconds
 * @param pageSize rows per request; the server may send fewer
 * @throws {LightspanError} `timeout` if the window closes first, `invalid-response` if an answer cannot be read or is
 *   not the page that was requested
 */
export async function* followQuery(
  send: Send,
  {
    projectUuid,
    queryUuid,
    windowMs,
    pageSize = usualPageSize,
  }: {
    readonly projectUuid: string;
    readonly queryUuid: string;
    readonly windowMs: number;
    readonly pageSize?: number | undefined;
  },
  clock: Clock,
): AsyncGenerator<QueryState> {
  const path = `/api/v2/projects/${requireUuid(projectUuid, 'project')}/query/${requireUuid(queryUuid, 'query')}`;
  const read = async (page: number, before?: QueryPage, timeoutMs?: number) => {
    const query = Object.entries({ page: String(page), pageSize: String(pageSize) });
    return readState(await send({ method: 'GET', path, query, timeoutMs }), { page, pageSize, before });
  };

  const closesAt = clock.now() + windowMs;
  let seen = 'not answered for';
  let pauseMs = shortestPauseMs;
  const windowClosed = () =>
    new LightspanError('timeout', `the query ${queryUuid} is still ${seen} after ${windowMs / 1000} s`, {
      hint: 'It is still running on the server. Wait longer with --wait 30m.',
    });
  let state: QueryState;
  for (;;) {
    try {
      state = await read(1, undefined, closesAt - clock.now());
    } catch (error) {
      // The window limits each request too, so that the last poll cannot outlast it.
      const isTimeout = error instanceof LightspanError && error.code === 'timeout';
      throw isTimeout && clock.now() >= closesAt ? windowClosed() : error;
    }
    yield state;
    if (!isRunning(state)) break;
    seen = state.name;
    if (clock.now() + pauseMs >= closesAt) throw windowClosed();
    await clock.sleep(pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  }
  while (state.status === 'ready' && state.nextPage !== undefined) {
    state = await read(state.nextPage, state);
    yield state;
  }
}

const statusSchema = okEnvelope(
  z.looseObject({ status: z.string().check(z.minLength(1)), error: z.optional(z.unknown()) }),
);

const pageNumber = z.nullish(z.int().check(z.positive()));

const pageSchema = okEnvelope(
  z.looseObject({
    rows: z.array(z.unknown()),
    columns: z.optional(z.unknown()),
    page: pageNumber,
    nextPage: pageNumber,
    totalPageCount: z.nullish(z.int().check(z.nonnegative())),
    totalResults: z.nullish(z.number()),
  }),
);

interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  readonly before: QueryPage | undefined;
}

function readState(answer: Answer, requested: PageRequest): QueryState {
  const { payload } = answer;
  const results = isRecord(payload) && isRecord(payload.results) ? payload.results : {};
  const rows: unknown = results.rows;
  // They are most of an answer, and no schema checks them.
  const rest = Array.isArray(rows)
    ? { ...answer, payload: { ...Object(payload), results: { ...results, rows: [] } } }
    : answer;
  const refuse = (what: string) =>
    new LightspanError('invalid-response', `${answer.request}: results.${what}`);
  const { status, error } = parseResponse(statusSchema, rest).results;
  switch (status) {
    case 'ready':
      return readPage(
        parseResponse(pageSchema, rest).results,
        Array.isArray(rows) ? rows : [],
        requested,
        refuse,
      );
    case 'error':
    case 'cancelled':
    case 'expired':
      return { status, reason: typeof error === 'string' ? error : undefined };
  }
  // Its rows so far are not a result.
  if (requested.before !== undefined) {
    throw refuse(`status: page ${requested.page} is still ${JSON.stringify(status)}`);
  }
  const unfinished = (['pending', 'queued', 'executing'] as const).find((known) => known === status);
  return { status: unfinished ?? 'other', name: status };
}

function readPage(
  results: Exact<z.infer<typeof pageSchema>>['results'],
  rows: readonly unknown[],
  { page, pageSize, before }: PageRequest,
  refuse: (what: string) => LightspanError,
): QueryPage {
  const numberOf = (key: 'page' | 'nextPage' | 'totalPageCount' | 'totalResults') => {
    const number = results[key] ?? undefined;
    return number === undefined ? undefined : doubleOf(number);
  };
  const stated = numberOf('page');
  if (stated !== undefined && stated !== page) throw refuse(`page: page ${stated} came for page ${page}`);
  const nextPage = numberOf('nextPage');
  if (nextPage !== undefined && nextPage !== page + 1) {
    throw refuse(`nextPage: page ${page} names page ${nextPage} as the next`);
  }
  // A count covers all pages: a page that does not repeat it does not revoke it.
  const totalPageCount = numberOf('totalPageCount') ?? before?.totalPageCount;
  const follows =
    totalPageCount === undefined
      ? // A server may limit pages to the size that it uses by default.
        rows.length >= Math.min(pageSize, usualPageSize)
      : page < totalPageCount;
  const namesNext = results.nextPage === undefined ? follows : nextPage !== undefined;
  if (totalPageCount !== undefined && namesNext !== follows) {
    throw refuse(`nextPage: page ${page} of ${totalPageCount} names ${nextPage ?? 'none'} as the next`);
  }
  if (namesNext && rows.length === 0) throw refuse(`rows: page ${page} is empty, and not the last`);
  const cells = rows.map((row, i) => {
    if (!isRecord(row)) throw refuse(`rows[${i}]: expected an object`);
    return new Map(Object.entries(row).map(([fieldId, cell]) => [fieldId, readCell(cell)]));
  });
  // A server that does not state the page may have ignored which one was requested.
  if (stated === undefined && before !== undefined && textOf(cells) === textOf(before.rows)) {
    throw refuse(`rows: page ${page} is page ${before.page} again`);
  }
  return {
    status: 'ready',
    rows: cells,
    columns: isRecord(results.columns) ? Object.keys(results.columns) : [],
    page,
    nextPage: namesNext ? page + 1 : undefined,
    totalPageCount,
    totalResults: numberOf('totalResults') ?? before?.totalResults,
  };
}

function textOf(rows: readonly ResultRow[]): string {
  return stringifyExactJson(rows.map((row) => [...row]));
}

/** `{ value: { raw, formatted } }`; anything else counts as the raw value itself. */
function readCell(cell: unknown): ResultCell {
  const inner = isRecord(cell) ? cell.value : undefined;
  const { raw, formatted } = isRecord(inner) && Object.hasOwn(inner, 'raw') ? inner : { raw: cell };
  if (typeof formatted === 'string') return { raw, formatted };
  const text = raw ?? '';
  return { raw, formatted: typeof text === 'string' ? text : stringifyExactJson(text) };
}
