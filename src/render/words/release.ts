import type { DeclaredAdvisory, DeclaredBreak, MigrationFile } from '../../release-safety/artifact.js';
import type { Verdict } from '../../release-safety/field-schemas.js';

const effects = [
  ['locksTable', 'locks'],
  ['rewritesTable', 'rewrites'],
  ['scansTable', 'scans'],
] as const;

/** The effects of a migration on its tables for which its artifact states exactly this verdict. */
export function effectsOf({ heaviness }: Pick<MigrationFile, 'heaviness'>, verdict: Verdict): string[] {
  return effects.filter(([field]) => heaviness[field] === verdict).map(([, effect]) => effect);
}

/** A declared break with all that its artifact says of it. */
export function describeBreak({ file, line, reason, requiredStop, ...further }: DeclaredBreak): string {
  const place =
    file === undefined || file === null ? '' : ` (${file}${typeof line === 'number' ? `:${line}` : ''})`;
  const stop = requiredStop === undefined ? '' : requiredStop ? ', a required stop' : ', no required stop';
  return `${reason ?? 'no reason given'}${place}${stop}${describeFields(further)}`;
}

/** Who states an advisory, and what it is worth. */
export const advisoriesMeaning = 'the publisher claims that these break nobody; they decide nothing here';

/** An advisory with all that its artifact says of it. */
export function describeAdvisory(advisory: DeclaredAdvisory): string {
  if ('unrecognised' in advisory) {
    return `in a form unknown to lightspan: ${JSON.stringify(advisory.unrecognised)}`;
  }
  const { reason, requiredStop: _, impact, ...further } = advisory;
  if (impact === undefined) return `${reason}${describeFields(further)}`;
  const { kind, covers, ...why } = impact;
  const covered = [...(covers?.rest ?? []), ...(covers?.mcp ?? [])];
  const what = covered.length === 0 ? '' : `, covers ${covered.join('; ')}`;
  return `${reason}${describeFields(further)}, ${kind}${describeFields(why)}${what}`;
}

/** `, key value` of each field that has a value. */
function describeFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `, ${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
}
