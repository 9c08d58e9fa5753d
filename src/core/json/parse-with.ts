import * as z from 'zod/mini';
import { didYouMean } from '../text/did-you-mean.js';
import { describeMisfit, describeValue } from '../text/quote.js';
import { type Exact, withDoubles } from './exact-json.js';
import { mostProblems, type SchemaProblem } from './schema-problem.js';

/** A value that has the shape of its schema, or everything that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** Checks a value from outside against a schema, and describes up to the first hundred faults. */
export function parseWith<T>(schema: z.ZodMiniType<T>, value: unknown): Parsed<T> {
  const knownKeys: KnownKeys = new Map();
  const result = z.safeParse(schema, value, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        const { inst, known } = issue;
        if (inst instanceof z.ZodMiniObject) knownKeys.set(issue.keys, Object.keys(inst.shape));
        // A check of a map names them itself.
        else if (Array.isArray(known)) knownKeys.set(issue.keys, known);
      }
      return issue.schema === undefined ? undefined : z.globalRegistry.get(issue.schema)?.description;
    },
  });
  if (result.success) return { ok: true, value: result.data };
  const problems: SchemaProblem[] = [];
  for (const issue of result.error.issues) {
    problems.push(...describeIssue(issue, value, knownKeys));
    if (problems.length <= mostProblems) continue;
    const message = `these are the first ${mostProblems} faults, and there are more`;
    return {
      ok: false,
      problems: [...problems.slice(0, mostProblems), { path: [], about: 'value', message }],
    };
  }
  return { ok: false, problems };
}

/** `parseWith` for a schema that changes no value: the result keeps every number as it was read. */
export function parseExactly<T>(schema: z.ZodMiniType<T>, value: unknown): Parsed<Exact<T>> {
  const parsed = parseWith(schema, withDoubles(value));
  return parsed.ok ? { ok: true, value: value as Exact<T> } : parsed;
}

type Issue = z.core.$ZodIssue;
/** The allowed keys of an object, by the list of unknown keys found in it. An issue of zod contains only the latter. */
type KnownKeys = Map<readonly string[], readonly string[]>;

/** One issue of zod in words; several if it covers several. @param root the value that the schema was given */
function describeIssue(issue: Issue, root: unknown, knownKeys: KnownKeys): SchemaProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    return describeUnknownKeys(issue.keys, path, knownKeys.get(issue.keys) ?? []);
  }
  const [, ownWords] = /^expected (.+)/s.exec(issue.message) ?? [];
  const nearest = ownWords === undefined && issue.code === 'invalid_union' ? nearestShape(issue, root) : [];
  if (nearest.length > 0) return nearest.flatMap((inner) => describeIssue(inner, root, knownKeys));
  const value = valueAt(root, path);
  const about = value === undefined ? 'missing' : 'value';
  const texts = valuesOf(issue).filter((value) => typeof value === 'string');
  const hint = ownWords === undefined && typeof value === 'string' ? didYouMean(value, texts) : '';
  return [{ path, about, message: describeMisfit(ownWords ?? expectedBy(issue, hint), value) + hint }];
}

function expectedBy(issue: Issue, hint: string): string {
  const values = valuesOf(issue).map((value) => describeValue(value));
  if (values.length > 12 && hint !== '') return `one of ${values.length} values`;
  if (values.length > 0) return [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ');
  switch (issue.code) {
    case 'invalid_type':
      return nounOf[issue.expected] ?? 'a value';
    case 'too_small':
      return leastOf(issue);
    case 'too_big':
      return `${issue.maximum} or less`;
    case 'invalid_format':
      return formats[issue.format] ?? describedAs(issue);
    default:
      return describedAs(issue);
  }
}

/** What the description of its schema says of the value. */
function describedAs({ message }: Issue): string {
  return message === 'Invalid input' ? 'another value' : message;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => Reflect.get(Object(value), key), root);
}

function leastOf({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  if (origin === 'string') return 'a string that is not empty';
  if (origin === 'array') return `at least ${minimum} in the list`;
  return inclusive === false ? `more than ${minimum}` : `${minimum} or more`;
}

/** The issues of the one shape of a union at which a value clearly aims; none if there is no such shape. */
function nearestShape(issue: Extract<Issue, { code: 'invalid_union' }>, root: unknown): readonly Issue[] {
  const value = valueAt(root, issue.path);
  const shapes = issue.errors.map((issues) => ({ issues, misfit: misfitOf(issues, value) }));
  const least = Math.min(...shapes.map(({ misfit }) => misfit));
  const [nearest, ...others] = shapes.filter(({ misfit }) => misfit === least);
  if (nearest === undefined || others.length > 0) return [];
  return nearest.issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** How many of the issues show that the value has another shape: another type, an unknown key, a missing key. */
function misfitOf(issues: readonly Issue[], value: unknown): number {
  return issues.reduce((misfit, issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return misfit + issue.keys.length;
    if (issue.path.length === 0) return misfit + 1;
    return issue.path.length === 1 && valueAt(value, issue.path) === undefined ? misfit + 1 : misfit;
  }, 0);
}

const nounOf: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a finite number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'nothing here',
};

const formats: Partial<Record<string, string>> = {
  uuid: 'a version 4 UUID',
  datetime: 'an ISO 8601 date-time',
};

function describeUnknownKeys(
  keys: readonly string[],
  path: SchemaProblem['path'],
  known: readonly string[],
): SchemaProblem[] {
  const all = known.length > 0 ? `; the keys here are ${known.join(', ')}` : '';
  // One more than the limit shows that there are more.
  return keys.slice(0, mostProblems + 1).map((key) => {
    return { path: [...path, key], about: 'key', message: `unknown key${didYouMean(key, known) || all}` };
  });
}

/** The values of which one was expected: of an enumeration, or of what tells the members of a union apart. */
function valuesOf(issue: Issue): readonly z.core.util.Primitive[] {
  if (issue.code === 'invalid_value') return issue.values;
  return issue.code === 'invalid_union' && 'options' in issue ? (issue.options ?? []) : [];
}
