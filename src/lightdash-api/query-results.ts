import * as z from 'zod/mini';
import { LightspanError } from '../errors.js';
import { doubleOf, stringifyExactJson } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { requireUuid } from './base-url.js';
import { type Answer, okEnvelope, parseResponse, type Send } from './send.js';

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

/** One row of a result, by field id. */
export type ResultRow = ReadonlyMap<string, ResultCell>;

/** A page of the rows of a query. */
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
export interface RunningQuery {
  readonly status: 'pending' | 'queued' | 'executing' | 'other';
  /** The status by the server's name. */
  readonly name: string;
}

/** A state of a query, as `followQuery` yields it. */
export type QueryState = RunningQuery | QueryPage | FailedQuery;

/** The clock of the wait. */
export interface Clock {
  /** Milliseconds, on a clock that never runs backwards. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface FollowQueryRequest {
  readonly projectUuid: string;
  readonly queryUuid: string;
  /** The maximum wait for the first page, in milliseconds. */
  readonly windowMs: number;
  /** Rows per request; the server may send fewer. */
  readonly pageSize?: number | undefined;
}

const usualPageSize = 500;
const shortestPauseMs = 250;
const longestPauseMs = 1000;

/**
 * Polls a query with growing pauses until it ends, then reads all of its pages. Yields every state that it sees; the
 * last is `error`, `cancelled`, `expired` or the last page.
 *
 * @throws {LightspanError} `timeout` if the window closes first, `invalid-response` if an answer cannot be read, is
 *   about another query, or contradicts the pages before it
 */
export async function* followQuery(
  send: Send,
  { projectUuid, queryUuid, windowMs, pageSize = usualPageSize }: FollowQueryRequest,
  clock: Clock,
): AsyncGenerator<QueryState> {
  const path = `/api/v2/projects/${requireUuid(projectUuid, 'project')}/query/${requireUuid(queryUuid, 'query')}`;
  const read = async (page: number, { before, timeoutMs }: { before?: QueryPage; timeoutMs?: number }) =>
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
      { queryUuid, page, pageSize, before },
    );

  const closesAt = clock.now() + windowMs;
  let seen = 'not answered for';
  let pauseMs = shortestPauseMs;
  let state: QueryState;
  for (;;) {
    try {
      state = await read(1, { timeoutMs: closesAt - clock.now() });
    } catch (error) {
      // The window limits each request too, so that the last poll cannot outlast it.
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
    state = await read(state.nextPage, { before: state });
    yield state;
  }
}

const statusSchema = okEnvelope(
  z.looseObject({
    status: z.string().check(z.minLength(1)),
    queryUuid: z.optional(z.unknown()),
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

/** A requested page. */
interface AskedPage {
  readonly queryUuid: string;
  readonly page: number;
  readonly pageSize: number;
  readonly before: QueryPage | undefined;
}

function readState(answer: Answer, asked: AskedPage): QueryState {
  const { rows, rest } = takeRows(answer);
  const { results } = parseResponse(statusSchema, rest);
  const { queryUuid: told, status } = results;
  if (typeof told === 'string' && told.toLowerCase() !== asked.queryUuid.toLowerCase()) {
    throw contradiction(answer, `queryUuid: ${JSON.stringify(told)} came for ${asked.queryUuid}`);
  }
  switch (status) {
    case 'ready':
      return readPage(rest, rows, asked);
    case 'error':
    case 'cancelled':
    case 'expired':
      return { status, reason: typeof results.error === 'string' ? results.error : undefined };
    default:
      // Its rows so far are not a result.
      if (asked.before !== undefined) {
        throw contradiction(answer, `status: page ${asked.page} is still ${JSON.stringify(status)}`);
      }
      return { status: isRunning(status) ? status : 'other', name: status };
  }
}

function isRunning(status: string): status is 'pending' | 'queued' | 'executing' {
  return status === 'pending' || status === 'queued' || status === 'executing';
}

function contradiction({ request }: Answer, what: string): LightspanError {
  return new LightspanError('invalid-response', `${request}: results.${what}`);
}

/** Separates the rows: they are most of an answer, and no schema checks them. */
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

function readPage(
  answer: Answer,
  rows: readonly unknown[],
  { page, pageSize, before }: AskedPage,
): QueryPage {
  const { results } = parseResponse(pageSchema, answer);
  const { columns } = results;
  const refuse = (what: string) => contradiction(answer, what);
  const numberOf = (key: 'page' | 'nextPage' | 'totalPageCount' | 'totalResults') => {
    const number = results[key];
    return number === undefined || number === null ? undefined : doubleOf(number);
  };
  /** A count covers all pages: a page that does not repeat it does not revoke it. */
  const countOf = (key: 'totalPageCount' | 'totalResults') => {
    const count = numberOf(key);
    const known = before?.[key];
    if (count === undefined || known === undefined || count === known) return count ?? known;
    throw refuse(`${key}: page ${page} says ${count}, and those before it ${known}`);
  };
  const told = numberOf('page');
  if (told !== undefined && told !== page) throw refuse(`page: page ${told} came for page ${page}`);
  const nextPage = numberOf('nextPage');
  if (nextPage !== undefined && nextPage !== page + 1) {
    throw refuse(`nextPage: page ${page} names page ${nextPage} as the next`);
  }
  const totalPageCount = countOf('totalPageCount');
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
    if (isRecord(row) && !Object.hasOwn(row, '__proto__')) return readRow(row);
    throw refuse(`rows[${i}]: expected an object${isRecord(row) ? ' without a key named __proto__' : ''}`);
  });
  // A server that does not state the page may have ignored which one was requested.
  if (told === undefined && before !== undefined && areSame(cells, before.rows)) {
    throw refuse(`rows: page ${page} is page ${before.page} again`);
  }
  return {
    status: 'ready',
    rows: cells,
    columns: isRecord(columns) ? Object.keys(columns) : [],
    page,
    nextPage: namesNext ? page + 1 : undefined,
    totalPageCount,
    totalResults: countOf('totalResults'),
  };
}

function areSame(rows: readonly ResultRow[], others: readonly ResultRow[]): boolean {
  const textOf = (row: ResultRow | undefined) => stringifyExactJson([...(row ?? [])]);
  return rows.length === others.length && rows.every((row, i) => textOf(row) === textOf(others[i]));
}

function readRow(row: Record<string, unknown>): ResultRow {
  const cells = new Map<string, ResultCell>();
  for (const fieldId of Object.keys(row)) cells.set(fieldId, readCell(row[fieldId]));
  return cells;
}

/** `{ value: { raw, formatted } }`; anything else counts as the raw value itself. */
function readCell(cell: unknown): ResultCell {
  const inner = isRecord(cell) ? cell.value : undefined;
  const value = isRecord(inner) && Object.hasOwn(inner, 'raw') ? inner : { raw: cell };
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
    hint: 'It is still running on the server. Wait longer with --wait 30m.',
  });
}
