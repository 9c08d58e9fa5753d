import type { FactsFile } from './facts-schema.js';

/**
 * The facts of one instance that a condition may refer to, by name: the same on the command line (`--fact
 * edition=community`), in the conditions of known issues, and in what a preflight has seen. The list is closed: any
 * other name is refused, because a mistyped name would widen or narrow a condition.
 */

/** The type of a fact's value: one of a few words, a number (rows, bytes, a major version), or a SemVer version. */
export type FactKind =
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'count' }
  | { readonly kind: 'version' };

/** Numbers as numbers, everything else as written. */
export type FactValue = string | number;

const words = (...list: readonly string[]): FactKind => ({ kind: 'word', words: list });

/** Facts whose name has one part. */
const singleFacts = {
  /** `enterprise` if a licence key is set: only then does the instance run enterprise migrations. */
  edition: words('community', 'enterprise'),
  'deployed-by': words('helm', 'compose'),
  /** Only for the publisher's Helm chart. */
  'chart-version': { kind: 'version' },
  /** `missing` if something that runs Lightdash lacks `S3_ENDPOINT`, `S3_BUCKET` or `S3_REGION`. */
  'object-storage': words('configured', 'missing'),
  /** Whether the chart's migration job is enabled. */
  'migration-job': words('on', 'off'),
  'postgres-major': { kind: 'count' },
  /** Whether a `statement_timeout` or `transaction_timeout` of role or database would end a long migration. */
  'statement-timeout': words('none', 'set'),
} as const satisfies Record<string, FactKind>;

/** Facts of one table or one migration, whose name follows the dot. */
const namedFacts = {
  table: words('present', 'absent'),
  rows: { kind: 'count' },
  /** Heap and TOAST, without indexes. */
  bytes: { kind: 'count' },
  /**
   * By file name without extension, as in comparisons of the ledger; or by the time that it begins with, if no more of
   * the name is known.
   */
  migration: words('applied', 'pending'),
} as const satisfies Record<string, FactKind>;

export type SingleFact = keyof typeof singleFacts;
export type FactName = SingleFact | `${keyof typeof namedFacts}.${string}`;

/** How to write the name of each fact, for messages and help. */
export const factNames: readonly string[] = [
  ...Object.keys(singleFacts),
  ...Object.keys(namedFacts).map((name) => `${name}.<${name === 'migration' ? 'file' : 'table'}>`),
];

/** The kind of a fact; undefined if there is no fact of this name. */
export function factKindOf(name: string): FactKind | undefined {
  if (Object.hasOwn(singleFacts, name)) return singleFacts[name as SingleFact];
  const dot = name.indexOf('.');
  const group = name.slice(0, dot);
  if (!Object.hasOwn(namedFacts, group) || !/^\w+$/.test(name.slice(dot + 1))) return undefined;
  return namedFacts[group as keyof typeof namedFacts];
}

export function isFactName(name: string): name is FactName {
  return factKindOf(name) !== undefined;
}

/**
 * The value of a fact as a person writes it.
 *
 * @returns undefined if it is not of the kind: another word, not a whole number, not a version
 */
export function readFactValue(kind: FactKind, text: string): FactValue | undefined {
  switch (kind.kind) {
    case 'word':
      return kind.words.includes(text) ? text : undefined;
    case 'count':
      return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
    case 'version':
      return isSemVer(text) ? text : undefined;
  }
}

/** A fact as it was written, or the form that its value should have; `expected` is missing if there is no such fact. */
export type ReadFact =
  | { readonly ok: true; readonly name: FactName; readonly value: FactValue }
  | { readonly ok: false; readonly expected: string | undefined };

/** Reads a fact that a person or a program states. */
export function readFact(name: string, written: string | number): ReadFact {
  const kind = factKindOf(name);
  if (kind === undefined || !isFactName(name)) return { ok: false, expected: undefined };
  const value = readFactValue(kind, String(written));
  return value === undefined ? { ok: false, expected: describeFactKind(kind) } : { ok: true, name, value };
}

/** SemVer 2 as charts use it. Build metadata is refused, because it has no order. */
export function isSemVer(text: string): boolean {
  return /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z.-]{1,60})?$/.test(text);
}

/** How to write a value of the kind, for messages. */
export function describeFactKind(kind: FactKind): string {
  switch (kind.kind) {
    case 'word':
      return kind.words.join(' or ');
    case 'count':
      return 'a whole number';
    case 'version':
      return 'a version X.Y.Z';
  }
}

/** What is known of one instance. An unknown fact is undefined, never a guess. */
export interface Facts {
  readonly valueOf: (name: FactName) => FactValue | undefined;
}

export const noFacts: Facts = { valueOf: () => undefined };

export function factsOf(known: ReadonlyMap<FactName, FactValue>): Facts {
  return { valueOf: (name) => known.get(name) };
}

/** The first facts take precedence; the others fill the gaps. */
export function joinFacts(first: Facts, others: Facts): Facts {
  return { valueOf: (name) => first.valueOf(name) ?? others.valueOf(name) };
}

/** Whether it contains more than what a person states. */
export function isObserved({ facts }: FactsFile): boolean {
  return Object.values(facts).some((fact) => fact !== undefined && fact.source !== 'stated');
}
