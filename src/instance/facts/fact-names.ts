import type { ObservedFacts } from './facts-schema.js';

/**
 * The facts of one instance that a condition may refer to, by name: the same on the command line (`--fact
 * edition=community`), in the conditions of known issues, and in what a preflight has seen. The list is closed: any
 * other name is refused, because a mistyped name would widen or narrow a condition.
 */

/** The type of a fact's value: one of a few words, a number (rows, bytes, a major version), a SemVer version, or a time. */
export type FactKind = { readonly expected: string } & (
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'count' | 'version' | 'time' }
);

export type FactValue = string | number;

const words = (...list: readonly string[]): FactKind => ({
  kind: 'word',
  words: list,
  expected: list.join(' or '),
});
const count: FactKind = { kind: 'count', expected: 'a whole number' };
const version: FactKind = { kind: 'version', expected: 'a version X.Y.Z' };
const time: FactKind = { kind: 'time', expected: 'a time as 2026-11-28T10:00Z' };

/** What can deploy Lightdash, as `--deploy` and the fact `deployed-by` name it. */
export const deployKinds = ['helm', 'compose'] as const;
export type DeployKind = (typeof deployKinds)[number];

export function isDeployKind(value: unknown): value is DeployKind {
  return deployKinds.some((kind) => kind === value);
}

const singleFacts = {
  /** `enterprise` if a licence key is set: only then does the instance run enterprise migrations. */
  edition: words('community', 'enterprise'),
  'deployed-by': words(...deployKinds),
  /** Only for the publisher's Helm chart. */
  'chart-version': version,
  /** `missing` if something that runs Lightdash lacks `S3_ENDPOINT`, `S3_BUCKET` or `S3_REGION`. */
  'object-storage': words('configured', 'missing'),
  /** What the deployment keeps objects in, where it brings a store of its own. */
  'object-store': words('minio', 'rustfs', 'other'),
  /** Those in the YAML of the project that no schedule and no compile refreshes. */
  'pre-aggregates-without-refresh': count,
  'migration-job': words('on', 'off'),
  /** `PRE_AGGREGATES_ENABLED`, which works with a licence key alone. */
  'pre-aggregates': words('on', 'off'),
  'postgres-major': count,
  /** Whether a `statement_timeout` or `transaction_timeout` of role or database would end a long migration. */
  'statement-timeout': words('none', 'set'),
  /** When the newest backup of the database was made, which can be restored. No condition refers to it. */
  backup: time,
};

const namedFacts = {
  table: words('present', 'absent'),
  rows: count,
  /** Heap and TOAST, without indexes. */
  bytes: count,
  /** By file name without extension, or by the time that it begins with, if no more of the name is known. */
  migration: words('applied', 'pending'),
  /** An environment variable of what runs Lightdash: whether it has a value, never which. */
  variable: words('set', 'empty', 'absent'),
};

export type FactName = keyof typeof singleFacts | `${keyof typeof namedFacts}.${string}`;

const whatIsNamed: Readonly<Record<string, string>> = { migration: 'file', variable: 'NAME' };

/** How to write the name of each fact, for messages and help. */
export const factNames: readonly string[] = [
  ...Object.keys(singleFacts),
  ...Object.keys(namedFacts).map((name) => `${name}.<${whatIsNamed[name] ?? 'table'}>`),
];

const singleKinds = new Map<string, FactKind>(Object.entries(singleFacts));
const namedKinds = new Map<string, FactKind>(Object.entries(namedFacts));

/** The kind of a fact; undefined if there is no fact of this name. */
export function factKindOf(name: FactName): FactKind;
export function factKindOf(name: string): FactKind | undefined;
export function factKindOf(name: string): FactKind | undefined {
  return singleKinds.get(name) ?? namedKinds.get(/^(\w+)[.]\w+$/.exec(name)?.[1] ?? '');
}

export function isFactName(name: string): name is FactName {
  return factKindOf(name) !== undefined;
}

/** A fact as it was written, or the form that its value should have; `expected` is missing if there is no such fact. */
type ReadFact =
  | { readonly ok: true; readonly name: FactName; readonly value: FactValue }
  | { readonly ok: false; readonly expected: string | undefined };

export function readFact(name: string, written: FactValue): ReadFact {
  if (!isFactName(name)) return { ok: false, expected: undefined };
  const kind = factKindOf(name);
  const text = String(written);
  if (!fits(kind, text)) return { ok: false, expected: kind.expected };
  return { ok: true, name, value: kind.kind === 'count' ? Number(text) : text };
}

function fits(kind: FactKind, text: string): boolean {
  if (kind.kind === 'word') return kind.words.includes(text);
  // ISO 8601 with an offset: without one, it would be another moment on another machine.
  if (kind.kind === 'time')
    return /^\d{4}-\d\d-\d\dT[\d:]{5,8}(Z|[+-]\d\d:\d\d)$/.test(text) && Date.parse(text) > 0;
  return kind.kind === 'count' ? /^(?:0|[1-9]\d{0,14})$/.test(text) : isSemVer(text);
}

/** SemVer 2 as charts use it. Build metadata is refused, because it has no order. */
export function isSemVer(text: string): boolean {
  return /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z.-]{1,60})?$/.test(text);
}

/** What is known of one instance. An unknown fact is undefined, never a guess. */
export type Facts = Pick<ReadonlyMap<FactName, FactValue>, 'get'>;

/** Whether there is more than what a person states. */
export function isObserved(facts: ObservedFacts): boolean {
  return Object.values(facts).some((fact) => fact !== undefined && fact.source !== 'stated');
}
