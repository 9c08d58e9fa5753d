import { expect, it } from 'vitest';
import {
  type FactValue,
  factKindOf,
  factNames,
  isFactName,
  isObserved,
  readFact,
} from '../../../src/instance/facts/fact-names.js';

it.each([
  ['edition', 'community', 'community'],
  ['migration-job', 'on', 'on'],
  ['backup', '2026-11-28T10:00Z', '2026-11-28T10:00Z'],
  ['backup', '2026-11-28T10:00:30+02:00', '2026-11-28T10:00:30+02:00'],
  ['chart-version', '12.160.1', '12.160.1'],
  ['chart-version', '3.0.0-beta.1', '3.0.0-beta.1'],
  ['postgres-major', '15', 15],
  ['postgres-major', 0, 0],
  ['rows.saved_queries_versions', '1350000', 1_350_000],
  ['rows.saved_queries_versions', '9'.repeat(15), 999_999_999_999_999],
  ['bytes.saved_queries_versions', 12, 12],
  ['table.ai_prompt', 'absent', 'absent'],
  ['migration.20260903120000_add_response_timing_to_ai_prompt', 'pending', 'pending'],
])('reads %s=%s', (name, written, value) => {
  expect(readFact(name, written)).toEqual({ ok: true, name, value });
});

const version = 'a version X.Y.Z';
const count = 'a whole number';

it.each<[name: string, written: FactValue, expected: string | undefined]>([
  ['edition', 'Community', 'community or enterprise'],
  ['edition', 'set', 'community or enterprise'],
  ...[
    '2026-11-28',
    '2026-11-28T10:00',
    'today',
    '2026-13-01T10:00Z',

    '2026-11-28T25:00Z',
    1,
  ].map((written): [string, FactValue, string] => ['backup', written, 'a time as 2026-11-28T10:00Z']),
  ...['2.16', 'v2.16.0', '^2.16.0', '2.16.0+build', '2.016.0', '2.16.0-', '2.16.0 ', '2.16.0-a b'].map(
    (written): [string, FactValue, string] => ['chart-version', written, version],
  ),
  ...['15.2', '1e6', '', '012', '-1', ' 1', '1 ', '1'.repeat(16), 1.5].map(
    (written): [string, FactValue, string] => ['postgres-major', written, count],
  ),
  ...[
    'editions',
    'toString',
    '',
    'table',
    'table.',
    'table.a b',
    'rows.a.b',
    'a.rows.b',
    '.ai_prompt',
    'colour.x',
  ].map((name): [string, FactValue, undefined] => [name, 'absent', undefined]),
  ['edition.x', 'community', undefined],
])('refuses %s=%s, for %s', (name, written, expected) => {
  expect(readFact(name, written)).toEqual({ ok: false, expected });
});

it('lists the names as a person writes them, with what may be said of each', () => {
  const kinds = factNames.map((name) => {
    const { kind, expected } = factKindOf(name.replace(/<.*>/, 'x')) ?? {};
    return [name, kind, expected];
  });
  expect(kinds).toEqual([
    ['edition', 'word', 'community or enterprise'],
    ['deployed-by', 'word', 'helm or compose'],
    ['chart-version', 'version', version],
    ['object-storage', 'word', 'configured or missing'],
    ['object-store', 'word', 'minio or rustfs or other'],
    ['pre-aggregates-without-refresh', 'count', count],
    ['migration-job', 'word', 'on or off'],
    ['pre-aggregates', 'word', 'on or off'],
    ['postgres-major', 'count', count],
    ['statement-timeout', 'word', 'none or set'],
    ['backup', 'time', 'a time as 2026-11-28T10:00Z'],
    ['table.<table>', 'word', 'present or absent'],
    ['rows.<table>', 'count', count],
    ['bytes.<table>', 'count', count],
    ['migration.<file>', 'word', 'applied or pending'],
    ['variable.<NAME>', 'word', 'set or empty or absent'],
  ]);
  expect(['rows.users', 'edition', 'rows'].map(isFactName)).toEqual([true, true, false]);
});

it.each([
  [{}, false],
  [{ stated: 'stated' }, false],
  [{ stated: 'stated', ledger: 'database' }, true],
])('of facts by %j, whether any was observed: %s', (sources, expected) => {
  const facts = Object.entries(sources).map(([name, source]) => [name, { status: 'absent', source }]);
  expect(isObserved({ ...Object.fromEntries(facts), pods: undefined })).toBe(expected);
});
