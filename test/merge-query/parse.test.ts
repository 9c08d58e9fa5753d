import { describe, expect, it } from 'vitest';
import { parseErrorPayload, parseMergeRequest, parseMergeResponse } from '../../src/merge-query/parse.js';
import { problemsOf } from '../support/merge.js';

const request = {
  mergeQuery: {
    limit: 500,
    tableCalculations: [],
    joinType: 'inner',
    joinKey: [{ name: 'day', fieldIdBySourceId: { orders: 'orders_day', visits: 'visits_day' } }],
    sources: [
      { id: 'orders', queryUuid: '6f1c1f5e-9d0e-4b6e-8a52-6f6f2b1f0f11' },
      { id: 'visits', queryUuid: '7a2d2a6f-0e1f-4c7f-9b63-7a7a3c2a1a22' },
    ],
  },
};

describe('parseMergeRequest', () => {
  it('takes the least that the contract requires', () => {
    expect(parseMergeRequest(request)).toEqual({ ok: true, value: request });
  });

  it('names every fault, where it is and what was expected there', () => {
    expect(
      problemsOf(
        parseMergeRequest({
          mergeQuery: { ...request.mergeQuery, joinType: 'outer', tableCalculation: [] },
          context: 'clii',
        }),
      ),
    ).toEqual([
      'mergeQuery.joinType: expected "full", "left" or "inner", got "outer"',
      'mergeQuery.tableCalculation: unknown key; did you mean `tableCalculations`?',
      'context: expected one of 32 values, got "clii"; did you mean `cli`?',
    ]);
  });
});

const mergeMetadata = { fieldOrigins: {}, parameterReferences: [] };
const error = { kind: 'empty_join_key', message: 'no key', fieldIds: [], sourceId: null };

describe('parseMergeResponse', () => {
  it('takes a refusal, and what the contract does not know in it', () => {
    const refused = {
      outcome: 'refused',
      ...mergeMetadata,
      errors: [{ ...error, kind: 'new_kind', more: 1 }],
    };
    const response = { status: 'ok', results: refused, more: true };
    expect(parseMergeResponse(response)).toEqual({ ok: true, value: response });
  });

  it.each([
    [
      'an outcome never seen',
      { outcome: 'paused' },
      'results.outcome: expected "started" or "refused", got "paused"',
    ],
    [
      'refused without errors',
      { outcome: 'refused', ...mergeMetadata, errors: [] },
      'results.errors: expected at least 1 in the list, got an empty list',
    ],
    [
      'refused with a query',
      { outcome: 'refused', ...mergeMetadata, errors: [error], query: {} },
      'results.query: expected nothing here, got an object',
    ],
  ])('refuses %s', (_, results, problem) => {
    expect(problemsOf(parseMergeResponse({ status: 'ok', results }))).toEqual([problem]);
  });
});

describe('parseErrorPayload', () => {
  it('takes the documented payload and leaves data untouched', () => {
    const payload = {
      status: 'error',
      error: { name: 'ForbiddenError', statusCode: 403, data: { a: [null] } },
    };
    expect(parseErrorPayload(payload)).toEqual({ ok: true, value: payload });
  });
});
