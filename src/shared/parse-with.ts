import * as z from 'zod/mini';
import { describeIssue, type KnownKeys } from './describe-issue.js';
import { type Exact, withDoubles } from './exact-json.js';
import { isRecord } from './is-record.js';
import { mostProblems, type SchemaProblem } from './schema-problem.js';

/** A value that has the shape of its schema, or everything that is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** Checks a value from outside against a schema, and describes up to the first hundred faults. */
export function parseWith<T>(schema: z.ZodMiniType<T>, value: unknown): Parsed<T> {
  // A key of this name is not data in JavaScript, and zod drops it silently.
  const forbidden = findPrototypeKeys(value);
  const knownKeys: KnownKeys = new WeakMap();
  let issues: readonly z.core.$ZodIssue[] = [];
  try {
    const result = z.safeParse(schema, value, {
      error: (issue) => {
        if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodMiniObject) {
          knownKeys.set(issue.keys, Object.keys(issue.inst.shape));
        }
        return issue.schema === undefined ? undefined : z.globalRegistry.get(issue.schema)?.description;
      },
    });
    if (result.success && forbidden.length === 0) return { ok: true, value: result.data };
    issues = result.error?.issues ?? [];
  } catch (error) {
    // zod passes its findings on as the arguments of a call; some 100,000 of them overflow the stack.
    if (!(error instanceof RangeError)) throw error;
    forbidden.push({ path: [], about: 'value', message: 'it has more faults than can be listed' });
  }
  const problems = forbidden;
  for (const issue of issues) {
    if (problems.length > mostProblems) break;
    problems.push(...describeIssue(issue, value, knownKeys));
  }
  return { ok: false, problems: problems.length > mostProblems ? withMore(problems) : problems };
}

/** `parseWith` for a schema that changes no value: the result keeps every number as it was read. */
export function parseExactly<T>(schema: z.ZodMiniType<T>, value: unknown): Parsed<Exact<T>> {
  const parsed = parseWith(schema, withDoubles(value));
  return parsed.ok ? { ok: true, value: value as Exact<T> } : parsed;
}

function withMore(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const more: SchemaProblem = {
    path: [],
    about: 'value',
    message: `these are the first ${mostProblems} faults, and there are more`,
  };
  return [...problems.slice(0, mostProblems), more];
}

/** A value inside another. A chain of these is a path that costs nothing until it is needed, at any depth. */
interface Inner {
  readonly value: unknown;
  readonly key: string | number;
  readonly within: Inner | undefined;
}

function findPrototypeKeys(whole: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const open = innerValues(whole, undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.key === '__proto__') {
      problems.push({ path: pathTo(next), about: 'key', message: 'a key may not be named __proto__' });
    } else {
      for (const inner of innerValues(next.value, next)) open.push(inner);
    }
  }
  return problems.reverse();
}

function innerValues(value: unknown, within: Inner | undefined): Inner[] {
  if (Array.isArray(value)) return value.map((item, key) => ({ value: item, key, within }));
  return isRecord(value) ? Object.keys(value).map((key) => ({ value: value[key], key, within })) : [];
}

function pathTo(inner: Inner): (string | number)[] {
  const path = [inner.key];
  for (let next = inner.within; next !== undefined; next = next.within) path.unshift(next.key);
  return path;
}
