import { isScalar } from 'yaml';
import { groupBy } from '../core/group-by.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { PinFacts, PinnedRelease, PinSide } from '../core/pins.js';
import { parseImageReference } from '../instance/image-reference.js';
import { readVariables } from '../read/files/variables.js';
import { type PinPattern, patternOf } from './pin-pattern.js';
import { folderOf, idsOf, type PinTree, partsOfCharts, pinOneRelease, readText } from './pin-tree.js';
import { isNamedLightdash } from './yaml/image-places.js';
import {
  type ComposeVariables,
  findPlaces,
  type PinDocument,
  type PinFile,
  type PinPlace,
  readPinFile,
} from './yaml/pin-documents.js';
import { ambiguous, notThisPin, releaseAt } from './yaml/pinned-version.js';

export interface FoundPin {
  readonly pattern: PinPattern;
  readonly file: string;
  readonly path: readonly string[];
  /** Which document of the file it is in, from 0; undefined if that is not known, or the only one. */
  readonly document: number | undefined;
  /** Identifies it within its file on both sides, whatever its position in a list. */
  readonly id: string;
  /** From 1; undefined if the file cannot be read up to the pin. */
  readonly line: number | undefined;
  readonly side: PinSide;
  /** Whether the image clearly belongs to another program, and only a `*` of the path matched it. */
  readonly isOther: boolean;
  /** Equal if all files that decide it are equal; undefined if not known, as behind a link. */
  readonly inputs: string | undefined;
  /** Whether the file cannot be read enough to find its pins: then this entry stands for all pins of its pattern. */
  readonly isWholeFile: boolean;
  /** What is pinned as it is written in the line, in a file that is neither YAML nor JSON. */
  readonly written?: string;
  /** Where that begins in the file. */
  readonly offset?: number;
}

/** What a file has at some paths, in which `*` stands for every key and item. */
export function findAt(
  tree: PinTree,
  pinFile: PinFile,
  paths: readonly (readonly string[])[],
  tagSuffix: string | undefined,
  pattern?: PinPattern,
): readonly FoundPin[] {
  const { file, text, documents } = pinFile;
  const places = inTheirDocuments(findPlaces(pinFile, paths, '*'), documents);
  const charts = places.some(isEmpty) ? partsOfCharts(tree, folderOf(file)) : [];
  const inputs = idsOf(tree, [file, ...(text.includes('$') ? [envBeside(file)] : []), ...charts]);
  return places.map((place) => ({
    ...pinOfPlace(place, pinFile, pattern ?? patternOf(file, place.path), tagSuffix),
    inputs,
  }));
}

export function newPin(
  pattern: PinPattern,
  file: string,
  side: PinSide,
  more: Partial<FoundPin> = {},
): FoundPin {
  const { path } = pattern;
  const unknown = { document: undefined, line: undefined, inputs: undefined };
  return {
    pattern,
    file,
    path,
    id: path.join('.'),
    side,
    ...unknown,
    isOther: false,
    isWholeFile: false,
    ...more,
  };
}

function pinOfPlace(
  place: PinPlace & { readonly isAmbiguous: boolean },
  pinFile: PinFile,
  pattern: PinPattern,
  tagSuffix: string | undefined,
): FoundPin {
  const { path, document, isAmbiguous, id, line, isMerged } = place;
  const side = sideOf(() => {
    if (isMerged) throw notThisPin('it comes from a merge key (<<)', 'Name the place where it is written.');
    if (isAmbiguous) throw ambiguous(pinFile, place);
    return releaseAt(place, pinFile, { tagSuffix, giveFrom: pinOneRelease });
  });
  const at = { path, document: isAmbiguous ? undefined : document, id, line };
  return newPin(pattern, pinFile.file, side, { ...at, isOther: isOther(pattern, place) });
}

/** @param known its text, if it was read */
export async function openPinFile(tree: PinTree, file: string, known?: string): Promise<PinFile> {
  const text = known ?? (await readText(tree, file)) ?? '';
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

const envBeside = (file: string) => `${folderOf(file)}.env`;

export function sideOf(read: () => PinnedRelease): PinSide {
  try {
    const { version, digest, registry, repository } = read();
    return { state: 'pinned', release: { version, digest, registry, repository } };
  } catch (error) {
    return unreadable(faultOfPin(error));
  }
}

export function unreadable({ message, hint }: Pick<LightspanError, 'message' | 'hint'>): PinSide {
  return { state: 'unreadable', why: message, hint };
}

export function faultOfPin(error: unknown): LightspanError {
  if (!(error instanceof LightspanError) || error.code !== 'invalid-pin') throw error;
  return error;
}

/** Tells places of the same path apart by the objects of Kubernetes that the documents of a file are. */
function inTheirDocuments(
  places: readonly PinPlace[],
  documents: readonly PinDocument[],
): readonly (PinPlace & { readonly isAmbiguous: boolean })[] {
  const documentsOf = groupBy(places, ({ id }) => id);
  const inOthers = ({ id, document }: PinPlace) =>
    documentsOf.get(id)?.some((other) => other.document !== document) === true;
  const names = documents.map(({ document }) =>
    [['kind'], ['metadata', 'namespace'], ['metadata', 'name']].map((path) => document.getIn(path)).join('/'),
  );
  return places.map((place) => {
    const name = names[place.document];
    if (!inOthers(place)) return { ...place, isAmbiguous: false };
    const isAmbiguous = names.filter((one) => one === name).length > 1;
    return { ...place, id: isAmbiguous ? place.id : `${name} ${place.id}`, isAmbiguous };
  });
}

function isEmpty({ node }: PinPlace): boolean {
  return isScalar(node) && (node.value === null || node.value === '');
}

/**
 * A `*` matches the images of all programs. Lightdash's image has its name, as do mirrors and most custom images built
 * from it. No check sees what is left out here.
 */
function isOther(pattern: PinPattern, { node, parent, path, images }: PinPlace): boolean {
  const value = isScalar(node) ? node.value : undefined;
  if (!pattern.path.includes('*') || typeof value !== 'string' || /\$|\{\{/.test(value)) return false;
  const { repository } = images.imageOf(value, parent, path.at(-1) ?? '');
  return repository !== undefined && !isNamedLightdash(parseImageReference(repository).repository ?? '');
}

export interface PinPair {
  readonly place: Pick<FoundPin, 'file' | 'path' | 'line'>;
  readonly previousFile: string | undefined;
  readonly before: PinSide;
  readonly after: PinSide;
  readonly facts: PinFacts;
}

/** Pairs the pins of the two sides: by file, or by the new name of a file, and by their place in it. */
export function pairPins(
  before: readonly FoundPin[],
  after: readonly FoundPin[],
  renamed: ReadonlyMap<string, string>,
  patterns: readonly PinPattern[],
): readonly PinPair[] {
  const nameNow = (file: string) => {
    const now = renamed.get(file);
    return now !== undefined && patterns.some((pattern) => pattern.matches(now)) ? now : file;
  };
  const wholeOf = ({ file, pattern }: FoundPin) => `${nameNow(file)}\0${pattern.text}`;
  const wholeFiles = new Set([...before, ...after].filter(({ isWholeFile }) => isWholeFile).map(wholeOf));
  /** If a `*` and a name lead to one place, the name shows that it is a pin. */
  const byName = (pins: readonly FoundPin[]) => {
    const named = new Map<string, FoundPin>();
    for (const pin of pins) {
      const whole = wholeOf(pin);
      const name = wholeFiles.has(whole) ? whole : `${nameNow(pin.file)}\0${pin.id}`;
      if (named.get(name)?.isOther !== false) named.set(name, pin);
    }
    return named;
  };
  const [old, current] = [byName(before), byName(after)];
  return [...new Set([...current.keys(), ...old.keys()])].flatMap((key): PinPair[] => {
    const was = old.get(key);
    const is = current.get(key);
    const place = is ?? was;
    // Another program on both sides, or on the only side.
    if (place === undefined || ((was ?? place).isOther && (is ?? place).isOther)) return [];
    const { file, path, line } = place;
    const newName = was && is === undefined ? renamed.get(was.file) : undefined;
    return [
      {
        place: { file, path, line },
        previousFile: was && was.file !== file ? was.file : undefined,
        before: was?.side ?? { state: 'absent' },
        after: is?.side ?? { state: 'absent' },
        facts: {
          untouched: was?.inputs !== undefined && was.inputs === is?.inputs,
          renamedTo: newName === nameNow(was?.file ?? '') ? undefined : newName,
        },
      },
    ];
  });
}

/** @returns undefined for a text that is not YAML */
export function readIfYaml(text: string, file: string): PinFile | undefined {
  try {
    return readPinFile(text, file);
  } catch (error) {
    faultOfPin(error);
    return undefined;
  }
}
