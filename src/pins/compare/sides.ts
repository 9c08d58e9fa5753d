import { standsTwice } from '../../read/files/yaml.js';
import { type Entry, entriesOfLines, entriesOfYaml } from '../entries.js';
import { type FoundPin, faultOfPin, newPin, unreadable } from '../found-pin.js';
import type { PinSource } from '../kinds/kind.js';
import { kinds } from '../kinds/kinds.js';
import { isYaml, yamlKind } from '../kinds/yaml.js';
import { isValuesFile, patternOf } from '../pin-pattern.js';
import type { PinTree } from '../pin-tree.js';
import { openPinFile } from '../yaml/open.js';
import type { PinFile } from '../yaml/pin-documents.js';
import type { SideOfFile } from './side.js';

export interface Reading {
  readonly tagSuffix: string | undefined;
  /** Whether the operator named the files of both sides: then each of them is read, whatever its name. */
  readonly isGiven?: boolean;
  /** Whether the file may be of Lightdash although it does not have the word. */
  readonly mayBeOf: boolean;
}

/** The pins and the entries of both sides: of lines on both, if one of them is not YAML. */
export async function readSides(
  names: readonly [string | undefined, string | undefined],
  texts: readonly (string | undefined)[],
  trees: readonly [PinTree, PinTree],
  options: Reading,
): Promise<readonly [SideOfFile, SideOfFile]> {
  const sources = names.map((file, i) => {
    const [text, tree] = [texts[i], trees[i]];
    return file === undefined || text === undefined || tree === undefined
      ? undefined
      : sourceOf({ file, text, tree, tagSuffix: options.tagSuffix, alsoAt: [] });
  });
  const readAll = (alsoAt: readonly PinSource['alsoAt'][]) =>
    Promise.all(
      sources.map((source, i) => (source ? pinsOf({ ...source, alsoAt: alsoAt[i] ?? [] }, options) : [])),
    );
  let pins = await readAll([]);
  const own = pins.map((side) => side.filter(({ isOther }) => !isOther));
  const lacking = own.map((side, i) => {
    const here = new Set(own[1 - i]?.map(({ id }) => id));
    return side.filter(({ id }) => !here.has(id)).map(({ path }) => path);
  });
  if (lacking.some((paths) => paths.length > 0)) pins = await readAll(lacking.toReversed());
  const entries = await entriesOf(sources);
  return [0, 1].map((i) => ({ pins: pins[i] ?? [], entries: entries[i] ?? [] })) as unknown as readonly [
    SideOfFile,
    SideOfFile,
  ];
}

function sourceOf(source: Omit<PinSource, 'yaml'>): PinSource {
  let opened: Promise<PinFile> | undefined;
  return {
    ...source,
    yaml: () => {
      opened ??= openPinFile(source.tree, source.file, source.text);
      return opened;
    },
  };
}

/** What every kind that matches the file finds in it, and what two of them find in one line, once. */
async function pinsOf(
  source: PinSource,
  { mayBeOf, isGiven = false }: Reading,
): Promise<readonly FoundPin[]> {
  const { file, text } = source;
  const matching = kinds.filter((kind) => kind.matches(file, text, mayBeOf));
  const reading = matching.length === 0 && isGiven ? [yamlKind] : matching;
  const pins: FoundPin[] = [];
  for (const kind of reading) {
    try {
      const found = await kind.read(source);
      const known = new Set(pins.map(({ line, side }) => `${line} ${versionOfSide(side)}`));
      pins.push(
        ...found.filter(
          ({ line, side }) => side.state !== 'pinned' || !known.has(`${line} ${versionOfSide(side)}`),
        ),
      );
    } catch (error) {
      const fault = faultOfPin(error);
      if (kind === yamlKind && isValuesFile(file) && fault.message.includes(standsTwice)) {
        pins.push(
          newPin(patternOf(file, ['*']), file, unreadable(fault), { isWholeFile: true, inputs: text }),
        );
      }
    }
  }
  return pins;
}

export function versionOfSide(side: FoundPin['side']): string | undefined {
  return side.state === 'pinned' ? side.release.version : undefined;
}

async function entriesOf(
  sources: readonly (PinSource | undefined)[],
): Promise<readonly (readonly Entry[])[]> {
  const asLines = () => sources.map((source) => (source ? entriesOfLines(source.text) : []));
  // Comments of ytt are a program.
  const isPlain = ({ file, text }: PinSource) => isYaml(file) && !text.includes('#@');
  if (!sources.every((source) => source === undefined || isPlain(source))) return asLines();
  try {
    return await Promise.all(
      sources.map(async (source) => (source ? entriesOfYaml(await source.yaml()) : [])),
    );
  } catch (error) {
    faultOfPin(error);
    return asLines();
  }
}
