import { isInFuture } from '../../core/common/in-future.js';
import { isRecord } from '../../core/json/is-record.js';
import { findDuplicateKey } from '../../core/json/json-scan.js';
import { unsupportedSchema } from '../../core/json/json-text.js';
import { parseWith } from '../../core/json/parse-with.js';
import { formatPath } from '../../core/json/schema-problem.js';
import { LightspanError, namingSource } from '../../core/lightspan-error.js';
import { describeMisfit, describeValue, quote } from '../../core/text/quote.js';
import { type FactName, type FactValue, readFact } from './fact-names.js';
import { type FactsFile, factsFileSchema } from './facts-schema.js';
import { type FactOf, seenValue } from './needs.js';

/**
 * Reads the text of a facts file. A key that occurs twice is refused, because either of its values may be the true one.
 *
 * @throws {LightspanError} `invalid-facts` naming what is at fault; `unsupported-schema-version`
 */
export function parseFactsFile(text: string): FactsFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(
      text.trim() === '' ? 'the facts are empty' : 'the facts are not JSON',
      'psql -X -A -t prints them of the script of upgrade-preflight --sql; where it does not, it says why ' +
        'on standard error.',
    );
  }
  if (!isRecord(json)) throw invalid(`the facts are not a JSON object, but ${describeValue(json)}`);
  if (json.schemaVersion !== '1') throw unsupportedSchema(json.schemaVersion, 'facts schemaVersion "1"');
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw invalid(`the facts hold an object with the key ${quote(twice)} twice`);
  const read = parseWith(factsFileSchema, json);
  if (!read.ok) {
    const [first] = read.problems;
    throw invalid(`${formatPath(first?.path ?? [])}: ${first?.message}`);
  }
  const { stated, lease } = read.value.facts;
  for (const [name, value] of Object.entries(seenValue(stated) ?? {})) {
    const fact = readFact(name, value);
    if (fact.ok) continue;
    const path = formatPath(['facts', 'stated', 'value', name]);
    throw invalid(`${path}: ${describeMisfit(fact.expected ?? 'the name of a fact', value)}`);
  }
  for (const [i, row] of (seenValue(lease) ?? []).entries()) {
    const fault = lease?.status === 'seen' ? faultOfHeartbeat(row, lease.seenAt) : undefined;
    if (fault === undefined) continue;
    throw invalid(`${formatPath(['facts', 'lease', 'value', i, 'heartbeatAgeSeconds'])}: ${fault}`);
  }
  return read.value;
}

/** Both are of one statement, whose clock goes on while it runs: no longer than from one heartbeat to the next. */
const heartbeatToleranceSeconds = 10;

/** Checks decide by the age whether a migrator is alive, so it must be that of the heartbeat. */
function faultOfHeartbeat(
  { lastHeartbeat, heartbeatAgeSeconds: age }: FactOf<'lease'>[number],
  seenAt: string,
): string | undefined {
  if (lastHeartbeat === null || age === null) {
    return lastHeartbeat === age ? undefined : `${age}, but lastHeartbeat is ${lastHeartbeat}`;
  }
  const elapsed = Math.max(0, (Date.parse(seenAt) - Date.parse(lastHeartbeat)) / 1000);
  if (Math.abs(elapsed - age) <= heartbeatToleranceSeconds) return undefined;
  return `${age}, but from lastHeartbeat, ${lastHeartbeat}, to seenAt, ${seenAt}, it is ${Math.floor(elapsed)} s`;
}

function invalid(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-facts', message, { hint });
}

/**
 * Reads facts, and when the oldest of them was seen: a file may combine several others.
 *
 * @param source their name in messages
 * @throws {LightspanError} if they cannot be trusted
 */
export function readDatedFacts(
  text: string,
  source: string,
  now: Date,
): { readonly file: FactsFile; readonly seenAt: string } {
  const file = parseNamed(text, source);
  const dates = new Map([['collectedAt', file.collectedAt]]);
  for (const [name, fact] of Object.entries(file.facts)) {
    if (fact?.status === 'seen') dates.set(`facts.${name}.seenAt`, fact.seenAt);
  }
  const backup = seenValue(file.facts.stated)?.backup;
  const stated = backup === undefined ? [] : [['facts.stated.value.backup', String(backup)] as const];
  for (const [path, date] of [...dates, ...stated]) {
    if (!isInFuture(date, now)) continue;
    throw invalid(
      `${source}: ${path} is in the future: ${date}`,
      'Check the clock of this machine, and of the one that collected them.',
    );
  }
  const [seenAt = file.collectedAt] = [...dates.values()].sort((a, b) => Date.parse(a) - Date.parse(b));
  return { file, seenAt };
}

function parseNamed(text: string, source: string): FactsFile {
  try {
    return parseFactsFile(text);
  } catch (error) {
    throw namingSource(source, error);
  }
}

/**
 * Adds what the command line states, now, which takes precedence over the file.
 *
 * @throws {LightspanError} `usage` if a time that is stated is still to come
 */
export function withStated(file: FactsFile, fact: ReadonlyMap<FactName, FactValue>, now: Date): FactsFile {
  if (fact.size === 0) return file;
  const backup = fact.get('backup');
  if (backup !== undefined && isInFuture(String(backup), now))
    throw new LightspanError('usage', `the fact backup is in the future: ${backup}`);
  const value = { ...seenValue(file.facts.stated), ...Object.fromEntries(fact) };
  const seenAt = now.toISOString();
  return {
    ...file,
    facts: { ...file.facts, stated: { status: 'seen', value, seenAt, source: 'stated' } },
  };
}

/** The text of a facts file: one line per fact, so that people can compare two of them. */
export function factsText({ facts, ...head }: { readonly facts: object } & Omit<FactsFile, 'facts'>): string {
  const lines = Object.entries(facts).map(
    ([name, fact]) => `${JSON.stringify(name)}:${JSON.stringify(fact)}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},"facts":{\n${lines.join(',\n')}\n}}\n`;
}
