import type { WorkloadFact } from './deployment-facts.js';
import type { ObservedFacts, unseenStatuses } from './facts-schema.js';
import { withoutExtension } from './read-facts.js';

type FactKey = keyof ObservedFacts;

/** A setting or extension with another value than before; null if it did not exist. */
export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One difference in the later of two facts files of one instance. */
export type FactDifference =
  | {
      readonly kind: 'fact-not-compared';
      readonly fact: FactKey;
      /** The file in which it was not seen. */
      readonly missing: 'before' | 'after';
      readonly why: (typeof unseenStatuses)[number];
    }
  | { readonly kind: 'nothing-compared' }
  | { readonly kind: 'another-database'; readonly before: string; readonly after: string }
  | { readonly kind: 'another-ledger'; readonly names: readonly string[] }
  | { readonly kind: 'migrations-run'; readonly names: readonly string[] }
  | { readonly kind: 'migrations-gone'; readonly names: readonly string[] }
  | { readonly kind: 'tables-added'; readonly tables: readonly string[] }
  | { readonly kind: 'table-gone'; readonly table: string; readonly rows: number | null }
  | { readonly kind: 'table-emptied'; readonly table: string; readonly rows: number }
  | {
      readonly kind: 'rows-changed';
      readonly tables: readonly { readonly table: string; readonly before: number; readonly after: number }[];
    }
  | {
      readonly kind: 'rows-not-told';
      readonly tables: readonly { readonly table: string; readonly before: number }[];
    }
  | { readonly kind: 'indexes-added'; readonly indexes: readonly string[] }
  | { readonly kind: 'index-gone'; readonly index: string; readonly table: string }
  | { readonly kind: 'index-turned-invalid'; readonly index: string; readonly table: string }
  | { readonly kind: 'constraint-gone'; readonly constraint: string; readonly table: string }
  | { readonly kind: 'constraint-not-validated'; readonly constraint: string; readonly table: string }
  | { readonly kind: 'extension-gone'; readonly name: string; readonly before: string }
  | { readonly kind: 'extensions-changed'; readonly extensions: readonly Change[] }
  | { readonly kind: 'settings-changed'; readonly settings: readonly Change[] }
  | { readonly kind: 'workload-gone'; readonly workload: string }
  | { readonly kind: 'workloads-added'; readonly workloads: readonly string[] }
  | { readonly kind: 'images-changed'; readonly workload: string; readonly images: readonly Change[] }
  | {
      readonly kind: 'variables-changed';
      readonly workload: string;
      /** Names. */
      readonly added: readonly string[];
      readonly gone: readonly string[];
    }
  | {
      readonly kind: 'replicas-changed';
      readonly workload: string;
      readonly before: number | null;
      readonly after: number | null;
    };

/** The facts that are compared, by their source. */
const compared = {
  database: ['database', 'ledger', 'tables', 'indexes', 'constraints', 'extensions', 'server', 'migrator'],
  deployment: ['workloads'],
} as const satisfies Record<string, readonly FactKey[]>;

/**
 * What changed in one instance between two times. A fact that only one of the files contains is skipped; a fact that
 * one of them did not see is reported as not compared.
 */
export function differencesOf(before: ObservedFacts, after: ObservedFacts): readonly FactDifference[] {
  const told = (facts: ObservedFacts, keys: readonly FactKey[]) =>
    keys.some((key) => facts[key] !== undefined && facts[key]?.status !== 'not-asked');
  const common = Object.values(compared).filter((keys) => told(before, keys) && told(after, keys));
  if (common.length === 0) return [{ kind: 'nothing-compared' }];
  return [
    ...common.flat().flatMap((fact) => whatIsMissing(fact, before, after)),
    ...comparing(before.database, after.database, compareDatabases),
    ...comparing(before.ledger, after.ledger, compareLedgers),
    ...comparing(before.tables, after.tables, compareTables),
    ...comparing(before.indexes, after.indexes, compareIndexes),
    ...comparing(before.constraints, after.constraints, compareConstraints),
    ...comparing(before.extensions, after.extensions, compareExtensions),
    ...compareSettings(before, after),
    ...comparing(before.workloads, after.workloads, compareWorkloads),
  ];
}

function whatIsMissing(fact: FactKey, before: ObservedFacts, after: ObservedFacts): FactDifference[] {
  const [then, now] = [before[fact]?.status ?? 'not-asked', after[fact]?.status ?? 'not-asked'];
  if (now !== 'seen') return [{ kind: 'fact-not-compared', fact, missing: 'after', why: now }];
  return then === 'seen' ? [] : [{ kind: 'fact-not-compared', fact, missing: 'before', why: then }];
}

type Observation<T> =
  | { readonly status: 'seen'; readonly value: T }
  | { readonly status: string }
  | undefined;

function comparing<T>(
  before: Observation<T>,
  after: Observation<T>,
  compare: (before: T, after: T) => readonly FactDifference[],
): readonly FactDifference[] {
  const [then, now] = [seenIn(before), seenIn(after)];
  return then === undefined || now === undefined ? [] : compare(then, now);
}

function seenIn<T>(fact: Observation<T>): T | undefined {
  return fact !== undefined && 'value' in fact ? fact.value : undefined;
}

type ValueOf<Key extends FactKey> = Extract<
  NonNullable<ObservedFacts[Key]>,
  { readonly status: 'seen' }
>['value'];

function compareDatabases(before: ValueOf<'database'>, after: ValueOf<'database'>): FactDifference[] {
  if (before.name === after.name) return [];
  return [{ kind: 'another-database', before: before.name, after: after.name }];
}

function compareLedgers(before: ValueOf<'ledger'>, after: ValueOf<'ledger'>): FactDifference[] {
  const namesOf = (rows: ValueOf<'ledger'>) => new Set(rows.map(({ name }) => withoutExtension(name)));
  const { added, gone } = compareNames(namesOf(before), namesOf(after));
  const ranAt = new Map(before.map(({ name, migratedAt }) => [withoutExtension(name), migratedAt]));
  const ranAnotherTime = after
    .map(({ name, migratedAt }) => ({ name: withoutExtension(name), migratedAt }))
    .filter(({ name, migratedAt }) => migratedAt !== null && (ranAt.get(name) ?? migratedAt) !== migratedAt)
    .map(({ name }) => name);
  return [
    ...ifAny(ranAnotherTime, (names) => ({ kind: 'another-ledger', names })),
    ...ifAny(gone, (names) => ({ kind: 'migrations-gone', names })),
    ...ifAny(added, (names) => ({ kind: 'migrations-run', names })),
  ];
}

function compareTables(before: ValueOf<'tables'>, after: ValueOf<'tables'>): FactDifference[] {
  const [then, now] = [byName(before), byName(after)];
  const { added, gone, kept } = compareNames(new Set(then.keys()), new Set(now.keys()));
  const rows = kept.flatMap((table) => {
    const [was, is] = [then.get(table)?.estimatedRows ?? null, now.get(table)?.estimatedRows ?? null];
    return was === null || is === null || was === is ? [] : [{ table, before: was, after: is }];
  });
  const notTold = kept.flatMap((table) => {
    const was = then.get(table)?.estimatedRows ?? 0;
    return was > 0 && now.get(table)?.estimatedRows === null ? [{ table, before: was }] : [];
  });
  return [
    ...gone.map((table) => ({
      kind: 'table-gone' as const,
      table,
      rows: then.get(table)?.estimatedRows ?? null,
    })),
    ...rows
      .filter(({ after: is }) => is === 0)
      .map(({ table, before: was }) => ({ kind: 'table-emptied' as const, table, rows: was })),
    ...ifAny(added, (tables) => ({ kind: 'tables-added', tables })),
    ...ifAny(
      rows.sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)),
      (tables) => ({ kind: 'rows-changed', tables }),
    ),
    ...ifAny(notTold, (tables) => ({ kind: 'rows-not-told', tables })),
  ];
}

function compareIndexes(before: ValueOf<'indexes'>, after: ValueOf<'indexes'>): FactDifference[] {
  const [then, now] = [byName(before), byName(after)];
  const { added, gone, kept } = compareNames(new Set(then.keys()), new Set(now.keys()));
  return [
    ...gone.map((index) => ({
      kind: 'index-gone' as const,
      index,
      table: then.get(index)?.table ?? '',
    })),
    ...kept
      .filter((index) => then.get(index)?.valid === true && now.get(index)?.valid === false)
      .map((index) => ({
        kind: 'index-turned-invalid' as const,
        index,
        table: now.get(index)?.table ?? '',
      })),
    ...ifAny(added, (indexes) => ({ kind: 'indexes-added', indexes })),
  ];
}

/** The name of a constraint is unique only within its table. */
function compareConstraints(before: ValueOf<'constraints'>, after: ValueOf<'constraints'>): FactDifference[] {
  const keyOf = ({ name, table }: ValueOf<'constraints'>[number]) => `${table} ${name}`;
  const then = new Map(before.map((one) => [keyOf(one), one]));
  const now = new Set(after.map(keyOf));
  return [
    ...before
      .filter((one) => !now.has(keyOf(one)))
      .map(({ name, table }) => ({ kind: 'constraint-gone' as const, constraint: name, table })),
    ...after
      .filter((one) => !one.validated && then.get(keyOf(one))?.validated !== false)
      .map(({ name, table }) => ({ kind: 'constraint-not-validated' as const, constraint: name, table })),
  ];
}

function compareExtensions(before: ValueOf<'extensions'>, after: ValueOf<'extensions'>): FactDifference[] {
  const installed = (list: ValueOf<'extensions'>) =>
    new Map(list.flatMap(({ name, installed: version }) => (version === null ? [] : [[name, version]])));
  const changes = changesOf(installed(before), installed(after));
  return [
    ...changes.flatMap(({ name, before: was, after: is }) =>
      was !== null && is === null ? [{ kind: 'extension-gone' as const, name, before: was }] : [],
    ),
    ...ifAny(
      changes.filter(({ after: is }) => is !== null),
      (extensions) => ({ kind: 'extensions-changed', extensions }),
    ),
  ];
}

function compareSettings(before: ObservedFacts, after: ObservedFacts): FactDifference[] {
  const changes = [
    ...comparedSettings(before.server, after.server, [
      'versionNum',
      'inRecovery',
      'maxConnections',
      'autovacuum',
    ]),
    ...comparedSettings(before.migrator, after.migrator, [
      'name',
      'schema',
      'statementTimeoutMs',
      'lockTimeoutMs',
      'idleInTransactionSessionTimeoutMs',
      'transactionTimeoutMs',
      'readOnly',
    ]),
  ];
  return ifAny(changes, (settings) => ({ kind: 'settings-changed', settings }));
}

function comparedSettings<T extends object>(
  before: Observation<T>,
  after: Observation<T>,
  names: readonly (keyof T & string)[],
): Change[] {
  const [then, now] = [seenIn(before), seenIn(after)];
  if (then === undefined || now === undefined) return [];
  const textOf = (value: unknown) => (value === null ? null : String(value));
  return names.flatMap((name) =>
    then[name] === now[name] ? [] : [{ name, before: textOf(then[name]), after: textOf(now[name]) }],
  );
}

function compareWorkloads(before: ValueOf<'workloads'>, after: ValueOf<'workloads'>): FactDifference[] {
  const keyOf = ({ kind, name }: WorkloadFact) => `${kind} ${name}`;
  // A job is created anew for every upgrade, and removed when it has ended.
  const lasting = (workloads: readonly WorkloadFact[]) =>
    new Map(workloads.filter(({ kind }) => kind !== 'Job').map((workload) => [keyOf(workload), workload]));
  const [then, now] = [lasting(before), lasting(after)];
  const { added, gone, kept } = compareNames(new Set(then.keys()), new Set(now.keys()));
  return [
    ...gone.map((workload) => ({ kind: 'workload-gone' as const, workload })),
    ...ifAny(added, (workloads) => ({ kind: 'workloads-added', workloads })),
    ...kept.flatMap((workload) => compareWorkload(workload, then.get(workload), now.get(workload))),
  ];
}

function compareWorkload(
  workload: string,
  then: WorkloadFact | undefined,
  now: WorkloadFact | undefined,
): FactDifference[] {
  if (then === undefined || now === undefined) return [];
  const imagesOf = ({ containers }: WorkloadFact) =>
    new Map(containers.map(({ name, image }) => [name, image.reference]));
  const images = changesOf(imagesOf(then), imagesOf(now));
  const { added, gone } = compareNames(variablesOf(then), variablesOf(now));
  return [
    ...ifAny(images, (changed) => ({ kind: 'images-changed', workload, images: changed })),
    ...(added.length + gone.length === 0
      ? []
      : [{ kind: 'variables-changed' as const, workload, added, gone }]),
    ...(then.replicas === now.replicas
      ? []
      : [
          {
            kind: 'replicas-changed' as const,
            workload,
            before: then.replicas,
            after: now.replicas,
          },
        ]),
  ];
}

function variablesOf({ containers }: WorkloadFact): ReadonlySet<string> {
  return new Set(
    containers.flatMap(({ variables, variablesFrom }) => [
      ...variables.map(({ name }) => name),
      ...variablesFrom.flatMap(({ prefix, keys }) => (keys ?? []).map((key) => `${prefix}${key}`)),
    ]),
  );
}

function byName<T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.name, one]));
}

function compareNames(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  return {
    added: [...after].filter((name) => !before.has(name)),
    gone: [...before].filter((name) => !after.has(name)),
    kept: [...after].filter((name) => before.has(name)),
  };
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    return was === is ? [] : [{ name, before: was, after: is }];
  });
}

/** A difference that lists items, if there are any. */
function ifAny<T>(items: readonly T[], tell: (items: readonly T[]) => FactDifference): FactDifference[] {
  return items.length === 0 ? [] : [tell(items)];
}
