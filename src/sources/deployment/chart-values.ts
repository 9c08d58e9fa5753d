import * as z from 'zod/mini';
import type { FactOf } from '../../facts/needs.js';
import { isRecord } from '../../shared/is-record.js';
import { isVariableName } from '../variables.js';
import { MergedOver } from '../yaml.js';
import { parsePart, whole } from './kubernetes-object.js';
import { manifestFault, mergedOverFault, readDeployedYaml } from './manifest-text.js';

const textForm = z.nullish(z.string({ error: 'expected text, in quotes if it is a number' }));
const flagForm = z.nullish(z.boolean());
const countForm = z.nullish(whole);

/**
 * The values of the chart that matter to an upgrade; undefined if none of the files has any value of the chart.
 *
 * @throws {LightspanError} `invalid-manifest` for a value of another type than the chart accepts
 */
export function chartValuesOf(files: readonly ValuesText[]): FactOf<'chartValues'> | undefined {
  // As Helm does: map by map, key by key; for everything else, the later file wins.
  const values = files.map(readValues).reduce(merge, {});
  const path = pathOf(values);
  if (path === undefined) return undefined;
  const names = files.map(({ name }) => name);
  const placeOf = (key: string) => `${names.join(', ')}: ${[...path, key].join('.')}`;
  const at = (key: string) => valueAt(values, [...path, ...key.split('.')], placeOf(key));
  // An empty text counts as not set: if the chart accepts one, its default is empty too.
  const text = (key: string) => parsePart(textForm, at(key), placeOf(key)) || null;
  const count = (key: string) => parsePart(countForm, at(key), placeOf(key)) ?? null;
  const flag = (key: string) => {
    const value = parsePart(flagForm, at(key), placeOf(key));
    // A removed value is null to the template, and so is off.
    return value === undefined ? null : value === true;
  };
  /** Names of variables: the keys of a map, the names of a list's items. */
  const variables = (key: string) => {
    const value = at(key) ?? [];
    const found = isRecord(value)
      ? Object.keys(value)
      : [value].flat().map((item: unknown) => (isRecord(item) ? item.name : undefined));
    if (found.every(isVariableName)) return found;
    throw manifestFault(`${placeOf(key)}: expected variables with their names: a list, or a map`);
  };
  const probe = 'lightdashBackend.startupProbe';
  return {
    files: names,
    path: [...path],
    imageTag: text('image.tag'),
    upgradeMode: text('upgrade.mode'),
    backendStrategy: text('lightdashBackend.strategy.type'),
    migrationJobEnabled: flag('migrationJob.enabled'),
    migrationJobInheritsGlobalEnv: flag('migrationJob.inheritGlobalEnv'),
    migrationJobExistingSecret: text('migrationJob.existingSecret'),
    migrationJobVariables: variables('migrationJob.extraEnv'),
    existingSecret: text('existingSecret'),
    variables: [...new Set(['extraEnv', 'configMap', 'secrets'].flatMap(variables))],
    postgresqlEnabled: flag('postgresql.enabled'),
    readinessPath: text('lightdashBackend.readinessProbe.path') ?? text('readinessProbe.path'),
    startupProbe:
      at(probe) == null
        ? null
        : {
            initialDelaySeconds: count(`${probe}.initialDelaySeconds`),
            periodSeconds: count(`${probe}.periodSeconds`),
            failureThreshold: count(`${probe}.failureThreshold`),
          },
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

/** Undefined if no file sets it, null if a file removes it. A value of another type is not shown: it may be a secret. */
function valueAt(values: Values, path: readonly string[], place: string): unknown {
  let at: unknown = values;
  for (const key of path) {
    if (at === null || at === undefined) return undefined;
    if (!isRecord(at)) throw manifestFault(`${place}: expected a map above it`);
    at = Object.hasOwn(at, key) ? at[key] : undefined;
    if (at instanceof MergedOver) throw mergedOverFault(at);
  }
  return at;
}

type Values = Readonly<Record<string, unknown>>;

/** A values file, and its name in messages. */
export interface ValuesText {
  readonly name: string;
  readonly text: string;
}

function readValues({ name, text }: ValuesText): Values {
  const { value } = readDeployedYaml(text.replace(/^\uFEFF/, ''), name, 1, true);
  if (value === null) return {};
  if (!isRecord(value)) throw manifestFault(`${name} is not a map of values`);
  if ('kind' in value && 'apiVersion' in value) {
    throw manifestFault(`${name} is a Kubernetes object, not values`, 'Give it with --manifests.');
  }
  return value;
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
