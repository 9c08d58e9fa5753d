import * as z from 'zod/mini';
import { isRecord } from '../../core/json/is-record.js';
import type { FactOf } from '../../instance/facts/needs.js';
import { readSwitch, type Switches, switchesAmong, switchNames } from '../../instance/facts/switches.js';
import { isVariableName } from '../files/variables.js';
import { documentsOfValues } from '../files/yaml.js';
import { manifestFault, parsePart, readDeployedYaml, wholeNumber } from './kubernetes/kubernetes-object.js';

const text = z.nullish(z.string({ error: 'expected text, in quotes if it is a number' }));
const flag = z.nullish(z.boolean());
const count = z.nullish(wholeNumber);
const map = <T extends z.core.$ZodShape>(shape: T) => z.nullish(z.object(shape));
/** The names of variables: the keys of a map, the names of a list's items. */
const variables = z.pipe(
  z.transform((value: unknown): unknown =>
    isRecord(value)
      ? Object.keys(value)
      : [value ?? []].flat().map((item: unknown) => (isRecord(item) ? item.name : undefined)),
  ),
  z.array(
    z.custom<string>(isVariableName, { error: 'expected variables with their names: a list, or a map' }),
  ),
);

/** The part of the chart's values that matters to an upgrade. */
const chartSchema = z.object({
  image: map({ tag: text }),
  upgrade: map({ mode: text }),
  lightdashBackend: map({
    strategy: map({ type: text }),
    readinessProbe: map({ path: text }),
    startupProbe: map({ initialDelaySeconds: count, periodSeconds: count, failureThreshold: count }),
  }),
  readinessProbe: map({ path: text }),
  migrationJob: map({
    enabled: flag,
    inheritGlobalEnv: flag,
    existingSecret: text,
    extraEnv: variables,
  }),
  existingSecret: text,
  secretRefs: map({ enabled: flag, migration: map({ name: text }) }),
  extraEnv: variables,
  configMap: variables,
  secrets: variables,
  postgresql: map({
    enabled: flag,
    primary: map({ persistence: map({ enabled: flag }) }),
  }),
});

/**
 * The values of the chart that matter to an upgrade; undefined if none of the files has any value of the chart.
 *
 * @throws {LightspanError} `invalid-manifest` for a value of another type than the chart accepts
 */
export function chartValuesOf(files: readonly ValuesText[]): FactOf<'chartValues'> | undefined {
  // Merged as Helm does: maps key by key; of anything else, the later file wins.
  const values = files.map(readValues).reduce(merge, {});
  const path = pathOf(values);
  if (path === undefined) return undefined;
  const [key] = path;
  const names = files.map(({ name }) => name);
  const where = [names.join(', '), ...path].join(': ');
  const written = key === undefined ? values : values[key];
  const chart = parsePart(chartSchema, written, where);
  const switches = switchesOf(written);
  const { lightdashBackend: backend, migrationJob: job } = chart;
  const probe = backend?.startupProbe;
  return {
    files: names,
    path: [...path],
    // An empty text counts as not set: if the chart accepts one, its default is empty too.
    imageTag: chart.image?.tag || null,
    upgradeMode: chart.upgrade?.mode || null,
    backendStrategy: backend?.strategy?.type || null,
    migrationJobEnabled: isOn(job, job?.enabled, { ifRemoved: false }),
    migrationJobInheritsGlobalEnv: isOn(job, job?.inheritGlobalEnv, { ifRemoved: false }),
    migrationJobExistingSecret: job?.existingSecret || null,
    ...(chart.secretRefs?.enabled === true
      ? { migrationJobSecretNamed: Boolean(chart.secretRefs.migration?.name) }
      : {}),
    migrationJobVariables: job?.extraEnv ?? [],
    existingSecret: chart.existingSecret || null,
    variables: [...new Set([...chart.extraEnv, ...chart.configMap, ...chart.secrets])],
    ...(switches ? { switches } : {}),
    postgresqlEnabled: isOn(chart.postgresql, chart.postgresql?.enabled, { ifRemoved: true }),
    ...persistence(chart.postgresql?.primary?.persistence?.enabled),
    readinessPath: backend?.readinessProbe?.path || chart.readinessProbe?.path || null,
    startupProbe: probe
      ? {
          initialDelaySeconds: probe.initialDelaySeconds ?? null,
          periodSeconds: probe.periodSeconds ?? null,
          failureThreshold: probe.failureThreshold ?? null,
        }
      : null,
  };
}

/**
 * A switch in a map; null if the map does not set it. What null removes, alone or with its map, is off to a template.
 * As the condition of a dependency it decides nothing, and the dependency is deployed:
 * `findings/helm-null-condition.sh`.
 */
function isOn(
  map: object | null | undefined,
  value: boolean | null | undefined,
  { ifRemoved }: { readonly ifRemoved: boolean },
): boolean | null {
  return map === null || value === null ? ifRemoved : (value ?? null);
}

/** A template treats null as off. */
function persistence(enabled: boolean | null | undefined) {
  return enabled === undefined ? {} : { postgresqlPersistent: enabled === true };
}

/** The switches that have the same value wherever they are set. What `secrets` sets is not looked at. */
function switchesOf(written: unknown): Switches | undefined {
  const { extraEnv, configMap, secrets, migrationJob } = isRecord(written) ? written : {};
  const ofJob = isRecord(migrationJob) ? migrationJob.extraEnv : undefined;
  const places = [variablesIn(extraEnv), variablesIn(configMap), variablesIn(ofJob)];
  const hidden = variablesIn(secrets).map(([name]) => [name, undefined] as const);
  const set = [...places.flat(), ...hidden];
  return switchesAmong(
    switchNames.map((name) => {
      const states = new Set(set.filter(([variable]) => variable === name).map(([, on]) => on));
      return [name, states.size === 1 ? [...states][0] : undefined];
    }),
  );
}

/** Of a map or a list of variables, the names and whether each is on: a template prints a boolean as the word. */
function variablesIn(value: unknown): readonly (readonly [name: unknown, on: boolean | undefined])[] {
  const named = isRecord(value)
    ? Object.entries(value)
    : [value]
        .flat()
        .filter(isRecord)
        .map((variable) => [variable.name, variable.value]);
  return named.map(([name, on]) => [name, readSwitch(typeof on === 'boolean' ? String(on) : on)]);
}

/** Keys that no other chart has, as far as known. */
const ownKeys = ['lightdashBackend', 'migrationJob', 'appBuildWorker', 'preAggregateNatsWorker'];

/** Keys of the chart. If one of them is at the top level, the values of Lightdash are there. */
const chartKeys = [
  ...ownKeys,
  ...['image', 'replicaCount', 'autoscaling', 'upgrade', 'existingSecret', 'extraEnv', 'configMap'],
  ...['secrets', 'secretRefs', 'postgresql', 'podDisruptionBudget', 'scheduler', 'warehouseNatsWorker'],
];

/** The keys under which the values of Lightdash are: those of a dependency are under its name. */
function pathOf(values: Values): readonly [] | readonly [string] | undefined {
  if (isRecord(values.lightdash)) return ['lightdash'];
  const has = (map: Values, keys: readonly string[]) => keys.some((key) => Object.hasOwn(map, key));
  // Under another name if the parent chart uses an alias; the parent may have keys of the same names itself.
  const [alias, second] = has(values, ownKeys)
    ? []
    : Object.keys(values).filter((key) => isRecord(values[key]) && has(values[key], ownKeys));
  if (alias !== undefined) return second === undefined ? [alias] : undefined;
  return Object.keys(values).length === 0 || has(values, chartKeys) ? [] : undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** A values file, and its name in messages. */
interface ValuesText {
  readonly name: string;
  readonly text: string;
}

const whyOneDocument = `and ${documentsOfValues}: write each into a file of its own`;

function readValues({ name, text }: ValuesText): Values {
  const value = readDeployedYaml(text.replace(/^\uFEFF/, ''), name, { whyOneDocument }) ?? {};
  if (!isRecord(value)) throw manifestFault(`${name} is not a map of values`);
  if (!('kind' in value && 'apiVersion' in value)) return value;
  throw manifestFault(`${name} is a Kubernetes object, not values`, 'Give it with --manifests.');
}

/** A null in a later file removes what an earlier one set, and the default of the chart too. */
function merge(before: Values, later: Values): Values {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(later)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    merged[key] = isRecord(old) && isRecord(value) ? merge(old, value) : value;
  }
  return merged;
}
