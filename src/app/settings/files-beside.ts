import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Env } from '../../core/common/env.js';
import { isInputError, LightspanError } from '../../core/lightspan-error.js';
import { optionsNamed } from '../../core/text/quoted-words.js';
import { filesOfProject } from '../../gather/deployment/compose/compose-files.js';
import { isComposeFile, isEnv } from '../../pins/kinds/variables.js';
import { isValuesFile } from '../../pins/pin-pattern.js';
import type { Pin } from '../../pins/yaml/pin-at.js';
import type { StepsQuestion } from '../../question/route.js';

/**
 * The files that belong to a file that pins, by the rules of Helm and compose, and the neighbours that may belong to
 * it.
 */
export interface FilesAround {
  readonly files: readonly string[];
  readonly beside: readonly string[];
}

/** The options that name the files of a compose project: as the user named them, or settings, or by what pins. */
export function composeFilesIn(
  words: readonly string[],
  pinned: readonly Pin[],
  steps?: StepsQuestion,
): readonly string[] {
  const named = optionsNamed(words, '--compose', '--compose-env-file');
  const { files: ofSteps = [], envFiles = [] } = steps?.kind === 'compose' ? steps : {};
  if (named.length === 0 && ofSteps.length > 0)
    return [
      ...ofSteps.flatMap((file) => ['--compose', file]),
      ...envFiles.flatMap((file) => ['--compose-env-file', file]),
    ];
  const ofProject = pinned.flatMap(({ service, file }) =>
    service === undefined ? composeFilesBeside(file) : file === '-' ? [] : [file],
  );
  const files = [...new Set(ofProject)];
  return named.length > 0 ? named : files.flatMap((file) => ['--compose', file]);
}

/** The compose files beside a `.env`; none beside any other file. */
export function composeFilesBeside(file: string): readonly string[] {
  return isEnv(file) && existsSync(dirname(file)) ? composeFilesAround(file) : [];
}

/** Other values in the same folder may be the base of these: only the script that runs helm knows. */
export function valuesAround(file: string): FilesAround {
  const names = readdirSync(dirname(file));
  // A chart takes its own values by itself.
  const isOfChart = (name: string) => name === 'values.yaml' && names.includes('Chart.yaml');
  return {
    files: [file],
    beside: otherFiles(
      file,
      names.filter((name) => isValuesFile(name) && !isOfChart(name)),
    ),
  };
}

/** Files of `COMPOSE_FILE` and an override file belong to the project; of other neighbours that is not known. */
export function composeAround(file: string, env: Env): FilesAround {
  const beside = composeFilesAround(file);
  try {
    const files = filesOfProject({ files: [file], env });
    const isChosen = files.length > 1 || Boolean(env.COMPOSE_FILE);
    return { files, beside: isChosen ? [] : beside };
  } catch (error) {
    if (!(error instanceof LightspanError) || isInputError(error)) throw error;
    return { files: [file], beside: beside.length > 0 ? beside : [error.message] };
  }
}

function composeFilesAround(file: string): readonly string[] {
  return otherFiles(file, readdirSync(dirname(file)).filter(isComposeFile));
}

function otherFiles(file: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== basename(file)).map((name) => join(dirname(file), name));
}
