import { describe, expect, it } from 'vitest';
import {
  describeFactKind,
  factKindOf,
  factNames,
  isFactName,
  joinFacts,
  readFactValue,
} from '../../src/facts/fact-names.js';
import { factsOfFile } from '../../src/facts/known-facts.js';
import { factsText, parseFactsFile } from '../../src/facts/read-facts.js';
import { migratorFact, serverFact, tableFact } from '../support/facts.js';
import { idleLease } from '../support/preflight.js';

const seenAt = '2026-11-21T20:00:00Z';

function factsFile(facts: Record<string, unknown>): string {
  return JSON.stringify({ schemaVersion: '1', collectedAt: seenAt, facts });
}

function seen(value: unknown, source = 'database') {
  return { status: 'seen', value, seenAt, source };
}

describe('the names of facts', () => {
  it.each([
    ['edition', 'community', 'community'],
    ['edition', 'Community', undefined],
    ['migration-job', 'on', 'on'],
    ['chart-version', '2.16.101', '2.16.101'],
    ['chart-version', '3.0.0-beta.1', '3.0.0-beta.1'],
    ['chart-version', '2.16', undefined],
    ['chart-version', '2.160.1', '2.160.1'],
    ['chart-version', '^2.16.0', undefined],
    ['chart-version', '2.16.0+build', undefined],
    ['postgres-major', '15', 15],
    ['postgres-major', '15.2', undefined],
    ['rows.saved_queries_versions', '1350000', 1_350_000],
    ['rows.saved_queries_versions', '1e6', undefined],
    ['rows.saved_queries_versions', '', undefined],
    ['rows.saved_queries_versions', '012', undefined],
    ['table.ai_prompt', 'absent', 'absent'],
    ['migration.20260903120000_add_response_timing_to_ai_prompt', 'pending', 'pending'],
  ])('%s=%s', (name, text, value) => {
    const kind = factKindOf(name);
    expect(kind && readFactValue(kind, text)).toBe(value);
  });

  it.each(['editions', 'toString', '', 'table', 'table.', 'table.a b', 'rows.a.b', '.ai_prompt', 'colour.x'])(
    'knows no fact %j',
    (name) => expect(factKindOf(name)).toBeUndefined(),
  );

  it('are listed as a person writes them', () => {
    expect(factNames.slice(-4)).toEqual([
      'table.<table>',
      'rows.<table>',
      'bytes.<table>',
      'migration.<file>',
    ]);
    expect(factNames[0]).toBe('edition');
    expect([isFactName('rows.users'), isFactName('rows')]).toEqual([true, false]);
  });

  it('says how each kind is written', () => {
    expect(
      ['edition', 'rows.a', 'chart-version']
        .map((name) => factKindOf(name))
        .map((kind) => kind && describeFactKind(kind)),
    ).toEqual(['community or enterprise', 'a whole number', 'a version X.Y.Z']);
  });
});

describe('a facts file', () => {
  it.each(['', '(1 row)'])('that psql did not write as it should says how it does: %j', (text) => {
    expect(() => parseFactsFile(text)).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^psql -X -A -t .* on standard error\.$/) }),
    );
  });

  it.each([
    ['{', 'the facts are not JSON'],
    [' \n', 'the facts are empty'],
    ['{"schemaVersion":"1","facts":{},"facts":{}}', 'the facts hold an object with the key "facts" twice'],
    ['['.repeat(600), 'the facts nest deeper than 200 levels'],
    [' '.repeat(8 * 1024 * 1024 + 1), 'the facts are longer than 8388608 characters'],
    ['[]', 'the facts are not a JSON object, but an empty list'],
    [
      JSON.stringify({ schemaVersion: '2', collectedAt: seenAt, facts: {} }),
      'schemaVersion is "2"; this version of lightspan reads facts schemaVersion "1"',
    ],
    [
      JSON.stringify({ schemaVersion: '1', collectedAt: 'yesterday', facts: {} }),
      'collectedAt: expected an ISO 8601 date-time, got "yesterday"',
    ],
    [factsFile({ tabels: seen([]) }), 'facts.tabels: unknown key; did you mean `tables`?'],
    [factsFile({ server: 'up' }), 'facts.server: expected an object, got "up"'],
    [
      factsFile({ server: { status: 'seen', source: 'database' } }),
      'facts.server.value: missing; expected an object',
    ],
    [
      factsFile({ server: { status: 'guessed', source: 'database' } }),
      'facts.server.status: expected "seen", "not-permitted", "absent", "timeout", "not-asked", "failed" or "unsafe", got "guessed"',
    ],
    [
      factsFile({ server: seen({ ...serverFact, versionNum: '15' }) }),
      'facts.server.value.versionNum: expected a finite number, got "15"',
    ],
    [
      factsFile({ server: seen({ ...serverFact, versionNum: 1.5 }) }),
      'facts.server.value.versionNum: expected a whole number, got 1.5',
    ],
    [
      factsFile({ server: seen({ ...serverFact, versionNum: -1 }) }),
      'facts.server.value.versionNum: expected 0 or more, got -1',
    ],
    [
      factsFile({ server: seen({ ...serverFact, inRecovery: 'no' }) }),
      'facts.server.value.inRecovery: expected true or false, got "no"',
    ],
    [
      factsFile({ tables: seen([tableFact({ name: 1 as never })]) }),
      'facts.tables.value[0].name: expected a string, got 1',
    ],
    [
      factsFile({ tables: seen([tableFact({ name: 'users', sizedBy: 'guess' as never })]) }),
      'facts.tables.value[0].sizedBy: expected "files" or "statistics", got "guess"',
    ],
    [factsFile({ tables: seen({}) }), 'facts.tables.value: expected a list, got an object'],
    [
      factsFile({ stated: seen({ editoin: 'community' }, 'stated') }),
      'facts.stated.value.editoin: expected the name of a fact, got "community"',
    ],
    [
      factsFile({ stated: seen({ 'postgres-major': 15, edition: 'free' }, 'stated') }),
      'facts.stated.value.edition: expected community or enterprise, got "free"',
    ],
  ])('refuses %.60s', (text, message) => {
    const code = /schemaVersion "1"$/.test(String(message)) ? 'unsupported-schema-version' : 'invalid-facts';
    expect(() => parseFactsFile(text)).toThrow(
      expect.objectContaining({
        code,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    );
  });

  it('is read up to 4 MiB', () => {
    const text = factsFile({});
    expect(parseFactsFile(text.padEnd(4 * 1024 * 1024)).facts).toEqual({});
  });

  it('tells the facts that conditions ask for', () => {
    const facts = factsOfFile(
      parseFactsFile(
        factsFile({
          stated: seen({ edition: 'community', 'rows.sessions': 5 }, 'stated'),
          server: seen(serverFact),
          migrator: seen({ ...migratorFact, statementTimeoutMs: 30_000 }),
          tables: seen([
            tableFact({ name: 'users', estimatedRows: 12, heapBytes: 100, toastBytes: 20, indexBytes: 7 }),
            tableFact({ name: 'fresh', estimatedRows: null, heapBytes: null, sizedBy: 'statistics' }),
            tableFact({ name: 'partly', heapBytes: 100, toastBytes: null, sizedBy: 'statistics' }),
          ]),
          ledger: seen([{ name: '20260101000000_a.js', batch: 1, migratedAt: null }]),
        }),
      ),
    );
    expect(
      (
        [
          'edition',
          'deployed-by',
          'postgres-major',
          'statement-timeout',
          'table.users',
          'table.ai_prompt',
          'rows.users',
          'rows.fresh',
          'rows.sessions',
          'bytes.users',
          'bytes.fresh',
          'bytes.partly',
          'migration.20260101000000_a',
          'migration.20260102000000_b',
        ] as const
      ).map((name) => facts.valueOf(name)),
    ).toEqual([
      'community',
      undefined,
      15,
      'set',
      'present',
      'absent',
      12,
      undefined,
      5,
      120,
      undefined,
      undefined,
      'applied',
      'pending',
    ]);
  });

  it.each([
    ['of a locked table, which statistics saw once', [{ sizedBy: 'statistics' }]],
    ['of one whose rows are in partitions', [{ kind: 'partitioned' }]],
    ['of one that others inherit from', [{}, { name: 'visits_2026', partitionOf: 'visits' }]],
  ] as const)('does not tell the size %s', (_, tables) => {
    const facts = factsOfFile(
      parseFactsFile(
        factsFile({ tables: seen(tables.map((told) => tableFact({ name: 'visits', ...told }))) }),
      ),
    );
    const names = ['table.visits', 'rows.visits', 'bytes.visits'] as const;
    expect(names.map((name) => facts.valueOf(name))).toEqual(['present', undefined, undefined]);
  });

  it.each([
    [0, 0, 'none'],
    [500, 0, 'set'],
    // Each statement that runs on its own is a transaction.
    [0, 500, 'set'],
    [500, null, 'set'],
    [null, 0, undefined],
    [0, null, undefined],
  ])('tells of a statement_timeout of %s and a transaction_timeout of %s that it is %s', (...limits) => {
    const [statementTimeoutMs, transactionTimeoutMs, expected] = limits;
    const file = factsFile({ migrator: seen({ ...migratorFact, statementTimeoutMs, transactionTimeoutMs }) });
    expect(factsOfFile(parseFactsFile(file)).valueOf('statement-timeout')).toBe(expected);
  });

  it('what a person states counts before what was seen', () => {
    const file = factsFile({
      stated: seen({ 'postgres-major': 14, 'rows.users': 7, 'table.users': 'absent' }, 'stated'),
      server: seen(serverFact),
      tables: seen([tableFact({ name: 'users', estimatedRows: 12 })]),
    });
    const facts = factsOfFile(parseFactsFile(file));
    expect(
      (['postgres-major', 'rows.users', 'table.users'] as const).map((name) => facts.valueOf(name)),
    ).toEqual([14, 7, 'absent']);
  });

  it('a number that is stated as a text is that number', () => {
    const file = factsFile({ stated: seen({ 'postgres-major': '14' }, 'stated') });
    expect(factsOfFile(parseFactsFile(file)).valueOf('postgres-major')).toBe(14);
  });

  it('of two that know, the first counts', () => {
    const factsWith = (stated: object) =>
      factsOfFile(parseFactsFile(factsFile({ stated: seen(stated, 'stated') })));
    const joined = joinFacts(
      factsWith({ edition: 'community' }),
      factsWith({ edition: 'enterprise', 'rows.a': 1 }),
    );
    expect((['edition', 'rows.a', 'rows.b'] as const).map((name) => joined.valueOf(name))).toEqual([
      'community',
      1,
      undefined,
    ]);
  });

  it('a migration is the same, whichever extension the ledger has', () => {
    const names = ['20260101000000_a.js', '20260102000000_b.ts', '20260103000000_c'];
    const file = factsFile({ ledger: seen(names.map((name) => ({ name, batch: 1, migratedAt: null }))) });
    const facts = factsOfFile(parseFactsFile(file));
    expect(
      (['20260101000000_a', '20260102000000_b', '20260103000000_c'] as const).map((name) =>
        facts.valueOf(`migration.${name}`),
      ),
    ).toEqual(['applied', 'applied', 'applied']);
  });

  it('a migration is known by the time that its name begins with', () => {
    const ledger = seen([{ name: '20260101000000_a.js', batch: 1, migratedAt: null }]);
    const facts = factsOfFile(parseFactsFile(factsFile({ ledger })));
    const times = ['20260101000000', '20260102000000'] as const;
    expect(times.map((time) => facts.valueOf(`migration.${time}`))).toEqual(['applied', 'pending']);
  });

  it('knows nothing of what was not seen', () => {
    const facts = factsOfFile(
      parseFactsFile(
        factsFile({
          tables: { status: 'not-permitted', source: 'database', detail: 'permission denied' },
          ledger: { status: 'timeout', source: 'database' },
        }),
      ),
    );
    expect(facts.valueOf('table.ai_prompt')).toBeUndefined();
    expect(facts.valueOf('migration.x')).toBeUndefined();
  });
});

describe('the age of a heartbeat', () => {
  const lease = (lastHeartbeat: string | null, heartbeatAgeSeconds: number | null) =>
    factsFile({ lease: seen([{ ...idleLease, claimed: true, lastHeartbeat, heartbeatAgeSeconds }]) });

  it.each([
    ['2026-11-21T19:59:57Z', 3],
    ['2026-11-21T19:59:57Z', 13],
    ['2026-11-21T19:58:30Z', 80],
    ['2026-11-21T20:03:00Z', 0],
    [null, null],
  ])('at %s may be %s', (lastHeartbeat, age) => {
    expect(() => parseFactsFile(lease(lastHeartbeat, age))).not.toThrow();
  });

  it.each([
    ['2026-11-21T19:59:57Z', 90, `from lastHeartbeat, 2026-11-21T19:59:57Z, to seenAt, ${seenAt}, it is 3 s`],
    ['2026-11-21T19:58:30Z', 3, `from lastHeartbeat, 2026-11-21T19:58:30Z, to seenAt, ${seenAt}, it is 90 s`],
    ['2026-11-21T20:03:00Z', 90, `from lastHeartbeat, 2026-11-21T20:03:00Z, to seenAt, ${seenAt}, it is 0 s`],
    [null, 90, 'lastHeartbeat is null'],
    ['2026-11-21T19:59:57Z', null, 'lastHeartbeat is 2026-11-21T19:59:57Z'],
  ])('at %s is not %s', (lastHeartbeat, age, but) => {
    expect(() => parseFactsFile(lease(lastHeartbeat, age))).toThrow(
      expect.objectContaining({
        code: 'invalid-facts',
        message: `facts.lease.value[0].heartbeatAgeSeconds: ${age}, but ${but}`,
      }),
    );
  });
});

describe('the text of a facts file', () => {
  const seenAt = '2026-11-21T20:00:00.000Z';
  const seen = (value: unknown) => ({ status: 'seen', value, seenAt, source: 'database' });

  it('is a line for each fact, and reads as what it was written of', () => {
    const facts = {
      server: seen(serverFact),
      tables: seen([tableFact({ name: 'a "quoted" \u2028 name' })]),
      ledger: { status: 'absent', source: 'database', detail: 'there is none' },
      locks: { status: 'not-permitted', source: 'database', detail: 'permission denied' },
      readRate: { status: 'not-asked', source: 'database' },
      sortRate: { status: 'timeout', source: 'database' },
      pods: { status: 'failed', source: 'deployment', detail: 'they were not seen' },
    };
    const text = factsText({ schemaVersion: '1', collectedAt: seenAt, facts });
    expect(text.split('\n').map((line) => line.slice(0, 10))).toEqual([
      '{"schemaVe',
      '"server":{',
      '"tables":{',
      '"ledger":{',
      '"locks":{"',
      '"readRate"',
      '"sortRate"',
      '"pods":{"s',
      '}}',
      '',
    ]);
    const file = parseFactsFile(text);
    expect(file.facts).toEqual(facts);
    expect(parseFactsFile(factsText(file))).toEqual(file);
  });
});
