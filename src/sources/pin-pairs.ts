import type { PinFacts, PinSide } from '../release-safety/pins.js';
import type { FoundPin } from './found-pins.js';
import type { FileMoves } from './git/trees.js';
import type { PinPattern } from './pin-pattern.js';

/** A pin on both sides of a change. */
export interface PinPair {
  /** Its place after the change; if it is gone, its place before. */
  readonly place: Pick<FoundPin, 'file' | 'path' | 'line'>;
  /** The former name of its file, if it was renamed. */
  readonly previousFile: string | undefined;
  readonly before: PinSide;
  readonly after: PinSide;
  readonly facts: PinFacts;
}

const absent: PinSide = { state: 'absent' };

/** Pairs the pins of the two sides: by file, or by the new name of a file, and by their place in it. */
export function pairPins(
  before: readonly FoundPin[],
  after: readonly FoundPin[],
  { renamed, copied }: FileMoves,
  patterns: readonly PinPattern[],
): readonly PinPair[] {
  const nameNow = (file: string) => {
    const now = renamed.get(file);
    return now !== undefined && patterns.some((pattern) => pattern.matches(now)) ? now : file;
  };
  const now = (pin: FoundPin) => nameNow(pin.file);
  const itself = ({ file }: FoundPin) => file;
  const wholeFiles = new Set([...wholeFilesOf(before, now), ...wholeFilesOf(after, itself)]);
  const old = byName(before, now, wholeFiles);
  const current = byName(after, itself, wholeFiles);
  return [...new Set([...current.keys(), ...old.keys()])].flatMap((key): PinPair[] => {
    const was = old.get(key);
    const is = current.get(key);
    const place = is ?? was;
    if (place === undefined) return [];
    // Another program on both sides, or on the only side.
    if ((was ?? place).isOther && (is ?? place).isOther) return [];
    const { file, path, line } = place;
    const newName = is === undefined && was !== undefined ? renamed.get(was.file) : undefined;
    return [
      {
        place: { file, path, line },
        previousFile: was !== undefined && was.file !== file ? was.file : undefined,
        before: was?.side ?? absent,
        after: is?.side ?? absent,
        facts: {
          untouched: was?.inputs !== undefined && was.inputs === is?.inputs,
          renamedTo: newName === nameNow(was?.file ?? '') ? undefined : newName,
          copiedFrom: was === undefined ? copied.get(file) : undefined,
        },
      },
    ];
  });
}

/**
 * Pairs by a name that is the same on both sides. If a `*` and a name lead to one place, the name shows that it is a
 * pin.
 */
function byName(
  pins: readonly FoundPin[],
  fileOf: (pin: FoundPin) => string,
  wholeFiles: ReadonlySet<string>,
): Map<string, FoundPin> {
  const named = new Map<string, FoundPin>();
  for (const pin of pins) {
    const whole = nameOfWhole(pin, fileOf);
    const name = wholeFiles.has(whole) ? whole : `${fileOf(pin)}\0${pin.id}`;
    if (named.get(name)?.isOther !== false) named.set(name, pin);
  }
  return named;
}

function wholeFilesOf(pins: readonly FoundPin[], fileOf: (pin: FoundPin) => string): string[] {
  return pins.filter(({ isWholeFile }) => isWholeFile).map((pin) => nameOfWhole(pin, fileOf));
}

function nameOfWhole(pin: FoundPin, fileOf: (pin: FoundPin) => string): string {
  return `${fileOf(pin)}\0${pin.pattern.text}`;
}
