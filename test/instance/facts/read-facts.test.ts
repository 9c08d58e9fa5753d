import { describe, expect, it } from 'vitest';
import {
  factsText,
  parseFactsFile,
  readDatedFacts,
  withStated,
} from '../../../src/instance/facts/read-facts.js';
import { serverFact, tableFact } from '../../support/facts.js';
import { idleLease } from '../../support/preflight.js';

const seenAt = '2026-11-21T20:00:00Z';

function factsFile(facts: Record<string, unknown>): string {
  return JSON.stringify({ schemaVersion: '1', collectedAt: seenAt, facts });
}

function seen(value: unknown, source = 'database') {
  return { status: 'seen', value, seenAt, source };
}

const server = (told: object) => factsFile({ server: seen({ ...serverFact, ...told }) });
const table = (told: object) => factsFile({ tables: seen([{ ...tableFact({ name: 'users' }), ...told }]) });

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
    [factsFile({ server: seen(undefined) }), 'facts.server.value: missing; expected an object'],
    [
      factsFile({ server: { status: 'guessed', source: 'database' } }),
      'facts.server.status: expected "seen", "not-permitted", "absent", "timeout", "not-asked", "failed" or "unsafe", got "guessed"',
    ],
    [server({ versionNum: '15' }), 'facts.server.value.versionNum: expected a finite number, got "15"'],
    [server({ versionNum: 1.5 }), 'facts.server.value.versionNum: expected a whole number, got 1.5'],
    [server({ versionNum: -1 }), 'facts.server.value.versionNum: expected 0 or more, got -1'],
    [server({ inRecovery: 'no' }), 'facts.server.value.inRecovery: expected true or false, got "no"'],
    [table({ name: 1 }), 'facts.tables.value[0].name: expected a string, got 1'],
    [table({ sizedBy: 'x' }), 'facts.tables.value[0].sizedBy: expected "files" or "statistics", got "x"'],
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
    const code = message.endsWith('schemaVersion "1"') ? 'unsupported-schema-version' : 'invalid-facts';
    expect(() => parseFactsFile(text)).toThrow(expect.objectContaining({ code, message }));
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

describe('the date of facts', () => {
  const now = new Date('2026-11-21T21:00:00Z');
  const earlier = { ...seen([], 'database'), seenAt: '2026-11-21T22:30:00+03:00' };
  const later = { ...seen([], 'database'), seenAt: '2026-11-21T20:30:00Z' };

  it.each<[what: string, facts: Record<string, unknown>, date: string]>([
    ['when collected, if none was seen', { locks: { status: 'absent', source: 'database' } }, seenAt],
    ['when they were collected, if that was first', { locks: later }, seenAt],
    ['when the first of them was seen, in any time zone', { locks: later, tables: earlier }, earlier.seenAt],
  ])('is %s', (_, facts, date) => {
    expect(readDatedFacts(factsFile(facts), 'facts.json', now).seenAt).toBe(date);
  });

  it('is not in the future, and the message names the source', () => {
    const locks = { ...later, seenAt: '2026-11-21T21:05:01Z' };
    expect(() => readDatedFacts(factsFile({ locks }), 'facts.json', now)).toThrow(
      expect.objectContaining({
        code: 'invalid-facts',
        message: 'facts.json: facts.locks.seenAt is in the future: 2026-11-21T21:05:01Z',
        hint: 'Check the clock of this machine, and of the one that collected them.',
      }),
    );
    expect(() => readDatedFacts(factsFile({}), 'facts.json', new Date('2026-11-21T19:54:59Z'))).toThrow(
      'facts.json: collectedAt is in the future',
    );
    expect(() => readDatedFacts('{', 'facts.json', now)).toThrow(
      expect.objectContaining({ message: 'facts.json: the facts are not JSON', hint: expect.any(String) }),
    );
  });
});

it('what the command line states counts before what the file states', () => {
  const file = parseFactsFile(factsFile({ stated: seen({ edition: 'community', 'rows.a': 1 }, 'stated') }));
  const later = new Date('2026-11-22T08:00:00Z');
  expect(withStated(file, new Map(), later)).toBe(file);
  const { facts } = withStated(file, new Map([['edition', 'enterprise']]), later);
  const value = { edition: 'enterprise', 'rows.a': 1 };
  const statedAt = later.toISOString();
  expect(facts).toEqual({ stated: { status: 'seen', value, seenAt: statedAt, source: 'stated' } });
});

it('a backup that is stated was made before now', () => {
  const now = new Date('2026-11-22T08:00:00Z');
  const state = (backup: string) =>
    withStated(parseFactsFile(factsFile({})), new Map([['backup', backup]]), now);
  expect(state('2026-11-22T10:00+02:00').facts.stated).toMatchObject({ seenAt: now.toISOString() });
  expect(() => state('2026-11-22T09:00Z')).toThrow('the fact backup is in the future: 2026-11-22T09:00Z');
  const file = factsFile({ stated: seen({ backup: '2026-11-23T00:00Z' }, 'stated') });
  expect(() => readDatedFacts(file, 'facts.json', now)).toThrow('facts.stated.value.backup is in the future');
});

it('is written as a line for each fact, and reads as what it was written of', () => {
  const facts = {
    server: seen(serverFact),
    tables: seen([tableFact({ name: 'a "quoted" \u2028 name' })]),
    locks: { status: 'not-permitted', source: 'database', detail: 'permission denied' },
    pods: { status: 'failed', source: 'deployment', detail: 'they were not seen' },
  };
  const text = factsText({ schemaVersion: '1', collectedAt: seenAt, facts });
  const starts = ['{"schemaVe', '"server":{', '"tables":{', '"locks":{"', '"pods":{"s', '}}', ''];
  expect(text.split('\n').map((line) => line.slice(0, 10))).toEqual(starts);
  expect(parseFactsFile(text).facts).toEqual(facts);
});
