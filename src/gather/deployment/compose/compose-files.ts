import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Env } from '../../../core/common/env.js';
import { LightspanError } from '../../../core/lightspan-error.js';
import { compact } from '../../../core/text/compact.js';
import { composeNames, overrideNames } from '../../../instance/compose-files.js';
import { envFilesIn, readVariables } from '../../files/variables.js';

interface ProjectFiles {
  /** The compose files that are named, in their order. */
  readonly files: readonly string[];
  readonly envFiles?: readonly string[] | undefined;
  readonly env: Env;
}

/**
 * Refuses files that are not those that docker compose reads where none is named: those of `COMPOSE_FILE`, or an
 * override file. With `--file`, docker compose itself looks at neither, and `docker compose up` of the operator does.
 *
 * @throws {LightspanError} `usage`
 */
export function refuseOtherFiles(named: ProjectFiles): void {
  const chosen = chosenFiles(named);
  const { files } = named;
  if (chosen !== undefined) {
    if (isSame(chosen.files, files)) return;
    throw otherFiles(chosen, files);
  }
  const [first = '', second] = files;
  const beside = second === undefined ? overrideOf(first) : undefined;
  if (beside === undefined) return;
  throw new LightspanError('usage', `${beside} is next to ${first}, and compose merges both`, {
    hint:
      `Name it too: --compose ${first} --compose ${beside}. If you deploy without it, set COMPOSE_FILE to the ` +
      'files you use.',
  });
}

/**
 * All files of the project that one file belongs to: those of `COMPOSE_FILE`, or the file and what docker compose joins
 * to it.
 *
 * @throws {LightspanError} `usage` if `COMPOSE_FILE` names others
 */
export function filesOfProject(named: ProjectFiles): readonly string[] {
  const [file = ''] = named.files;
  const chosen = chosenFiles(named);
  if (chosen === undefined) return compact<string>(file, overrideOf(file));
  const isAmong = chosen.files.some((chosenFile) => resolve(chosenFile) === resolve(file));
  if (!isAmong) throw otherFiles(chosen, [file]);
  return chosen.files;
}

/** Whether docker compose, without the names of files, reads these in their folder, as far as that can be seen here. */
export function isFirstFound(file: string, env: Env): boolean {
  if (env.COMPOSE_FILE) return false;
  const first = composeNames.map((name) => join(dirname(file), name)).find((path) => existsSync(path));
  return first === undefined || resolve(first) === resolve(file);
}

interface ChosenFiles {
  readonly files: readonly string[];
  /** Where `COMPOSE_FILE` is set, for the message. */
  readonly by: string;
}

function otherFiles({ files: chosen, by }: ChosenFiles, files: readonly string[]): LightspanError {
  const all = chosen.map((file) => `--compose ${file}`).join(' ');
  return new LightspanError(
    'usage',
    `COMPOSE_FILE in ${by} names ${chosen.join(', ')}, and not ${files.join(', ')}`,
    {
      hint:
        `docker compose up reads what COMPOSE_FILE names. Name the same: ${all}. If you deploy other files, ` +
        'set COMPOSE_FILE to them in the environment.',
    },
  );
}

/** The files that `COMPOSE_FILE` names: in the environment, else in the files of variables. */
function chosenFiles({
  files,
  env,
  envFiles = envFilesIn(env) ?? [],
}: ProjectFiles): ChosenFiles | undefined {
  const folder = dirname(files[0] ?? '');
  if (env.COMPOSE_FILE) {
    const names = env.COMPOSE_FILE.split(env.COMPOSE_PATH_SEPARATOR || defaultSeparator);
    // The operator may have set `COMPOSE_FILE` in the folder of the files.
    const read = ['', folder].map((from) => names.map((name) => pathFrom(from, name)));
    return { files: read.find((some) => isSame(some, files)) ?? read[0] ?? [], by: 'the environment' };
  }
  if (envFiles.length > 0) {
    return envFiles.map((place) => chosenIn(place, '', env)).findLast((chosen) => chosen !== undefined);
  }
  const beside = chosenIn(join(folder, '.env'), folder, env);
  if (beside !== undefined) return beside;
  // The folder of this shell may have a project of its own.
  const here = chosenIn('.env', '', env);
  return here?.files.some((file) => files.some((named) => resolve(named) === resolve(file)))
    ? here
    : undefined;
}

function chosenIn(place: string, folder: string, env: Env): ChosenFiles | undefined {
  const text = existsSync(place) ? linesOfCompose(readFileSync(place, 'utf8')) : '';
  const variables = readVariables(text, place);
  const value = variables.get('COMPOSE_FILE');
  if (value === undefined || value === '') return undefined;
  const separator = env.COMPOSE_PATH_SEPARATOR || variables.get('COMPOSE_PATH_SEPARATOR');
  if (value === null || separator === null) {
    throw new LightspanError('usage', `${place} sets COMPOSE_FILE in a form only docker compose can read`, {
      hint:
        'Write its files plainly there (COMPOSE_FILE=compose.yaml:prod.yaml), or set COMPOSE_FILE in the ' +
        'environment.',
    });
  }
  return {
    files: value.split(separator || defaultSeparator).map((name) => pathFrom(folder, name)),
    by: place,
  };
}

/** The lines that set `COMPOSE_FILE` and its separator. Only these have to be plain assignments. */
function linesOfCompose(text: string): string {
  const decides = /^\uFEFF?\s*(?:export\s+)?COMPOSE_(?:FILE|PATH_SEPARATOR)\b/;
  return text
    .split(/\r?\n/)
    .filter((line) => decides.test(line))
    .join('\n');
}

const defaultSeparator = process.platform === 'win32' ? ';' : ':';

function pathFrom(folder: string, name: string): string {
  return isAbsolute(name) ? name : relative('', resolve(folder, name)) || name;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((file, i) => resolve(file) === resolve(others[i] ?? ''));
}

/** The override file that docker compose adds by itself. */
function overrideOf(file: string): string | undefined {
  if (!composeNames.includes(basename(file))) return undefined;
  return overrideNames.map((name) => join(dirname(file), name)).find((path) => existsSync(path));
}
