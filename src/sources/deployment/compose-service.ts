import { isRecord } from '../../shared/is-record.js';
import {
  bytesOf,
  type ComposeService,
  type ComposeVariable,
  portOf,
  replacementBySwarm,
  secondsOf,
} from './compose-project.js';
import type { Lookup } from './compose-variables.js';

/** Ends the reading with an error that names the place. */
export type Refuse = (path: readonly (string | number)[], what: string, about?: 'key' | 'value') => never;

/** A service as one file defines it, its variables filled in. */
export interface Layer {
  readonly own: Readonly<Record<string, unknown>>;
  readonly refuse: Refuse;
}

/** A text with a variable whose value is not known. */
export class NotReported {
  constructor(readonly written: string) {}
}

export interface ServiceContext {
  readonly lookup: Lookup;
  readonly readEnvFile: (
    file: string,
    required: boolean,
    missing: () => never,
  ) => Promise<ReadonlyMap<string, string | null>>;
}

const read = [
  ...['image', 'build', 'pull_policy', 'entrypoint', 'command', 'environment', 'env_file', 'ports'],
  ...['restart', 'scale', 'mem_limit', 'stop_grace_period', 'deploy'],
];

/** Keys that say nothing of what is read here, and import nothing from elsewhere. */
const passedOver = `annotations attach blkio_config cap_add cap_drop cgroup cgroup_parent configs container_name
cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset credential_spec depends_on
device_cgroup_rules devices dns dns_opt dns_search domainname expose external_links extra_hosts gpus group_add healthcheck
hostname init ipc isolation labels links logging mac_address mem_reservation mem_swappiness memswap_limit network_mode
networks oom_kill_disable oom_score_adj pid pids_limit platform privileged read_only runtime secrets security_opt shm_size
stdin_open stop_signal storage_opt sysctls tmpfs tty ulimits user userns_mode uts volumes volumes_from working_dir`;

const known = new Set([...read, ...passedOver.split(/\s+/)]);

/** A service from the parts that the files define, later files taking precedence, as compose merges them. */
export async function readService(
  name: string,
  layers: readonly Layer[],
  context: ServiceContext,
): Promise<ComposeService> {
  for (const [i, { own, refuse }] of layers.entries()) {
    for (const [key, value] of Object.entries(own)) {
      if (!known.has(key) && !key.startsWith('x-')) refuse([key], `${key} is not read`, 'key');
      if (i > 0 && value === null && read.includes(key)) {
        refuse([key], `${key} is empty, and overrides another file`);
      }
    }
  }
  for (const layer of layers) refuseNamelessVolumes(layer);
  const image = textAt(layers, 'image');
  if (image === undefined && lastWith(layers, ['build']) === undefined) {
    layers[0]?.refuse([], `the service ${name} has neither image nor build`);
  }
  const policy = textAt(layers, 'pull_policy');
  return {
    name,
    image,
    pullPolicy: policy === 'if_not_present' ? 'missing' : policy,
    entrypoint: wordsAt(layers, 'entrypoint'),
    command: wordsAt(layers, 'command'),
    variables: await variablesOf(layers, context),
    ports: [...new Set(layers.flatMap(portsOf))],
    restart: textAt(layers, 'restart'),
    replicas: agreed(layers, 'scale', ['deploy', 'replicas'], wholeNumber),
    memoryLimitBytes: agreed(layers, 'mem_limit', ['deploy', 'resources', 'limits', 'memory'], bytesOf),
    ofSwarm: bySwarm(layers),
    graceSeconds: measureAt(layers, ['stop_grace_period'], secondsOf),
    heldBack: false,
  };
}

/** Refuses volumes without a name, which an unset variable causes. */
function refuseNamelessVolumes({ own, refuse }: Layer): void {
  const { volumes } = own;
  if (!Array.isArray(volumes)) return;
  const at = volumes.findIndex((volume) => typeof volume === 'string' && /^(?::|$)/.test(volume));
  if (at !== -1) refuse(['volumes', at], 'nothing is before the colon: is a variable in it not set?');
}

function plainText({ refuse }: Layer, path: readonly (string | number)[], value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof NotReported) {
    return refuse(path, `${path.join('.')} contains a variable that is not one plain word`);
  }
  return refuse(path, `${path.join('.')} is not text`);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function valueAt(own: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), own);
}

/** The last file that sets a value: it takes precedence. */
function lastWith(layers: readonly Layer[], path: readonly string[]): Layer | undefined {
  return layers.findLast(({ own }) => (valueAt(own, path) ?? undefined) !== undefined);
}

function textAt(layers: readonly Layer[], ...path: readonly string[]): string | undefined {
  const layer = lastWith(layers, path);
  return layer && plainText(layer, path, valueAt(layer.own, path));
}

function measureAt(
  layers: readonly Layer[],
  path: readonly string[],
  measure: (text: string) => number | undefined,
): number | undefined {
  const layer = lastWith(layers, path);
  if (layer === undefined) return undefined;
  const value = valueAt(layer.own, path);
  const written = typeof value === 'number' ? String(value) : plainText(layer, path, value);
  return measure(written) ?? layer.refuse(path, `${path.join('.')} is not understood`);
}

/** The value of two keys for the same thing, which compose requires to be equal. */
function agreed(
  layers: readonly Layer[],
  short: string,
  long: readonly string[],
  measure: (text: string) => number | undefined,
): number | undefined {
  const ofShort = measureAt(layers, [short], measure);
  const ofLong = measureAt(layers, long, measure);
  if (ofShort !== undefined && ofLong !== undefined && ofShort !== ofLong) {
    layers
      .findLast(({ own }) => Object.hasOwn(own, short))
      ?.refuse([short], `${short} and ${long.join('.')} differ`);
  }
  return ofLong ?? ofShort;
}

function bySwarm(layers: readonly Layer[]): string | undefined {
  const has = (key: string) => layers.some(({ own }) => isRecord(valueAt(own, ['deploy', key])));
  return replacementBySwarm({
    mode: textAt(layers, 'deploy', 'mode'),
    order: textAt(layers, 'deploy', 'update_config', 'order'),
    isConfigured: has('update_config') || has('rollback_config'),
  });
}

/** What a container starts, as words; quotes are removed, because only the words matter. */
function wordsAt(layers: readonly Layer[], key: string): readonly string[] | undefined {
  const layer = lastWith(layers, [key]);
  const value = layer?.own[key];
  if (layer === undefined || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item, i) => plainText(layer, [key, i], item));
  return plainText(layer, [key], value)
    .replaceAll(/['"]/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** `env_file` first, in order; `environment` takes precedence. */
async function variablesOf(
  layers: readonly Layer[],
  { lookup, readEnvFile }: ServiceContext,
): Promise<ComposeVariable[]> {
  const variables = new Map<string, ComposeVariable | undefined>();
  const set = (
    name: string,
    value: string | null | undefined,
    from: Pick<ComposeVariable, 'origin' | 'file'>,
  ) =>
    variables.set(
      name,
      value === undefined ? undefined : { name, ...from, empty: value === null ? null : value === '' },
    );
  for (const layer of layers) {
    for (const { file, required, refuse } of envFilesOf(layer)) {
      const values = await readEnvFile(file, required, refuse);
      for (const [name, value] of values) set(name, value, { origin: 'env-file', file });
    }
  }
  for (const layer of layers) {
    for (const [name, value] of environmentOf(layer, lookup))
      set(name, value, { origin: 'literal', file: null });
  }
  return [...variables.values()]
    .filter((variable) => variable !== undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface EnvFile {
  readonly file: string;
  readonly required: boolean;
  readonly refuse: () => never;
}

function envFilesOf(layer: Layer): EnvFile[] {
  const { env_file: given } = layer.own;
  if (given === undefined || given === null) return [];
  return [given].flat().map((item: unknown, i) => {
    const path = ['env_file', ...(Array.isArray(given) ? [i] : [])];
    if (!isRecord(item) || item instanceof NotReported) {
      return envFile(layer, plainText(layer, path, item), true, path);
    }
    const { required = true, path: file, ...others } = item;
    const [other] = Object.keys(others);
    if (other !== undefined) layer.refuse([...path, other], `${other} of env_file is not read`, 'key');
    if (typeof required !== 'boolean')
      layer.refuse([...path, 'required'], 'required is neither true nor false');
    return envFile(layer, plainText(layer, [...path, 'path'], file), required === true, path);
  });
}

function envFile(
  { refuse }: Layer,
  file: string,
  required: boolean,
  path: readonly (string | number)[],
): EnvFile {
  return { file, required, refuse: () => refuse(path, `the file of variables cannot be read`) };
}

/**
 * The values of variables; undefined for one that is named without a value and set nowhere, which is then not passed
 * on.
 */
function environmentOf({ own, refuse }: Layer, lookup: Lookup): [string, string | null | undefined][] {
  const { environment: given } = own;
  const path = ['environment'];
  if (given === undefined || given === null) return [];
  if (Array.isArray(given)) {
    return given.map((item: unknown, i) => {
      const written = item instanceof NotReported ? item.written : item;
      if (typeof written !== 'string') return refuse([...path, i], 'it is neither NAME=value nor NAME');
      const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(written) ?? [];
      if (name === '' || name.includes('$')) return refuse([...path, i], 'it is neither NAME=value nor NAME');
      if (item instanceof NotReported) return [name, null];
      return [name, value ?? lookup(name)];
    });
  }
  if (!isRecord(given)) return refuse(path, 'it is neither a map nor a list of variables');
  return Object.entries(given).map(([name, value]) => {
    if (value === null) return [name, lookup(name)];
    if (value instanceof NotReported) return [name, null];
    if (typeof value === 'object') return refuse([...path, name], `${name} is not set to text`);
    return [name, String(value)];
  });
}

const short = /^(?:(\[[^\]]+\]|[\d.]+):)??(?:(\d+(?:-\d+)?)?:)?(\d+(?:-\d+)?)(?:\/(tcp|udp|sctp))?$/;

function portsOf(layer: Layer): string[] {
  const { own, refuse } = layer;
  const { ports: given } = own;
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return refuse(['ports'], 'ports is not a list');
  return given.flatMap((item: unknown, i) => {
    const path = ['ports', i];
    if (isRecord(item) && !(item instanceof NotReported)) return longPort(layer, path, item);
    const text = typeof item === 'number' ? String(item) : plainText(layer, path, item);
    const [, host, published, target, protocol] = short.exec(text) ?? [];
    if (target === undefined) return refuse(path, 'it is not a port that lightspan understands');
    const hostIp = host?.replaceAll(/[[\]]/g, '');
    const targets = portsIn(target);
    const onHost = published === undefined ? undefined : portsIn(published);
    if (targets.length > 1 && onHost !== undefined && onHost.length !== targets.length) {
      return refuse(path, 'the ranges of ports differ in length');
    }
    return targets.map((port, at) =>
      portOf({
        hostIp,
        published: targets.length === 1 && onHost?.length !== 1 ? published : onHost?.[at],
        target: port,
        protocol,
      }),
    );
  });
}

/** Nobody publishes more ports than this. */
const mostPorts = 1000;

function portsIn(range: string): string[] {
  const [from = 0, to = from] = range.split('-').map(Number);
  return Array.from({ length: Math.max(0, Math.min(to - from + 1, mostPorts)) }, (_, i) => String(from + i));
}

const longKeys = new Set(['name', 'target', 'published', 'host_ip', 'protocol', 'app_protocol', 'mode']);

function longPort(
  layer: Layer,
  path: readonly (string | number)[],
  item: Readonly<Record<string, unknown>>,
): string {
  const other = Object.keys(item).find((key) => !longKeys.has(key));
  if (other !== undefined) layer.refuse([...path, other], `${other} of a port is not read`, 'key');
  const at = (key: string) => {
    const value = item[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'number' ? String(value) : plainText(layer, [...path, key], value);
  };
  const target = at('target') ?? layer.refuse(path, 'the port has no target');
  return portOf({ hostIp: at('host_ip'), published: at('published'), target, protocol: at('protocol') });
}
