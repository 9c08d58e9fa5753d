import type { FoundPin } from '../found-pins.js';
import { readPinFile } from '../yaml/pin-documents.js';
import { commentKind } from './comment.js';
import { dockerfileKind } from './dockerfile.js';
import type { Kind, PinSource } from './kind.js';
import { terraformKind } from './terraform.js';

/** The kinds of files that are neither YAML nor JSON as a whole. */
export const textKinds: readonly Kind[] = [dockerfileKind, terraformKind, commentKind];

/** What they find in a file. What two of them find in one place counts once, as the first of them tells it. */
export async function pinsInText(
  source: Pick<PinSource, 'file' | 'text' | 'tree' | 'tagSuffix'>,
): Promise<readonly FoundPin[]> {
  const { file, text } = source;
  const found: FoundPin[] = [];
  for (const kind of textKinds.filter(({ matches }) => matches(file, text, true))) {
    const pins = await kind.read({ ...source, alsoAt: [], yaml: async () => readPinFile(text, file) });
    found.push(...pins.filter((pin) => !pin.isOther && !found.some(({ offset }) => offset === pin.offset)));
  }
  return found;
}
