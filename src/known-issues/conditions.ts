import type { FactName, Facts, FactValue } from '../facts/fact-names.js';
import type { Condition } from './record-schema.js';

/** Whether a condition applies to an instance. Three values, because an unknown fact settles nothing. */
export type ConditionStatus = 'met' | 'not-met' | 'not-known';

export function statusOfCondition(condition: Condition, facts: Facts): ConditionStatus {
  const value = facts.valueOf(condition.fact as FactName);
  if (value === undefined) return 'not-known';
  if ('is' in condition) return value === condition.is ? 'met' : 'not-met';
  const { atLeast, below } = condition;
  const inside =
    (atLeast === undefined || !isBelow(value, atLeast)) && (below === undefined || isBelow(value, below));
  return inside ? 'met' : 'not-met';
}

/** Compares numbers by size and versions by SemVer: a pre-release comes before the version it leads to. */
function isBelow(value: FactValue, bound: string | number): boolean {
  if (typeof value === 'number' || typeof bound === 'number') return Number(value) < Number(bound);
  const [release = '', ...preRelease] = value.split('-');
  const numbers = release.split('.').map(Number);
  const limits = bound.split('.').map(Number);
  for (const [i, limit] of limits.entries()) {
    const number = numbers[i] ?? 0;
    if (number !== limit) return number < limit;
  }
  return preRelease.length > 0;
}
