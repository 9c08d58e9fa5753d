import type { ContainerFact } from '../../facts/deployment-facts.js';
import { isLightdashImage } from '../../facts/lightdash-containers.js';
import { isExactNumber } from '../../shared/exact-json.js';
import { imageFact } from '../image-reference.js';
import type { Container, Probe } from './kubernetes-object.js';
import { manifestFault } from './manifest-text.js';

/** The keys of a ConfigMap or a Secret that were read, and whether each value is empty; never the values. */
export type Keys = ReadonlyMap<string, boolean>;

/** Undefined if the object was not seen. */
export type SeenKeys = (kind: 'ConfigMap' | 'Secret', name: string) => Keys | undefined;

interface ContainerPlace {
  readonly init: boolean;
  readonly keys: SeenKeys;
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
  return isLightdashImage(image) || (ofChart && (name === 'lightdash' || name === 'migrate'));
}

/**
 * The fact of a container in a pod template.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function containerFact(
  container: Container,
  { init, keys, ofChart, where, workload }: ContainerPlace,
): ContainerFact {
  const { name, command, args } = container;
  const at = `${where}: container ${name}`;
  const image = imageFact(container.image, container.imagePullPolicy ?? null);
  const isOurs = isOfLightdash({ name, image }, ofChart);
  const words = isOurs ? [...(command ?? []), ...(args ?? [])] : [];
  return {
    name,
    // A sidecar is among the init containers, but does not end.
    init: init && container.restartPolicy !== 'Always',
    image,
    entrypointReplaced: (command ?? []).length > 0,
    starts: isOurs ? containerStart(command ?? undefined, args ?? undefined) : 'other',
    ...(startsByYarn(words) ? { byYarn: true } : {}),
    variables: variablesOf(container, keys, at),
    variablesFrom: [...variablesFromOf(container, keys, at), ...variablesOfCommand(words, workload)],
    startupProbe: probeOf(container.startupProbe, `${at}: startupProbe`),
    livenessProbe: probeOf(container.livenessProbe, `${at}: livenessProbe`),
    readinessProbe: probeOf(container.readinessProbe, `${at}: readinessProbe`),
    memoryLimitBytes: memoryLimitOf(container, at),
  };
}

type Variable = ContainerFact['variables'][number];
type VariablesFrom = ContainerFact['variablesFrom'];

/** If a name occurs twice, the last counts. A reference to a key that the object does not have sets nothing. */
function variablesOf({ env }: Container, keys: SeenKeys, where: string): Variable[] {
  const variables = new Map<string, Variable>();
  for (const { name, value, valueFrom } of env ?? []) {
    const ref = refOf(valueFrom?.secretKeyRef, valueFrom?.configMapKeyRef, keys);
    if (ref && (ref.found === undefined ? ref.optional === true : !ref.found.has(ref.key))) continue;
    if (valueFrom && !ref && !(valueFrom.fieldRef || valueFrom.resourceFieldRef || valueFrom.fileKeyRef)) {
      throw manifestFault(`${where}: env: nothing says where ${name} comes from`);
    }
    variables.delete(name);
    variables.set(name, {
      name,
      origin: ref?.origin ?? (valueFrom ? 'field' : 'literal'),
      object: ref?.name ?? null,
      empty: valueFrom ? (ref?.found?.get(ref.key) ?? null) : isEmpty(value ?? ''),
    });
  }
  return [...variables.values()];
}

function variablesFromOf({ env, envFrom }: Container, keys: SeenKeys, where: string): VariablesFrom {
  const all = (envFrom ?? []).map(({ prefix, secretRef, configMapRef }): VariablesFrom[number] => {
    const ref = refOf(secretRef, configMapRef, keys);
    if (!ref) throw manifestFault(`${where}: envFrom: expected a ConfigMap or a Secret`);
    const { origin, name: object, found } = ref;
    if (found === undefined) return { origin, object, prefix: prefix ?? '', keys: null };
    const emptyKeys = [...found].filter(([, empty]) => empty).map(([key]) => key);
    return { origin, object, prefix: prefix ?? '', keys: [...found.keys()], emptyKeys };
  });
  // An optional reference to an object that was not seen may set its variable, and no other.
  const perhaps = (env ?? []).flatMap(({ name, valueFrom }): VariablesFrom => {
    const ref = refOf(valueFrom?.secretKeyRef, valueFrom?.configMapKeyRef, keys);
    if (ref?.optional !== true || ref.found !== undefined) return [];
    return [{ origin: ref.origin, object: ref.name, prefix: name, keys: null }];
  });
  return [...all, ...perhaps];
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

/** With the defaults of Kubernetes. */
function probeOf(probe: Probe | null | undefined, where: string): ContainerFact['startupProbe'] {
  if (!probe) return null;
  const { httpGet, exec, tcpSocket, grpc } = probe;
  const kind = httpGet ? 'http' : exec ? 'exec' : tcpSocket ? 'tcp' : grpc ? 'grpc' : undefined;
  if (kind === undefined) throw manifestFault(`${where}: expected httpGet, exec, tcpSocket or grpc`);
  return {
    kind,
    // The query of a path may be a token.
    path: httpGet ? (httpGet.path || '/').replace(/[?#].*$/s, '') : null,
    initialDelaySeconds: probe.initialDelaySeconds ?? 0,
    periodSeconds: probe.periodSeconds || 10,
    failureThreshold: probe.failureThreshold || 3,
  };
}

function memoryLimitOf({ resources }: Container, where: string): number | null {
  const memory = resources?.limits?.memory;
  if (memory === undefined || memory === null) return null;
  const bytes = readQuantity(memory);
  if (bytes === undefined)
    throw manifestFault(`${where}: resources.limits.memory: expected a quantity such as 2Gi`);
  return bytes;
}

/** The powers of 1000 or, with an `i` behind the letter, of 1024. */
const powers: Readonly<Record<string, number>> = {
  n: -3,
  u: -2,
  m: -1,
  k: 1,
  K: 1,
  M: 2,
  G: 3,
  T: 4,
  P: 5,
  E: 6,
};

/** A Kubernetes quantity, such as `2Gi`, `1.5G`, `1e9` or a number; undefined for anything else. Rounded up. */
export function readQuantity(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !isExactNumber(value)) return undefined;
  const [, number, exponent = '', unit = ''] =
    /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([eE][-+]?\d{1,2})|([numkMGTPE]|[KMGTPE]i))?$/.exec(String(value)) ?? [];
  if (number === undefined) return undefined;
  const scale = (unit.endsWith('i') ? 1024 : 1000) ** (powers[unit.charAt(0)] ?? 0);
  const amount = Math.ceil(Number(`${number}${exponent}`) * scale);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/**
 * What a container of Lightdash starts. The entrypoint of the image migrates, and then starts its arguments; a
 * replacement starts itself.
 *
 * @param replacement what replaces the entrypoint; undefined or empty if nothing does
 * @param args the arguments
 */
export function containerStart(
  replacement: readonly string[] | undefined,
  args: readonly string[] | undefined,
): ContainerFact['starts'] {
  if (replacement === undefined || replacement.length === 0) return 'entrypoint';
  const words = [...replacement, ...(args ?? [])].join(' ');
  if (/\bmigrate-production\b(?!\s+(?:preflight|status|wait|unlock)\b)/.test(words)) return 'migration';
  if (/\bmigrate[:\s]+(?:latest|up)\b/.test(words)) return 'migration';
  if (/\bprod-entrypoint\b/.test(words)) return 'entrypoint';
  // A custom entrypoint may call that of the image, or not.
  if (/entrypoint/.test(words)) return 'other';
  if (/\b(?:scheduler|worker)\b|[a-z]Worker\b/.test(words)) return 'worker';
  if (/\bdist\/index(?:\.js)?\b/.test(words)) return 'server';
  return 'other';
}

/** What a command of Lightdash may set beside what its workload says: no one can tell which variables. */
export function variablesOfCommand(
  command: readonly string[],
  workload: string,
): ContainerFact['variablesFrom'] {
  if (!maySetVariables(command)) return [];
  return [{ origin: 'env-file', object: `that the command of ${workload} may read`, prefix: '', keys: null }];
}

/**
 * Whether it is a shell that reads a file, such as one with the secrets of Vault, or a program that is not known, such as
 * one that fetches secrets and then starts its arguments.
 */
export function maySetVariables([program, ...rest]: readonly string[]): boolean {
  if (program === undefined) return false;
  const name = program.replace(/^.*\//s, '');
  if (/^(?:dumb-init|tini|--)$/.test(name)) return maySetVariables(rest);
  if (/^(?:ba|da|a)?sh$/.test(name)) return mayShellSet(rest);
  const isKnown = /^(?:node|pnpm|npm|npx|yarn|prod-entrypoint(?:\.sh)?)$/.test(name);
  return !isKnown || rest.some((word) => loadsVariables.test(word));
}

/** `node --env-file`, code that node loads first, and `dotenv` in any form. */
const loadsVariables = /^(?:--env-file|--require|--import|-r$)|dotenv/;

/** A shell that sets none itself, and whose commands that run Lightdash, else the last one, are known programs. */
function mayShellSet([option = '', ...rest]: readonly string[]): boolean {
  const text = rest.join(' ');
  // A shell for logins or for people reads its profile first.
  if (!/^-[eux]*c$/.test(option) || setsInShell.test(text)) return true;
  const commands = text.split(/[;&|\n]+/).map((one) => one.trim().replace(/^exec\s+/, ''));
  const own = commands.filter((command) => /\bmigrate|\bdist\/|entrypoint/.test(command));
  return (own.length > 0 ? own : commands.slice(-1)).some((command) => maySetVariables(command.split(/\s+/)));
}

/** `. file`, `source file`, `export NAME`, `eval`, `set -a` and `NAME=value command`. */
const setsInShell = /(?:^|[\s;&|(])(?:(?:\.|source|export|eval)\s|set\s+-\w*a|[A-Za-z_]\w*=)/;

/** Whether what a container of Lightdash starts begins with `yarn workspace`, as it did while the image had yarn. */
export function startsByYarn(words: readonly string[]): boolean {
  return /(?:^|[\s;&|])yarn\s+workspace\s/.test(words.join(' '));
}
