import { lazy } from '../../core/common/memoize.js';
import { versionOf } from '../../core/pins.js';
import { type Entry, entriesOfLines, entriesOfYaml } from '../entries.js';
import { type FoundPin, faultOfPin, newPin, unreadable } from '../found-pin.js';
import type { PinSource } from '../kinds/kind.js';
import { kinds } from '../kinds/kinds.js';
import { isYaml, yamlKind } from '../kinds/yaml.js';
import { isMadeByProgram } from '../names.js';
import { isValuesFile, patternOf } from '../pin-pattern.js';
import { idsOf, type PinTree } from '../pin-tree.js';
import { envBeside, openPinFile } from '../yaml/open.js';
import { differInPinsAlone } from './differences.js';
import { ofBoth, type SidesOfFile } from './side.js';

export interface Reading {
  readonly tagSuffix: string | undefined;
  /** Whether the operator named the files of both sides: then each of them is read, whatever its name. */
  readonly isGiven?: boolean;
  /** Whether the file may be of Lightdash although it does not have the word. */
  readonly mayBeOf: boolean;
  /** Whether what refers to Lightdash uses the file. */
  readonly isUsed?: boolean;
}

/** The pins and entries of both sides. If one side is not YAML, the entries of both are lines, so that they compare. */
export async function readSides(
  names: readonly [string | undefined, string | undefined],
  texts: readonly (string | undefined)[],
  trees: readonly [PinTree, PinTree],
  options: Reading,
): Promise<SidesOfFile> {
  const sources = ofBoth((i) => {
    const [file, text] = [names[i], texts[i]];
    if (file === undefined || text === undefined) return undefined;
    return {
      ...{ file, text, tree: trees[i], alsoAt: [] },
      yaml: lazy(() => openPinFile(trees[i], file, text)),
      tagSuffix: options.tagSuffix,
      isGiven: options.isGiven === true,
      isUsed: options.isUsed === true,
    };
  });
  const readAll = (alsoAt: (side: 0 | 1) => PinSource['alsoAt']) =>
    Promise.all(
      ofBoth(async (i) => (sources[i] ? pinsOf({ ...sources[i], alsoAt: alsoAt(i) }, options) : [])),
    );
  let pins = await readAll(() => []);
  const lightdashPins = ofBoth((i) => pins[i].filter(({ isOther }) => !isOther));
  /** For each side, its pins that the other side lacks. */
  const lacking = ofBoth((i) => {
    const there = new Set(lightdashPins[i === 0 ? 1 : 0].map(({ id }) => id));
    return lightdashPins[i].filter(({ id }) => !there.has(id));
  });
  if (lacking.some((lackingPins) => lackingPins.length > 0))
    pins = await readAll((i) => lacking[i === 0 ? 1 : 0]);
  // A rename, or other variables in the `.env`, may change what the same text means.
  const isSame =
    names[0] === names[1] && (!texts.some((text) => text?.includes('$')) || haveSameEnv(names, trees));
  const isAlone = isSame && differInPinsAlone(texts, pins);
  const entries = isAlone ? ([[], []] as const) : await entriesOf(sources);
  const [was, is] = ofBoth((i) => ({ pins: pins[i], entries: entries[i] }));
  return { was, is, differInPinsAlone: isAlone };
}

/** Whether the variables beside a file are the same on both sides. */
function haveSameEnv(
  [name = '']: readonly (string | undefined)[],
  trees: readonly [PinTree, PinTree],
): boolean {
  const [was, is] = ofBoth((i) => idsOf(trees[i], [envBeside(name)]));
  return was !== undefined && was === is;
}

/** The pins that the matching kinds find in a file; a version that two kinds find in one line counts once. */
async function pinsOf(
  source: PinSource,
  { mayBeOf, isGiven = false }: Reading,
): Promise<readonly FoundPin[]> {
  const { file, text } = source;
  const matching = isMadeByProgram(text) ? [] : kinds.filter((kind) => kind.matches(file, text, mayBeOf));
  const reading = matching.length === 0 && isGiven ? [yamlKind] : matching;
  const pins: FoundPin[] = [];
  for (const kind of reading) {
    try {
      const pinsOfKind = await kind.read(source);
      const taken = new Set(pins.map(placeAndVersion));
      for (const pin of pinsOfKind) {
        if (taken.size === 0 || pin.side.state !== 'pinned' || !taken.has(placeAndVersion(pin)))
          pins.push(pin);
      }
    } catch (error) {
      const fault = faultOfPin(error);
      if (kind === yamlKind && isValuesFile(file) && fault.details?.kind === 'repeated-key') {
        pins.push(
          newPin(patternOf(file, ['*']), file, unreadable(fault), { isWholeFile: true, inputs: text }),
        );
      }
    }
  }
  return pins;
}

function placeAndVersion({ line, side }: FoundPin): string {
  return `${line} ${versionOf(side)}`;
}

async function entriesOf(
  sources: readonly [PinSource | undefined, PinSource | undefined],
): Promise<readonly [readonly Entry[], readonly Entry[]]> {
  const asLines = () => ofBoth((i) => (sources[i] ? entriesOfLines(sources[i].text) : []));
  // Comments of ytt are a program.
  const isPlain = ({ file, text }: PinSource) =>
    (isYaml(file) || isJson.test(text)) && !text.includes('#@') && !isMadeByProgram(text);
  if (!sources.every((source) => source === undefined || isPlain(source))) return asLines();
  try {
    return await Promise.all(ofBoth(async (i) => (sources[i] ? entriesOfYaml(await sources[i].yaml()) : [])));
  } catch (error) {
    faultOfPin(error);
    return asLines();
  }
}

/** JSON, whatever its name. */
const isJson = /^\s*\{\s*"/;
