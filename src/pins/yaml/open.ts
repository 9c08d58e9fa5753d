import { memoizeByObject } from '../../core/common/memoize.js';
import { readVariables } from '../../gather/files/variables.js';
import { faultOfPin, readOr } from '../found-pin.js';
import { folderOf, type PinTree, readText } from '../pin-tree.js';
import { type ComposeVariables, type PinFile, readPinFile } from './pin-documents.js';

/**
 * Reads a YAML file with the variables of the `.env` beside it filled in.
 *
 * @param knownText its text, if it was read before
 */
export async function openPinFile(tree: PinTree, file: string, knownText?: string): Promise<PinFile> {
  const text = knownText ?? (await readText(tree, file)) ?? '';
  if (!text.includes('$')) return readPinFile(text, file);
  const env = envBeside(file);
  const read = readText(tree, env).then(
    (ofEnv) => variablesIn(ofEnv, env),
    (error) => ({ fault: faultOfPin(error).message }),
  );
  return readPinFile(text, file, await read);
}

/** The variables of a file, none if there is no such file; or why it cannot be read. */
export function variablesIn(text: string | undefined, file: string): ComposeVariables {
  return readOr(
    () => ({ variables: readVariables(text ?? '', file) }),
    ({ message }) => ({ fault: message }),
  );
}

/** The file beside it that gives the variables of a file; none where it takes none. */
export const variablesBeside = memoizeByObject(({ text, file }: PinFile): readonly string[] =>
  text.includes('$') ? [envBeside(file)] : [],
);

export const envBeside = (file: string) => `${folderOf(file)}.env`;

/** @returns undefined for a text that is not YAML */
export function readIfYaml(text: string, file: string): PinFile | undefined {
  return readOr(
    () => readPinFile(text, file),
    () => undefined,
  );
}

/** A file of a side as YAML; undefined where it has none, or no YAML. */
export async function openIfYaml(tree: PinTree, file: string): Promise<PinFile | undefined> {
  return readIfYaml((await readText(tree, file)) ?? '', file);
}
