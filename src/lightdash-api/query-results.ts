import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { doubleOf, stringifyExactJson } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { okEnvelope, parseResponse } from './parse-response.js';
import { requireUuid } from './path.js';
import type { Answer, Send } from './send.js';

/**
 * What becomes of a started query. The contract leaves its lifecycle and its results open ("not shown"): what stands in
 * this file is the public behaviour of the API, read tolerantly, and all of it stands in this file.
 */

/** One value of a result: as the warehouse gave it, and as Lightdash shows it. */
export interface ResultCell {
  /** Numbers as they were written, see `ExactNumber`. */
  readonly raw: unknown;
  readonly formatted: string;
}

/** One row of a result, by field id. */
export type ResultRow = ReadonlyMap<string, ResultCell>;

export interface QueryPage {
  readonly status: 'ready';
  readonly rows: readonly ResultRow[];
  /** Field ids in the order of the result, where the server gives one; else empty. */
  readonly columns: readonly string[];
  /** Counted from 1. */
  readonly page: number;
  /** Undefined on the last page. */
  readonly nextPage: number | undefined;
  readonly totalPageCount: number | undefined;
  readonly totalResults: number | undefined;
}

export interface FailedQuery {
  readonly status: 'error' | 'cancelled' | 'expired';
  readonly reason: string | undefined;
}

/** A query that has not ended; what the contract's later versions may call it otherwise counts as running. */
export interface RunningQuery {
  readonly status: 'pending' | 'queued' | 'executing' | 'other';
  /** The status as the server names it. */
  readonly name: string;
}

export type QueryState = RunningQuery | QueryPage | FailedQuery;

/** Time as the wait sees it. */
export interface Clock {
  /** Milliseconds, on a clock that never runs backwards. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface FollowQueryRequest {
  readonly projectUuid: string;
  readonly queryUuid: string;
  /** Longest wait for the first page, in milliseconds. */
  readonly windowMs: number;
  /** Rows to ask for at a time; the server may send fewer. */
  readonly pageSize?: number | undefined;
}

const usualPageSize = 500;
const shortestPauseMs = 250;
const longestPauseMs = 1000;

/**
 * Polls a query with growing pauses until it ends, then reads all of its pages. Yields every state as it is seen; the
 * last is `error`, `cancelled`, `expired` or the last page.
 *
 * @throws {LightspanError} `timeout` where the window closes first, `invalid-response` where an answer cannot be read
 */
export async function* followQuery(
  send: Send,
  { projectUuid, queryUuid, windowMs, pageSize = usualPageSize }: FollowQueryRequest,
  clock: Clock,
): AsyncGenerator<QueryState> {
  const path = `/api/v2/projects/${requireUuid(projectUuid, 'project')}/query/${requireUuid(queryUuid, 'query')}`;
  const read = async (page: number, timeoutMs?: number) =>
    readState(
      await send({
        method: 'GET',
        path,
        query: [
          ['page', String(page)],
          ['pageSize', String(pageSize)],
        ],
        timeoutMs,
      }),
      { page, pageSize },
    );

  const closesAt = clock.now() + windowMs;
  let seen = 'not answered for';
  let pauseMs = shortestPauseMs;
  let state: QueryState;
  for (;;) {
    try {
      state = await read(1, closesAt - clock.now());
    } catch (error) {
      // The window bounds each request too, so that the last poll cannot hold it open.
      if (isTimeout(error) && clock.now() >= closesAt) throw windowClosed(queryUuid, windowMs, seen);
      throw error;
    }
    yield state;
    if (!('name' in state)) break;
    seen = state.name;
    if (clock.now() + pauseMs >= closesAt) throw windowClosed(queryUuid, windowMs, seen);
    await clock.sleep(pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  }
  while (state.status === 'ready' && state.nextPage !== undefined) {
    state = await read(state.nextPage);
    yield state;
  }
}

const statusSchema = okEnvelope(
  z.looseObject({
    status: z.string().check(z.minLength(1)),
    error: z.optional(z.unknown()),
  }),
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

/** A page as it was asked for. */
interface AskedPage {
  readonly page: number;
  readonly pageSize: number;
}

function readState(answer: Answer, asked: AskedPage): QueryState {
  const { rows, rest } = takeRows(answer);
  const { results } = parseResponse(statusSchema, rest);
  switch (results.status) {
    case 'ready':
      return readPage(rest, rows, asked);
    case 'error':
    case 'cancelled':
    case 'expired':
      return {
        status: results.status,
        reason: typeof results.error === 'string' ? results.error : undefined,
      };
    case 'pending':
    case 'queued':
    case 'executing':
      return { status: results.status, name: results.status };
    default:
      return { status: 'other', name: results.status };
  }
}

/** The rows apart: they are most of an answer, and no schema looks into them. */
function takeRows(answer: Answer): { readonly rows: readonly unknown[]; readonly rest: Answer } {
  const { payload } = answer;
  const results = isRecord(payload) ? payload.results : undefined;
  if (!isRecord(payload) || !isRecord(results) || !Array.isArray(results.rows))
    return { rows: [], rest: answer };
  return {
    rows: results.rows,
    rest: { ...answer, payload: { ...payload, results: { ...results, rows: [] } } },
  };
}

function readPage(answer: Answer, rows: readonly unknown[], { page, pageSize }: AskedPage): QueryPage {
  const { results } = parseResponse(pageSchema, answer);
  const { columns } = results;
  const [told, nextPage, totalPageCount, totalResults] = [
    results.page,
    results.nextPage,
    results.totalPageCount,
    results.totalResults,
  ].map((number) => (number === undefined || number === null ? undefined : doubleOf(number)));
  const refuse = (what: string) =>
    new LightspanError('invalid-response', `${answer.request}: results.${what}`);
  if (told !== undefined && told !== page) throw refuse(`page: page ${told} came for page ${page}`);
  if (nextPage !== undefined && nextPage <= page) {
    throw refuse(`nextPage: page ${page} names page ${nextPage} as the next`);
  }
  const follows =
    results.nextPage === null
      ? false
      : typeof totalPageCount === 'number'
        ? page < totalPageCount
        : // A server may send no more than it would without being asked for a number.
          rows.length >= Math.min(pageSize, usualPageSize);
  return {
    status: 'ready',
    rows: rows.map((row, i) => {
      if (isRecord(row) && !Object.hasOwn(row, '__proto__')) return readRow(row);
      throw refuse(`rows[${i}]: expected an object${isRecord(row) ? ' without a key named __proto__' : ''}`);
    }),
    columns: typeof columns === 'object' && columns !== null ? Object.keys(columns) : [],
    page,
    nextPage: nextPage ?? (follows ? page + 1 : undefined),
    totalPageCount,
    totalResults,
  };
}

function readRow(row: Record<string, unknown>): ResultRow {
  const cells = new Map<string, ResultCell>();
  for (const fieldId of Object.keys(row)) cells.set(fieldId, readCell(row[fieldId]));
  return cells;
}

/** `{ value: { raw, formatted } }`; anything else is taken as the raw value itself. */
function readCell(cell: unknown): ResultCell {
  const value = isRecord(cell) && isRecord(cell.value) ? cell.value : { raw: cell };
  const { raw, formatted } = value;
  if (typeof formatted === 'string') return { raw, formatted };
  if (raw === null || raw === undefined) return { raw, formatted: '' };
  return { raw, formatted: typeof raw === 'string' ? raw : stringifyExactJson(raw) };
}

function isTimeout(error: unknown): boolean {
  return error instanceof LightspanError && error.code === 'timeout';
}

function windowClosed(queryUuid: string, windowMs: number, seen: string): LightspanError {
  return new LightspanError('timeout', `the query ${queryUuid} is still ${seen} after ${windowMs / 1000} s`, {
    hint: 'It runs on at the server. Wait longer with --wait 30m.',
  });
}
