import type { ChartValuesFact } from '../../facts/deployment-facts.js';
import { isRecord } from '../../shared/is-record.js';
import { isVariableName } from '../variables.js';
import { MergedOver, readYaml } from '../yaml.js';
import { manifestFault, mergedOverFault, withoutQuotes } from './manifest-text.js';

/**
 * The values of the chart that matter to an upgrade; undefined if none of the files has any value of the chart.
 *
 * @throws {LightspanError} `invalid-manifest` for a value of another type than the chart accepts
 */
export function chartValuesOf(files: readonly ValuesText[]): ChartValuesFact | undefined {
  const all = joinValues(files);
  const path = pathOf(all);
  if (path === undefined) return undefined;
  const names = files.map(({ name }) => name);
  const from = new ValueReader(all, names.join(', '), path);
  const probe = 'lightdashBackend.startupProbe';
  return {
    files: names,
    path: [...path],
    imageTag: from.text('image.tag'),
    upgradeMode: from.text('upgrade.mode'),
    backendStrategy: from.text('lightdashBackend.strategy.type'),
    migrationJobEnabled: from.flag('migrationJob.enabled'),
    migrationJobInheritsGlobalEnv: from.flag('migrationJob.inheritGlobalEnv'),
    migrationJobExistingSecret: from.text('migrationJob.existingSecret'),
    migrationJobVariables: from.names('migrationJob.extraEnv'),
    existingSecret: from.text('existingSecret'),
    variables: [
      ...new Set([...from.names('extraEnv'), ...from.names('configMap'), ...from.names('secrets')]),
    ],
    postgresqlEnabled: from.flag('postgresql.enabled'),
    readinessPath: from.text('lightdashBackend.readinessProbe.path') ?? from.text('readinessProbe.path'),
    startupProbe: from.has(probe)
      ? {
          initialDelaySeconds: from.count(`${probe}.initialDelaySeconds`),
          periodSeconds: from.count(`${probe}.periodSeconds`),
          failureThreshold: from.count(`${probe}.failureThreshold`),
        }
      : null,
  };
}

/** Keys of the chart that are read. If one of them is at the top level, the values of Lightdash are there. */
const chartKeys = [
  ...[
    'image',
    'replicaCount',
    'autoscaling',
    'upgrade',
    'lightdashBackend',
    'migrationJob',
    'existingSecret',
  ],
  ...['extraEnv', 'configMap', 'secrets', 'secretRefs', 'postgresql', 'podDisruptionBudget'],
  ...['scheduler', 'appBuildWorker', 'warehouseNatsWorker', 'preAggregateNatsWorker'],
];

/** Keys that no other chart has, as far as known. */
const ownKeys = ['lightdashBackend', 'migrationJob', 'appBuildWorker', 'preAggregateNatsWorker'];

/** The keys under which the values of Lightdash are: those of a dependency are under its name. */
function pathOf(values: Values): readonly string[] | undefined {
  if (isRecord(values.lightdash)) return ['lightdash'];
  // Under another name if the parent chart uses an alias; the parent may have keys of the same names itself.
  const hasOwn = (map: Values) => ownKeys.some((own) => Object.hasOwn(map, own));
  const [only, second] = hasOwn(values)
    ? []
    : Object.entries(values).flatMap(([key, value]) => (isRecord(value) && hasOwn(value) ? [key] : []));
  if (only !== undefined) return second === undefined ? [only] : undefined;
  const isOfChart = Object.keys(values).length === 0 || chartKeys.some((key) => Object.hasOwn(values, key));
  return isOfChart ? [] : undefined;
}

/** Reads values by their paths. A value of another type is refused, and not shown: it may be a secret. */
class ValueReader {
  constructor(
    private readonly values: Values,
    private readonly name: string,
    private readonly path: readonly string[],
  ) {}

  /** Undefined if no file sets it, null if a file removes it. */
  #at(path: string): unknown {
    let at: unknown = this.values;
    for (const key of [...this.path, ...path.split('.')]) {
      if (at === null || at === undefined) return undefined;
      if (!isRecord(at)) throw this.#fault(path, 'a map above it');
      at = Object.hasOwn(at, key) ? at[key] : undefined;
      if (at instanceof MergedOver) throw mergedOverFault(at);
    }
    return at;
  }

  #fault(path: string, expected: string) {
    return manifestFault(`${this.name}: ${[...this.path, path].join('.')}: expected ${expected}`);
  }

  has(path: string): boolean {
    const value = this.#at(path);
    return value !== undefined && value !== null;
  }

  /** An empty text counts as not set: if the chart accepts one, its default is empty too. */
  text(path: string): string | null {
    const value = this.#at(path);
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string') return value;
    throw this.#fault(path, 'text, in quotes if it is a number');
  }

  flag(path: string): boolean | null {
    const value = this.#at(path);
    if (value === undefined) return null;
    // A removed value is null to the template, and so is off.
    if (value === null) return false;
    if (typeof value === 'boolean') return value;
    throw this.#fault(path, 'true or false');
  }

  count(path: string): number | null {
    const value = this.#at(path);
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.#fault(path, 'a whole number from 0');
  }

  /** Names of variables: the keys of a map, the names of a list's items. */
  names(path: string): string[] {
    const value = this.#at(path);
    if (value === undefined || value === null) return [];
    const names = isRecord(value)
      ? Object.keys(value)
      : Array.isArray(value)
        ? value.map((item: unknown) => (isRecord(item) ? item.name : undefined))
        : [undefined];
    if (names.every(isVariableName)) return names;
    throw this.#fault(path, 'variables with their names: a list, or a map');
  }
}

export type Values = Readonly<Record<string, unknown>>;

/** A values file, and its name in messages. */
export interface ValuesText {
  readonly name: string;
  readonly text: string;
}

/** Larger than a copy of all defaults of an umbrella chart. */
const limits = { maxLength: 4 * 1024 * 1024 };

/**
 * Merges values files as Helm does: maps key by key; for everything else, the later file wins.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
function joinValues(files: readonly ValuesText[]): Values {
  return files.map(readValues).reduce(merge, {});
}

function readValues({ name, text }: ValuesText): Values {
  const reading = readYaml(text.replace(/^\uFEFF/, ''), { ...limits, deployedFrom: name });
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault === undefined ? '' : ` in line ${fault.line}: ${withoutQuotes(fault.message)}`;
    throw manifestFault(`${name} is not valid YAML or JSON${at}`, 'Give values as helm takes them with -f.');
  }
  if (reading.value === null) return {};
  if (!isRecord(reading.value)) throw manifestFault(`${name} is not a map of values`);
  if ('kind' in reading.value && 'apiVersion' in reading.value) {
    throw manifestFault(`${name} is a Kubernetes object, not values`, 'Give it with --manifests.');
  }
  return reading.value;
}

/** A null in a later file removes what an earlier one set, and the default of the chart too. */
function merge(before: Values, later: Values): Values {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(later)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!isRecord(old) || !isRecord(value) || value instanceof MergedOver) merged[key] = value;
    else merged[key] = old instanceof MergedOver ? old : merge(old, value);
  }
  return merged;
}
