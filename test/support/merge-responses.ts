import { queryUuid } from './lightdash-server.js';
import { metricQuery } from './merge.js';

/** Responses as the contract shapes them, each a fresh value to be changed at will. */

type Fields = Record<string, unknown>;

const fieldOrigins = {
  day: { kind: 'joinKey', fieldIdBySourceId: { a: 'day', b: 'day' } },
  a_count: { kind: 'source', sourceId: 'a', sourceFieldId: 'count' },
  ratio: { kind: 'tableCalculation' },
};

export function startedMerge(query: Fields = {}): Fields {
  return {
    status: 'ok',
    results: {
      outcome: 'started',
      fieldOrigins,
      parameterReferences: ['region', 'year'],
      query: {
        queryUuid,
        resolvedTimezone: 'Europe/Warsaw',
        usedParametersValues: { region: 'EU' },
        parameterReferences: ['region'],
        cacheMetadata: { cacheHit: false },
        warnings: [],
        fields: {},
        metricQuery: metricQuery(),
        ...query,
      },
    },
  };
}

export function refusedMerge(...errors: readonly Fields[]): Fields {
  return {
    status: 'ok',
    results: {
      outcome: 'refused',
      fieldOrigins: {},
      parameterReferences: [],
      errors: errors.map((error) => ({ message: 'It is wrong.', fieldIds: [], sourceId: null, ...error })),
    },
  };
}

/** An answer to a poll. */
export function queryState(status: string, fields: Fields = {}): Fields {
  return { status: 'ok', results: { queryUuid, status, ...fields } };
}

/** One page of a result, its values formatted in angle brackets. */
export function resultPage(rows: readonly Fields[], fields: Fields = {}): Fields {
  const cell = (raw: unknown) => ({ value: { raw, formatted: `<${String(raw)}>` } });
  return queryState('ready', {
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([fieldId, raw]) => [fieldId, cell(raw)])),
    ),
    ...fields,
  });
}
