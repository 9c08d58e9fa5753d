import type { PinFacts, PinSide } from '../../core/pins.js';
import type { FoundPin } from '../found-pin.js';
import type { PinPattern } from '../pin-pattern.js';

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
