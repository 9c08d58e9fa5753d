import { memoizeByObject } from '../../core/common/memoize.js';
import { readVariables } from '../../gather/files/variables.js';
import { faultOfPin } from '../found-pin.js';
import { folderOf, type PinTree, readText } from '../pin-tree.js';
import { type ComposeVariables, type PinFile, readPinFile } from './pin-documents.js';

/**
 * Reads a YAML file with the variables of the `.env` beside it filled in.
 *
 * @param knownText its text, if it was read before
 */
export async function openPinFile(tree: PinTree, file: string, knownText?: string): Promise<PinFile> {
  const text = knownText ?? (await readText(tree, file)) ?? '';
  const env = envBeside(file);
  if (!text.includes('$')) return readPinFile(text, file);
  const read = async (): Promise<ComposeVariables> => {
    try {
      return { variables: readVariables((await readText(tree, env)) ?? '', env) };
    } catch (error) {
      return { fault: faultOfPin(error).message };
    }
  };
  return readPinFile(text, file, await read());
}

/** The file beside it that gives the variables of a file; none where it takes none. */
export const variablesBeside = memoizeByObject(({ text, file }: PinFile): readonly string[] =>
  text.includes('$') ? [envBeside(file)] : [],
);

export const envBeside = (file: string) => `${folderOf(file)}.env`;

/** @returns undefined for a text that is not YAML */
export function readIfYaml(text: string, file: string): PinFile | undefined {
  try {
    return readPinFile(text, file);
  } catch (error) {
    faultOfPin(error);
    return undefined;
  }
}
