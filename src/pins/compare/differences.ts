import { groupBy } from '../../core/common/group-by.js';
import { type Entry, textOf } from '../entries.js';
import type { FoundPin } from '../found-pin.js';
import { longestLine } from '../names.js';
import { type Move, ofBoth } from './side.js';

/** An entry as it was and as it is; one of them is missing where it came or went. */
export interface Difference {
  readonly was: Entry | undefined;
  readonly is: Entry | undefined;
}

/**
 * The entries that differ between two sides, in pairs. Two entries are equal if they have the same keys and text, apart
 * from order in lists, spaces and quotes, or if one of the judged moves turns the first into the second.
 */
export function differences(
  was: readonly Entry[],
  is: readonly Entry[],
  moves: readonly Move[],
): readonly Difference[] {
  const open = new Map([...groupBy(is, keyedText)].map(([text, group]) => [text, [...group]]));
  const left = (entry: Entry) => {
    const same = [keyedText(entry), ...moves.map((move) => moved(keyedText(entry), move))];
    return !same.some((text) => open.get(text)?.shift() !== undefined);
  };
  const gone = was.filter(left);
  const come = [...open.values()].flat().toSorted((a, b) => a.line - b.line);
  return pairs(gone, come);
}

/** Pairs entries that went with entries that came: by the keys that lead to them, then by their first word. */
function pairs(gone: readonly Entry[], come: readonly Entry[]): readonly Difference[] {
  const left = new Set(come);
  /** Each entry that is left is given away once, the first of its group first. */
  const takingBy = (groupOf: (entry: Entry) => string) => {
    const groups = new Map([...groupBy(left, groupOf)].map(([name, group]) => [name, group.values()]));
    return (was: Entry) => {
      const match = groups.get(groupOf(was))?.next().value;
      if (match !== undefined) left.delete(match);
      return match;
    };
  };
  const takeByKey = takingBy(keyOf);
  const paired = gone.map((was) => ({ was, is: takeByKey(was) }));
  const takeByStart = takingBy(startOf);
  const all = paired.map((pair) => (pair.is === undefined ? { ...pair, is: takeByStart(pair.was) } : pair));
  return [...all, ...[...left].map((is) => ({ was: undefined, is }))];
}

/** The keys that lead to an entry, with `*` for positions in lists; kept are positions where the last item wins. */
function keyOf({ document, path, key }: Entry): string {
  if (document === undefined) return key === '' ? '\0' : key;
  return path
    .map((step, i) => (/^\d+$/.test(step) && !ordered.test(path[i - 1] ?? '') ? '*' : step))
    .join('.');
}

function startOf(entry: Entry): string {
  const text = entry.document === undefined ? textOf(entry) : keyOf(entry);
  return text.trim().split(/[\s=:(]/, 1)[0] ?? '';
}

function keyedText(entry: Entry): string {
  return `${keyOf(entry)}=${plain(entry.value)}`;
}

/** A text without quotes, repeated spaces, and the `@` by which make hides a command. */
export function plain(text: string): string {
  if (text.length > longestLine || /^[\w.:/-]*$/.test(text)) return text;
  return text
    .replace(/^@(?=\w+ )/, '')
    .replaceAll(/["'`,;]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Keys of lists whose order matters: a later item overrides an earlier one. */
const ordered =
  /^(?:values?Files|additionalValuesFiles|values|valuesFrom|env_file|components|patches\w*|transformers|rules|<<)$/;

function moved(text: string, { from, to }: Move): string {
  if (!text.includes(from)) return text;
  return text.replaceAll(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\d.]{0,9}\\d)`, 'g'), to);
}

/**
 * Whether two texts differ only in lines that hold one pin and one version, and there only in that version. Nearly every
 * change that moves pins is one, and then nothing else has to be compared, even with thousands of services.
 */
export function differInPinsAlone(
  texts: readonly (string | undefined)[],
  pins: readonly [readonly FoundPin[], readonly FoundPin[]],
): boolean {
  const [was, is] = texts.map((text) => text?.split('\n'));
  if (was === undefined || is === undefined || was.length !== is.length) return false;
  const [old, now] = ofBoth(
    (i) => new Map(pins[i].filter(({ isOther }) => !isOther).map((pin) => [pin.line, pin])),
  );
  return was.every((line, i) => {
    const newLine = is[i] ?? '';
    if (line === newLine) return true;
    const [oldPin, newPin] = [old.get(i + 1), now.get(i + 1)];
    const rest = withoutVersion(line, oldPin);
    return rest !== undefined && rest === withoutVersion(newLine, newPin) && oldPin?.id === newPin?.id;
  });
}

/** A line without the version of its pin; undefined if it has another version too. */
function withoutVersion(line: string, pin: FoundPin | undefined): string | undefined {
  const [version, second] = line.match(versions) ?? [];
  if (version === undefined || second !== undefined) return undefined;
  return (pin?.written ?? pin?.value)?.includes(version) ? line.replace(version, '') : undefined;
}

/** Three numbers, and not a part of an address. */
const versions = /(?<![\d.])v?\d{1,9}\.\d{1,9}\.\d{1,9}(?!\.?\d)/gi;
