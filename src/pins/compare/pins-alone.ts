import type { FoundPin } from '../found-pin.js';
import { ofBoth } from './side.js';

/**
 * Whether two texts say the same in each line but for the version of a pin that stands there, alone: then nothing else
 * of them can differ. So is nearly every change that moves pins, also of thousands of services.
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
    const other = is[i] ?? '';
    if (line === other) return true;
    const [one, same] = [old.get(i + 1), now.get(i + 1)];
    const rest = withoutVersion(line, one);
    return rest !== undefined && rest === withoutVersion(other, same) && one?.id === same?.id;
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
