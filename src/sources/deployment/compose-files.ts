import { basename, join, resolve } from 'node:path';
import { LightspanError } from '../../errors.js';
import { isExactNumber } from '../../shared/exact-json.js';
import { isRecord } from '../../shared/is-record.js';
import { readInputText } from '../input-text.js';
import { MergedOver, readYaml } from '../yaml-text.js';
import type { ComposeRequest } from './compose-docker.js';
import { readComposeEnv } from './compose-env.js';
import type { ComposeProject } from './compose-project.js';
import { type Layer, NotReported, type Refuse, readService } from './compose-service.js';
import { fillIn, type Lookup } from './compose-variables.js';

/**
 * The project as this program reads it if docker compose is not available. What it does not know is refused, with the
 * place, and never guessed.
 *
 * @throws {LightspanError} `unreadable-source`
 */
export async function readComposeFiles(request: ComposeRequest): Promise<ComposeProject> {
  const lookup = await variablesOf(request);
  const files = await Promise.all(request.files.map((file) => readFile(file, lookup)));
  const names = [...new Set(files.flatMap(({ services }) => Object.keys(services)))];
  const readEnvFile = (file: string, required: boolean, refuse: () => never) =>
    readEnv(join(request.folder, file), required, lookup, refuse);
  const services = [];
  for (const name of names.toSorted()) {
    const layers = files.flatMap(({ layerOf }) => layerOf(name) ?? []);
    services.push(await readService(name, layers, { lookup, readEnvFile }));
  }
  return { name: nameOf(files, request, lookup), services };
}

/** The message of a fault without quotes from the text, which may be a password. */
function withoutValues(message: string): string {
  const [, tag] = /^Unresolved tag: (!reset|!override)$/.exec(message) ?? [];
  if (tag !== undefined) return `${tag} is not read`;
  if (/^the key "[^"]*" stands twice$/.test(message)) return message;
  return message
    .replace(/(?:["\\]| [&*!]).*$/s, '')
    .replace(/(?<=extra characters|YAML token):.*$/s, '')
    .replace(/[:\s]+$/, '');
}

interface ComposeFile {
  readonly services: Readonly<Record<string, unknown>>;
  readonly name: string | null | undefined;
  readonly layerOf: (service: string) => Layer | undefined;
  readonly refuse: Refuse;
}

/** Parts of a file that say nothing about its services. */
const otherParts = new Set(['version', 'name', 'services', 'volumes', 'networks', 'configs', 'secrets']);

async function readFile(file: string, lookup: Lookup): Promise<ComposeFile> {
  const text = await readText(file);
  const reading = readYaml(text, { deployedFrom: file });
  if (!reading.ok) {
    const [fault] = reading.faults;
    throw refusal(`${file}:${fault?.line ?? 1}: ${withoutValues(fault?.message ?? 'it cannot be read')}`);
  }
  const { value, positionOf } = reading;
  const refuse: Refuse = (path, what, about = 'value') => {
    throw refusal(`${file}:${positionOf(path, about).line}: ${what}`);
  };
  if (!isRecord(value)) return refuse([], 'it is not a compose file');
  for (const key of Object.keys(value)) {
    if (!otherParts.has(key) && !key.startsWith('x-')) refuse([key], `${key} is not read`, 'key');
  }
  const filled = fillTree(value, [], lookup, refuse);
  if (!isRecord(filled) || !isRecord(filled.services)) return refuse([], 'it has no services');
  const { services, name } = filled;
  if (name !== undefined && name !== null && typeof name !== 'string') refuse(['name'], 'name is not text');
  return {
    services,
    name: typeof name === 'string' || name === null ? name : undefined,
    layerOf: (service) => {
      if (!Object.hasOwn(services, service)) return undefined;
      const own = services[service];
      const at: Refuse = (path, what, about) => refuse(['services', service, ...path], what, about);
      return isRecord(own) ? { own, refuse: at } : at([], `the service ${service} is empty`);
    },
    refuse,
  };
}

/** A value with its variables filled in; keys have none. */
function fillTree(
  value: unknown,
  path: readonly (string | number)[],
  lookup: Lookup,
  refuse: Refuse,
): unknown {
  if (typeof value === 'string') {
    const filled = fillIn(value, lookup);
    return filled.ok ? (filled.text ?? new NotReported(value)) : refuse(path, filled.fault);
  }
  if (Array.isArray(value)) return value.map((item, i) => fillTree(item, [...path, i], lookup, refuse));
  if (isExactNumber(value)) return String(value);
  // As docker compose reads it, wherever the merge key stands.
  if (value instanceof MergedOver) return fillTree(value.own, path, lookup, refuse);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillTree(item, [...path, key], lookup, refuse)]),
  );
}

/** The variables that compose fills in: the environment takes precedence over the files. */
async function variablesOf({ env, envFiles, folder }: ComposeRequest): Promise<Lookup> {
  const { COMPOSE_ENV_FILES, COMPOSE_DISABLE_ENV_FILE } = env;
  const named =
    envFiles.length > 0 ? envFiles : (COMPOSE_ENV_FILES ?? '').split(',').filter((file) => file !== '');
  const withoutDefault = /^(?:1|t|true)$/i.test(COMPOSE_DISABLE_ENV_FILE ?? '');
  const byDefault = withoutDefault ? [] : [join(folder, '.env')];
  const known = new Map<string, string | null>();
  const lookup: Lookup = (name) => {
    const ofEnvironment = env[name];
    return ofEnvironment === undefined ? known.get(name) : ofEnvironment;
  };
  for (const file of named.length > 0 ? named : byDefault) {
    const read = await readEnv(file, named.length > 0, lookup);
    for (const [name, value] of read) known.set(name, value);
  }
  return lookup;
}

async function readEnv(
  file: string,
  required: boolean,
  lookup: Lookup,
  refuse?: () => never,
): Promise<ReadonlyMap<string, string | null>> {
  let text: string;
  try {
    text = await readText(file, 'file of variables');
  } catch (error) {
    if (required) return refuse === undefined ? fail(error) : refuse();
    if (error instanceof LightspanError && /there is no such file$/.test(error.message)) return new Map();
    throw error;
  }
  const reading = readComposeEnv(text, lookup);
  if (reading.ok) return reading.variables;
  throw refusal(`${file}:${reading.line}: ${reading.fault}`);
}

function fail(error: unknown): never {
  throw error;
}

/** The project name: from the environment, else from the last file that has one, else from the folder. */
function nameOf(files: readonly ComposeFile[], { folder }: ComposeRequest, lookup: Lookup): string {
  const given = lookup('COMPOSE_PROJECT_NAME');
  const named = files.findLast(({ name }) => name !== undefined && name !== '');
  const name = given === undefined || given === '' ? named?.name : given;
  const ofFolder = normalName(basename(resolve(folder)));
  if (name === undefined && ofFolder !== '') return ofFolder;
  if (typeof name === 'string' && /^[a-z0-9][a-z0-9_-]*$/.test(name)) return name;
  throw refusal('the name of the project may contain only lower-case letters, digits, - and _');
}

function normalName(folder: string): string {
  return folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '');
}

/** @throws {LightspanError} `unreadable-source` */
export async function readText(file: string, what = 'compose file'): Promise<string> {
  return readInputText({ source: file, stdin: nothing(), what });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function refusal(message: string): LightspanError {
  return new LightspanError('unreadable-source', message, {
    hint: 'Install docker compose, which reads every compose file; or name a file that it has written: docker compose config --no-interpolate --output <file>.',
  });
}
