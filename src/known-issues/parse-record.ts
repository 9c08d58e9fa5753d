import { factKindOf, factNames, readFactValue } from '../facts/fact-names.js';
import { quoteForMessage, ReleaseSafetyError } from '../release-safety/errors.js';
import { describeIssues } from '../release-safety/schema-issue.js';
import { compareVersions } from '../release-safety/version.js';
import { type Condition, type KnownIssue, recordSchema } from './record-schema.js';

/**
 * Reads the record of a known issue, as JSON holds it. Everything in it decides, so everything is strict: keys, facts and
 * words that the schema does not know, ranges that hold nothing, stops out of order.
 *
 * @throws {ReleaseSafetyError} `invalid-known-issue`, naming the first fault
 */
export function parseKnownIssue(json: unknown): KnownIssue {
  const [first] = faultsOfKnownIssue(json);
  if (first !== undefined) throw new ReleaseSafetyError('invalid-known-issue', first);
  return json as KnownIssue;
}

/** Every fault of a record, each in a line; none where it is one. */
export function faultsOfKnownIssue(json: unknown): string[] {
  const read = recordSchema.safeParse(json);
  if (!read.success) {
    return describeIssues(read.error, json).map(({ field, fault }) =>
      field === '' ? fault : `${field}: ${fault}`,
    );
  }
  const { affected, conditions, effect, modified, published, when, withdrawn } = read.data;
  const faults: string[] = [];
  if (effect.kind === 'avoid-landing' && when !== 'landing') {
    faults.push(`when: ${when}; only a landing can be avoided`);
  }
  for (const [i, { introduced, fixed }] of affected.entries()) {
    if (fixed !== undefined && compareVersions(introduced, fixed) >= 0) {
      faults.push(`affected[${i}]: no release is from ${introduced} on and before ${fixed}`);
    }
  }
  for (const [i, condition] of conditions.entries()) {
    const fault = faultOfCondition(condition);
    if (fault !== undefined) faults.push(`conditions[${i}]: ${fault}`);
  }
  if (effect.kind === 'required-stops') {
    for (const [i, stop] of effect.stops.entries()) {
      const before = effect.stops[i - 1];
      if (before !== undefined && compareVersions(before, stop) >= 0) {
        faults.push(`effect.stops[${i}]: ${stop} is not newer than ${before} before it`);
      }
    }
  }
  for (const [name, date] of [
    ['modified', modified],
    ['withdrawn', withdrawn],
  ] as const) {
    if (date !== undefined && Date.parse(date) < Date.parse(published)) {
      faults.push(`${name}: ${date} is before published, ${published}`);
    }
  }
  return faults;
}

function faultOfCondition(condition: Condition): string | undefined {
  const kind = factKindOf(condition.fact);
  if (kind === undefined) {
    return `there is no fact ${quoteForMessage(condition.fact)}; the facts are ${factNames.join(', ')}`;
  }
  if ('is' in condition) {
    if (kind.kind !== 'word') return `${condition.fact} wants "atLeast" or "below", not "is"`;
    return readFactValue(kind, condition.is) === undefined
      ? `${condition.fact} is ${kind.words.join(' or ')}, not ${quoteForMessage(condition.is)}`
      : undefined;
  }
  if (kind.kind === 'word') return `${condition.fact} wants "is"`;
  const bounds = [condition.atLeast, condition.below].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return `${condition.fact} wants "atLeast" or "below"`;
  const wanted = kind.kind === 'count' ? 'number' : 'string';
  return bounds.every((bound) => typeof bound === wanted)
    ? undefined
    : `${condition.fact} is bound by ${wanted === 'number' ? 'whole numbers' : 'versions'}`;
}
