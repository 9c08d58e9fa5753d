import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../src/core/lightspan-error.js';
import { followQuery, type QueryState } from '../../../src/gather/api/query-results.js';
import type { Answer, ApiRequest } from '../../../src/gather/api/send.js';
import { projectUuid, queryUuid } from '../../support/lightdash-server.js';

const ok = (results: Record<string, unknown>) => ({ status: 'ok', results });
const row = (value: unknown) => ({ a: { value: { raw: value, formatted: `<${value}>` } } });
const ready = (rows: unknown[], rest: Record<string, unknown> = {}) => ok({ status: 'ready', rows, ...rest });

/** Follows a query that gives these answers, on a clock that only sleeping and slow answers move. */
async function follow(
  answers: readonly unknown[],
  {
    windowMs = 600_000,
    answerMs = 0,
    pageSize,
  }: { windowMs?: number; answerMs?: number; pageSize?: number | undefined } = {},
) {
  let now = 0;
  const pauses: number[] = [];
  const requests: ApiRequest[] = [];
  const states: QueryState[] = [];
  const send = async (request: ApiRequest): Promise<Answer> => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    if (requests.length > 1000) throw new Error('asked 1000 times');
    const { timeoutMs = Number.POSITIVE_INFINITY } = request;
    now += Math.min(answerMs, timeoutMs);
    if (answerMs > timeoutMs) throw new LightspanError('timeout', 'GET: no answer');
    if (answer instanceof Error) throw answer;
    return { request: `${request.method} ${request.path}`, payload: answer };
  };
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      pauses.push(ms);
      now += ms;
      // A loop that never ends would end no test: on this clock it takes no time.
      if (pauses.length > 1000) throw new Error('slept 1000 times');
    },
  };
  let error: unknown;
  try {
    for await (const state of followQuery(send, { projectUuid, queryUuid, windowMs, pageSize }, clock)) {
      states.push(state);
    }
  } catch (caught) {
    error = caught;
  }
  return { states, pauses, requests, error, now };
}

describe('waiting for a query', () => {
  it('polls with growing pauses through every status until it is ready', async () => {
    const waiting = ['pending', 'queued', 'executing', 'executing', 'executing', 'executing', 'executing'];
    const { states, pauses } = await follow([...waiting.map((status) => ok({ status })), ready([])]);
    expect(states.map(({ status }) => status)).toEqual([...waiting, 'ready']);
    expect(pauses.slice(0, 3)).toEqual([250, 375, 562.5]);
    expect(pauses.slice(4)).toEqual([1000, 1000, 1000]);
  });

  it('that is never answered for ends with the window', async () => {
    const { error, requests } = await follow([ready([])], { windowMs: 1000, answerMs: 2000 });
    expect(error).toMatchObject({
      code: 'timeout',
      message: `the query ${queryUuid} is still not answered for after 1 s`,
    });
    expect(requests).toHaveLength(1);
  });

  it('gives up when the window closes, and names the query', async () => {
    const { error, now } = await follow([ok({ status: 'executing' })], { windowMs: 5000 });
    expect(error).toMatchObject({
      code: 'timeout',
      message: `the query ${queryUuid} is still executing after 5 s`,
    });
    expect(now).toBeLessThanOrEqual(5000);
  });

  it('a poll that does not answer cannot hold the window open', async () => {
    const { error, now } = await follow([ok({ status: 'executing' })], { windowMs: 5000, answerMs: 3000 });
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('is still executing after 5 s'),
    });
    expect(now).toBe(5000);
  });

  it('a request that fails is not a query that failed', async () => {
    const failed = new LightspanError('network', 'GET: reset');
    expect((await follow([ok({ status: 'queued' }), failed])).error).toBe(failed);
  });
});

const full = Array.from({ length: 500 }, (_, i) => row(i));
const executing = ok({ status: 'executing' });

/** What is asked and seen of each, and why it cannot be trusted, stands in `query-results.txt`. */
const followed: Readonly<Record<string, readonly [answers: readonly unknown[], pageSize?: number]>> = {
  ...Object.fromEntries(
    ['error', 'cancelled', 'expired'].flatMap((status) => [
      [`${status}, with a reason`, [[ok({ status, error: 'no such column' })]]],
      [`${status}, without one`, [[ok({ status, error: null })]]],
    ]),
  ),
  'a status that is none': [[ok({ status: 7 })]],
  'an empty status': [[ok({ status: '' })]],
  'no status': [[ok({})]],
  'a page 0': [[ready([], { nextPage: 0 })]],
  'a page below 0': [[ready([], { totalPageCount: -1 })]],
  'ready without rows': [[ok({ status: 'ready' })]],
  'rows that are none': [[ready([1])]],
  'another envelope': [[{ status: 'error' }]],
  'another page than was asked for': [[ready([row(1)], { page: 2 })]],
  'a next page that lies behind': [[ready([row(1)], { nextPage: 1 })]],
  'a next page behind the next': [[ready([row(1)], { nextPage: 3 })]],
  'no next page before the last': [[ready([row(1)], { nextPage: null, totalPageCount: 2 })]],
  'a next page behind the last': [[ready([row(1)], { nextPage: 2, totalPageCount: 1 })]],
  'an empty page before the last': [[ready([], { page: 1, nextPage: 2 })]],
  'pages by nextPage': [
    [ready([row(1)], { nextPage: 2 }), ready([row(2)], { nextPage: 3 }), ready([], { nextPage: null })],
  ],
  'pages by totalPageCount': [
    [ready([row(1)], { totalPageCount: 2 }), ready([row(2)], { totalPageCount: 2 })],
  ],
  'full pages, where neither is given': [[ready(full), ready([row(1)])]],
  'full pages of its own, where more rows were asked for': [[ready(full), ready([row(1)])], 5000],
  'a short page': [[ready([row(1)])]],
  'a full page where nextPage is null': [[ready(full, { nextPage: null })]],
  'a result that goes away in between': [[ready([row(1)], { nextPage: 2 }), ok({ status: 'expired' })]],
  'a query that runs again in between': [[ready([row(1)], { nextPage: 2 }), executing]],
  'the rows of the page before': [[ready(full), ready(full)]],
  'the same rows, where pages are numbered': [
    [ready(full, { page: 1, nextPage: 2 }), ready(full, { page: 2, nextPage: null })],
  ],
  'no next page before the last that was told': [
    [ready([row(1)], { totalPageCount: 3 }), ready([row(2)], { nextPage: null })],
  ],
  'counts that only the first page tells': [
    [ready([row(1)], { totalPageCount: 2, totalResults: 3 }), ready([row(2)])],
  ],
};

describe('the pages of a result', () => {
  it('are followed to the last, and must agree with each other', async () => {
    const texts: string[] = [];
    for (const [title, [answers, pageSize]] of Object.entries(followed)) {
      const { states, requests, error } = await follow(answers, { pageSize });
      const asked = requests.map(({ query = [] }) => query.map((pair) => pair.join('=')).join('&'));
      const seen = states.map((state) =>
        JSON.stringify(state.status === 'ready' ? { ...state, rows: state.rows.length } : state),
      );
      const end =
        error instanceof LightspanError ? [`${error.code}: ${error.message.replace(/GET \S+: /, '')}`] : [];
      texts.push([title, ...asked, ...seen, ...end].join('\n  '));
    }
    await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('query-results.txt');
  });

  it('hold raw and formatted values, however a cell is written', async () => {
    const cells = {
      both: { value: { raw: 1.5, formatted: '1.50 €' } },
      rawOnly: { value: { raw: true } },
      nothing: { value: { raw: null } },
      bare: 'x',
      object: { value: { raw: { a: 1 } } },
      bareObject: { value: { a: 1 } },
    };
    const { states } = await follow([ready([cells], { columns: { b: {}, a: {} }, totalResults: 1 })]);
    expect(states).toEqual([
      {
        status: 'ready',
        rows: [
          new Map([
            ['both', { raw: 1.5, formatted: '1.50 €' }],
            ['rawOnly', { raw: true, formatted: 'true' }],
            ['nothing', { raw: null, formatted: '' }],
            ['bare', { raw: 'x', formatted: 'x' }],
            ['object', { raw: { a: 1 }, formatted: '{"a":1}' }],
            ['bareObject', { raw: { value: { a: 1 } }, formatted: '{"value":{"a":1}}' }],
          ]),
        ],
        columns: ['b', 'a'],
        page: 1,
        nextPage: undefined,
        totalPageCount: undefined,
        totalResults: 1,
      },
    ]);
  });
});
