import * as z from 'zod/mini';
import { isExactNumber } from '../../core/json/exact-json.js';
import { publishersName } from '../../core/lightdash-name.js';
import type { ContainerFact } from '../../instance/facts/deployment-facts.js';
import { isLightdashImage } from '../../instance/facts/lightdash-containers.js';
import { isSwitch, readSwitch, switchesAmong } from '../../instance/facts/switches.js';
import { imageFact } from '../../instance/image-reference.js';
import { containerStart, startsByYarn, variablesOfCommand } from './container-start.js';
import { hostIn, placeOf, placesOfHosts } from './hosts.js';
import { manifestFault, stringMap, wholeNumber } from './kubernetes/kubernetes-object.js';

const port = z.nullish(z.union([wholeNumber, z.string()], { error: 'expected a port' }));

const probeSchema = z.object({
  httpGet: z.nullish(z.object({ path: z.nullish(z.string()), port, scheme: z.nullish(z.string()) })),
  exec: z.nullish(stringMap),
  tcpSocket: z.nullish(z.object({ port })),
  grpc: z.nullish(stringMap),
  initialDelaySeconds: z.nullish(wholeNumber),
  periodSeconds: z.nullish(wholeNumber),
  failureThreshold: z.nullish(wholeNumber),
});

const keyRef = z.nullish(z.object({ name: z.string(), key: z.string(), optional: z.nullish(z.boolean()) }));
const objectRef = z.nullish(z.object({ name: z.string() }));

const variableSchema = z.object({
  name: z.string().check(z.regex(/^[^\p{Cc}=]{1,500}$/u, { error: 'expected the name of a variable' })),
  value: z.nullish(z.string()),
  valueFrom: z.nullish(z.object({ secretKeyRef: keyRef, configMapKeyRef: keyRef })),
});

const containerSchema = z.object({
  name: z.string(),
  image: z.string().check(z.regex(/^[^\s\p{Cc}]{1,1000}$/u, { error: 'expected an image' })),
  imagePullPolicy: z.nullish(z.string()),
  command: z.nullish(z.array(z.string())),
  args: z.nullish(z.array(z.string())),
  env: z.nullish(z.array(variableSchema)),
  envFrom: z.nullish(
    z.array(z.object({ prefix: z.nullish(z.string()), secretRef: objectRef, configMapRef: objectRef })),
  ),
  startupProbe: z.nullish(probeSchema),
  livenessProbe: z.nullish(probeSchema),
  readinessProbe: z.nullish(probeSchema),
  resources: z.nullish(z.object({ limits: z.nullish(stringMap) })),
  restartPolicy: z.nullish(z.string()),
  volumeMounts: z.optional(z.unknown()),
  ports: z.nullish(z.array(z.object({ name: z.nullish(z.string()), containerPort: z.nullish(wholeNumber) }))),
});

export const podSpecSchema = z.object({
  containers: z.array(containerSchema).check(z.minLength(1, { error: 'expected a container' })),
  initContainers: z.nullish(z.array(containerSchema)),
  volumes: z.optional(z.unknown()),
  serviceAccountName: z.nullish(z.string()),
  hostNetwork: z.nullish(z.boolean()),
});

export const podTemplateSchema = z.object({
  metadata: z.nullish(z.object({ labels: z.nullish(stringMap) })),
  spec: podSpecSchema,
});

type Container = z.infer<typeof containerSchema>;
type Probe = z.infer<typeof probeSchema>;

/**
 * Of a value, whether it is empty (null if that is not known) and, in a ConfigMap, whether it is `true` or `false`. Of the few settings that facts are
 * derived from, also the value in a ConfigMap: no fact has it.
 */
export interface SeenValue {
  readonly empty: boolean | null;
  readonly on?: boolean | undefined;
  readonly value?: string | undefined;
}

/** The settings from whose values facts are derived. */
const settings: ReadonlySet<string> = new Set([
  ...['PGHOST', 'PGCONNECTIONURI', 'S3_ENDPOINT', 'PGMAXCONNECTIONS', 'PORT'],
  ...['PGDATA', 'POSTGRESQL_DATA_DIR', 'MINIO_VOLUMES', 'RUSTFS_VOLUMES'],
]);

export function isSetting(name: string): boolean {
  return settings.has(name);
}

/** The keys of a ConfigMap or a Secret; undefined if it was not seen. */
export type SeenKeys = (
  kind: 'ConfigMap' | 'Secret',
  name: string,
) => ReadonlyMap<string, SeenValue> | undefined;

interface ContainerPlace {
  readonly init: boolean;
  readonly keys: SeenKeys;
  /** The other containers of its pod, which may answer a probe too. */
  readonly beside: readonly Container[];
  /** Whether it has the network of its node, and so its loopback. */
  readonly ofNode: boolean;
  /** Whether it is in a workload of the chart of Lightdash. */
  readonly ofChart: boolean;
  readonly where: string;
  /** `Deployment lightdash-backend`. */
  readonly workload: string;
}

/** Whether it runs Lightdash: by its image or, if the image has another name, by the chart's name for the container. */
export function isOfLightdash(
  { name, image }: Pick<ContainerFact, 'name' | 'image'>,
  ofChart: boolean,
): boolean {
  return isLightdashImage(image) || (ofChart && (name === publishersName || name === 'migrate'));
}

/**
 * The fact of a container in a pod template.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function containerFact(
  container: Container,
  { init, keys, beside, ofNode, ofChart, where, workload }: ContainerPlace,
): ContainerFact {
  const { name } = container;
  const at = `${where}: container ${name}`;
  const image = imageFact(container.image, container.imagePullPolicy ?? null);
  const isOurs = isOfLightdash({ name, image }, ofChart);
  const words = isOurs ? [...(container.command ?? []), ...(container.args ?? [])] : [];
  const entrypointReplaced = (container.command ?? []).length > 0;
  const { variables, variablesFrom } = environmentOf(container, keys, at);
  const ofCommand = variablesOfCommand(words, workload);
  const { setting, mayHaveOthers } = settingsOf(container, keys);
  const listens = isOurs ? portOf(setting('PORT'), mayHaveOthers || ofCommand.length > 0) : undefined;
  const probed = { container, beside, listens };
  const probe = (field: 'startupProbe' | 'livenessProbe' | 'readinessProbe') =>
    probeOf(container[field], probed, `${at}: ${field}`);
  return {
    name,
    // A sidecar is among the init containers, but does not end.
    init: init && container.restartPolicy !== 'Always',
    image,
    entrypointReplaced,
    starts: isOurs && !entrypointReplaced ? 'entrypoint' : containerStart(words),
    ...(startsByYarn(words) ? { byYarn: true } : {}),
    variables,
    variablesFrom: [...variablesFrom, ...ofCommand],
    startupProbe: probe('startupProbe'),
    livenessProbe: probe('livenessProbe'),
    readinessProbe: probe('readinessProbe'),
    memoryLimitBytes: memoryLimitOf(container, at),
    ...(isOurs ? ownSettings(setting, (host) => ofNode && placeOf(host) === 'loopback') : {}),
  };
}

function environmentOf(
  { env, envFrom }: Container,
  keys: SeenKeys,
  where: string,
): Pick<ContainerFact, 'variables' | 'variablesFrom'> {
  const variablesFrom = (envFrom ?? []).map(({ prefix, secretRef, configMapRef }) => {
    const ref = refOf(secretRef, configMapRef, keys);
    if (!ref) throw manifestFault(`${where}: envFrom: expected a ConfigMap or a Secret`);
    const from = { origin: ref.origin, object: ref.name, prefix: prefix ?? '' };
    if (ref.found === undefined) return { ...from, keys: null };
    const found = [...ref.found];
    const emptyKeys = found.filter(([, { empty }]) => empty).map(([key]) => key);
    const switches = switchesAmong(found.map(([key, { on }]) => [`${from.prefix}${key}`, on]));
    return {
      ...{ ...from, keys: [...ref.found.keys()] },
      ...(found.some(([, { empty }]) => empty === null) ? {} : { emptyKeys }),
      ...(switches ? { switches } : {}),
    };
  });
  const variables = new Map<string, ContainerFact['variables'][number]>();
  for (const { name, value, valueFrom } of env ?? []) {
    const ref = refOf(valueFrom?.secretKeyRef, valueFrom?.configMapKeyRef, keys);
    if (ref?.optional === true && ref.found === undefined) {
      // It may set its variable, and no other.
      variablesFrom.push({ origin: ref.origin, object: ref.name, prefix: name, keys: null });
      continue;
    }
    // A reference to a missing key sets no variable.
    if (ref?.found?.has(ref.key) === false) continue;
    const on = valueFrom ? ref?.found?.get(ref.key)?.on : readSwitch(value);
    // If a name occurs twice, the last counts.
    variables.set(name, {
      name,
      origin: ref?.origin ?? (valueFrom ? 'field' : 'literal'),
      object: ref?.name ?? null,
      empty: valueFrom ? (ref?.found?.get(ref.key)?.empty ?? null) : isEmpty(value ?? ''),
      ...(isSwitch(name) && on !== undefined ? { on } : {}),
    });
  }
  return { variables: [...variables.values()], variablesFrom };
}

/**
 * The settings of a container by their names: undefined if one is not set, null if its value was not seen.
 *
 * @returns also whether there may be others, from objects that were not seen
 */
export function settingsOf({ env, envFrom }: Container, keys: SeenKeys) {
  const sources = (envFrom ?? []).flatMap(({ prefix, secretRef, configMapRef }) => {
    const ref = refOf(secretRef, configMapRef, keys);
    return ref === undefined ? [] : { prefix: prefix ?? '', found: ref.found };
  });
  const setting = (name: string): string | null | undefined => {
    const variable = env?.findLast((variable) => variable.name === name);
    if (variable?.valueFrom) {
      const ref = refOf(variable.valueFrom.secretKeyRef, variable.valueFrom.configMapKeyRef, keys);
      return ref?.found?.get(ref.key)?.value ?? null;
    }
    if (variable !== undefined) return variable.value ?? '';
    const source = sources.findLast(
      ({ prefix, found }) => name.startsWith(prefix) && found?.has(name.slice(prefix.length)),
    );
    return source && (source.found?.get(name.slice(source.prefix.length))?.value ?? null);
  };
  return { setting, mayHaveOthers: sources.some(({ found }) => found === undefined) };
}

/** What of the settings of Lightdash is a fact. */
export function ownSettings(
  setting: (name: string) => string | null | undefined,
  isInside?: (host: string) => boolean,
): Pick<ContainerFact, 'databaseHost' | 'storeHost' | 'poolSize'> {
  const pool = setting('PGMAXCONNECTIONS') ?? '';
  return {
    ...placesOfHosts((variable) => hostIn(variable, setting(variable) ?? ''), isInside),
    ...(/^[1-9]\d{0,5}$/.test(pool) ? { poolSize: Number(pool) } : {}),
  };
}

/** The object that a reference names, and what was seen of it. */
function refOf<Ref extends { readonly name: string }>(
  secret: Ref | null | undefined,
  configMap: Ref | null | undefined,
  keys: SeenKeys,
) {
  if (secret) return { ...secret, origin: 'secret' as const, found: keys('Secret', secret.name) };
  if (!configMap) return undefined;
  return { ...configMap, origin: 'config-map' as const, found: keys('ConfigMap', configMap.name) };
}

/** A value that consists only of other variables may turn out empty. */
function isEmpty(value: string): boolean | null {
  return value !== '' && /^(?:\$\([^()]*\))+$/.test(value) ? null : value === '';
}

/** The kinds of probes by the field that a probe has. */
const probeKinds = [
  ['httpGet', 'http'],
  ['exec', 'exec'],
  ['tcpSocket', 'tcp'],
  ['grpc', 'grpc'],
] as const;

/** The port that Lightdash listens on: that of PORT, 8080 without it; undefined if that was not seen. */
function portOf(setting: string | null | undefined, mayHaveOthers: boolean): number | undefined {
  if (setting) return /^\d{1,5}$/.test(setting) ? Number(setting) : undefined;
  return setting === null || mayHaveOthers ? undefined : 8080;
}

interface Probed {
  readonly container: Container;
  readonly beside: readonly Container[];
  readonly listens: number | undefined;
}

/**
 * Which program answers at the port of a probe; undefined if that is not known, or may be another container of the pod.
 */
function atPort({ httpGet, tcpSocket }: Probe, { container, beside, listens }: Probed) {
  const probed = httpGet?.port ?? tcpSocket?.port;
  if (listens === undefined || probed == null) return undefined;
  const named = container.ports?.find(({ name }) => name === probed)?.containerPort;
  const number = typeof probed === 'number' || /^\d+$/.test(probed) ? Number(probed) : named;
  if (beside.some(({ ports }) => ports?.some(({ containerPort }) => containerPort === number)))
    return undefined;
  if (number !== listens) return 'nothing' as const;
  return httpGet?.scheme?.toUpperCase() === 'HTTPS' ? ('no-tls' as const) : ('lightdash' as const);
}

/** With the defaults of Kubernetes. */
function probeOf(
  probe: Probe | null | undefined,
  probed: Probed,
  where: string,
): ContainerFact['startupProbe'] {
  if (!probe) return null;
  const { httpGet } = probe;
  const portOfProbe = atPort(probe, probed);
  const kind = probeKinds.find(([field]) => probe[field])?.[1];
  if (kind === undefined) throw manifestFault(`${where}: expected httpGet, exec, tcpSocket or grpc`);
  return {
    kind,
    path: httpGet ? pathWithoutSecrets(httpGet.path || '/') : null,
    initialDelaySeconds: probe.initialDelaySeconds ?? 0,
    periodSeconds: probe.periodSeconds || 10,
    failureThreshold: probe.failureThreshold || 3,
    ...(portOfProbe === undefined ? {} : { atPort: portOfProbe }),
  };
}

/**
 * The path of a probe without what may be a token: its query, and the values of parameters in the path. The name of a
 * parameter stays: it makes another path.
 */
function pathWithoutSecrets(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/([=;]).*$/s, '$1…');
}

function memoryLimitOf({ resources }: Container, where: string): number | null {
  const memory = resources?.limits?.memory;
  if (memory == null) return null;
  const bytes = readQuantity(memory);
  if (bytes !== undefined) return bytes;
  throw manifestFault(`${where}: resources.limits.memory: expected a quantity such as 2Gi`);
}

/** A Kubernetes quantity, such as `2Gi`, `1.5G`, `1e9` or a number; undefined for anything else. Rounded up. */
export function readQuantity(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !isExactNumber(value)) return undefined;
  const [, number, exponent = '', unit = ''] =
    /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([eE][-+]?\d{1,2})|([numkMGTPE]|[KMGTPE]i))?$/.exec(String(value)) ?? [];
  if (number === undefined) return undefined;
  // The powers of 1000 or, with an `i` behind the letter, of 1024.
  const power = 'num kMGTPE'.indexOf(unit.charAt(0).replace('K', 'k') || ' ') - 3;
  const amount = Math.ceil(Number(`${number}${exponent}`) * (unit.endsWith('i') ? 1024 : 1000) ** power);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
