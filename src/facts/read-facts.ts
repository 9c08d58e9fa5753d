import { quoteForMessage, ReleaseSafetyError } from '../release-safety/errors.js';
import { unsupportedSchema } from '../release-safety/json-text.js';
import { isRecord } from '../shared/is-record.js';
import { findDuplicateKey, maxJsonNesting, nestsTooDeep } from '../shared/json-scan.js';
import { parseWith } from '../shared/parse-with.js';
import { describeMisfit, describeValue } from '../shared/quote.js';
import { formatPath } from '../shared/schema-problem.js';
import type { LeaseRow } from './database-facts.js';
import { type FactName, type FactValue, readFact } from './fact-names.js';
import { type Facts, factsOf } from './facts.js';
import { factsOfDeployment } from './facts-of-deployment.js';
import { type FactsFile, factsFileSchema } from './facts-schema.js';
import { seenValue } from './seen-value.js';

/** Ten times the facts file of an instance with 400 tables and 700 migrations. */
const maxLength = 8 * 1024 * 1024;

/**
 * Reads the text of a facts file. A key that occurs twice is refused, because either of its values may be the true one.
 *
 * @throws {ReleaseSafetyError} `invalid-facts` naming what is at fault; `unsupported-schema-version`
 */
export function parseFactsFile(text: string): FactsFile {
  if (text.length > maxLength) throw invalid(`the facts are longer than ${maxLength} characters`);
  if (nestsTooDeep(text)) throw invalid(`the facts nest deeper than ${maxJsonNesting} levels`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const what = text.trim() === '' ? 'the facts are empty' : 'the facts are not JSON';
    throw invalid(
      what,
      'psql -X -A -t prints them of the script of upgrade-preflight --sql; where it does not, it says why on standard error.',
    );
  }
  if (!isRecord(json)) throw invalid(`the facts are not a JSON object, but ${describeValue(json)}`);
  if (json.schemaVersion !== '1') {
    throw unsupportedSchema(json.schemaVersion, 'facts schemaVersion "1"');
  }
  const twice = findDuplicateKey(text);
  if (twice !== undefined)
    throw invalid(`the facts hold an object with the key ${quoteForMessage(twice)} twice`);
  const read = parseWith(factsFileSchema, json);
  if (!read.ok) {
    const [first] = read.problems;
    throw invalid(`${formatPath(first?.path ?? [])}: ${first?.message}`);
  }
  for (const [name, value] of Object.entries(seenValue(read.value.facts.stated) ?? {})) {
    const fact = readFact(name, value);
    if (fact.ok) continue;
    const path = formatPath(['facts', 'stated', 'value', name]);
    throw invalid(`${path}: ${describeMisfit(fact.expected ?? 'the name of a fact', value)}`);
  }
  const { lease } = read.value.facts;
  if (lease?.status === 'seen') {
    for (const [i, row] of lease.value.entries()) {
      const fault = faultOfHeartbeat(row, lease.seenAt);
      if (fault === undefined) continue;
      throw invalid(`${formatPath(['facts', 'lease', 'value', i, 'heartbeatAgeSeconds'])}: ${fault}`);
    }
  }
  return read.value;
}

/** Both are of one statement, whose clock goes on while it runs: no longer than from one heartbeat to the next. */
const heartbeatToleranceSeconds = 10;

/** Checks decide by the age whether a migrator is alive, so it must be that of the heartbeat. */
function faultOfHeartbeat(
  { lastHeartbeat, heartbeatAgeSeconds: age }: LeaseRow,
  seenAt: string,
): string | undefined {
  if (lastHeartbeat === null || age === null) {
    return lastHeartbeat === age ? undefined : `${age}, but lastHeartbeat is ${lastHeartbeat}`;
  }
  const elapsed = Math.max(0, (Date.parse(seenAt) - Date.parse(lastHeartbeat)) / 1000);
  if (Math.abs(elapsed - age) <= heartbeatToleranceSeconds) return undefined;
  return `${age}, but from lastHeartbeat, ${lastHeartbeat}, to seenAt, ${seenAt}, it is ${Math.floor(elapsed)} s`;
}

function invalid(message: string, hint?: string): ReleaseSafetyError {
  return new ReleaseSafetyError('invalid-facts', message, hint);
}

/** The facts for conditions, from the observations of a file. What a person states takes precedence. */
export function factsOfFile({ facts }: FactsFile): Facts {
  const known = new Map<FactName, FactValue>();
  const server = seenValue(facts.server);
  if (server !== undefined) known.set('postgres-major', Math.floor(server.versionNum / 10_000));
  const migrator = seenValue(facts.migrator);
  // A statement that runs on its own is a transaction, and so either limit ends it.
  const limits = [migrator?.statementTimeoutMs, migrator?.transactionTimeoutMs];
  if (limits.some(Boolean)) known.set('statement-timeout', 'set');
  else if (limits.every((limit) => limit === 0)) known.set('statement-timeout', 'none');
  const tables = seenValue(facts.tables);
  const parents = new Set(tables?.map(({ partitionOf }) => partitionOf));
  for (const { name, kind, sizedBy, estimatedRows, heapBytes, toastBytes } of tables ?? []) {
    known.set(`table.${name}`, 'present');
    // Statistics may be old, and the rows of a parent are in its partitions.
    if (sizedBy === 'statistics' || kind === 'partitioned' || parents.has(name)) continue;
    if (heapBytes !== null && toastBytes !== null) known.set(`bytes.${name}`, heapBytes + toastBytes);
    if (estimatedRows !== null) known.set(`rows.${name}`, estimatedRows);
  }
  const ledger = seenValue(facts.ledger);
  for (const { name } of ledger ?? []) {
    known.set(`migration.${withoutExtension(name)}`, 'applied');
    known.set(`migration.${timeOf(name)}`, 'applied');
  }
  for (const [name, value] of factsOfDeployment(facts)) known.set(name, value);
  for (const [name, written] of Object.entries(seenValue(facts.stated) ?? {})) {
    const fact = readFact(name, written);
    if (fact.ok) known.set(fact.name, fact.value);
  }

  const listed = factsOf(known);
  return {
    valueOf: (name) => {
      const value = listed.valueOf(name);
      if (value !== undefined) return value;
      // The lists are complete: a table that is not in them does not exist.
      if (tables !== undefined && name.startsWith('table.')) return 'absent';
      if (ledger !== undefined && name.startsWith('migration.')) return 'pending';
      return undefined;
    },
  };
}

/** The time that the name of a migration begins with: what is known of some whose name is not. */
function timeOf(migration: string): string {
  return migration.replace(/_.*$/s, '');
}

/** The ledger stores `.js`, artifacts say `.ts`. */
export function withoutExtension(migration: string): string {
  return migration.replace(/\.[jt]s$/, '');
}
