import { groupBy } from '../../core/group-by.js';
import type { Deciding, Move } from './side.js';

type Pairs = readonly (readonly [Deciding | undefined, Deciding | undefined])[];

/** Pairs what differs; what a judged move explains is left out. */
export function differences(
  was: readonly Deciding[],
  is: readonly Deciding[],
  moves: readonly Move[],
): Pairs {
  const isOfLines = [...was, ...is].some(({ entry }) => entry.document === undefined);
  if (isOfLines) return orderedDifferences(was, is, moves);
  const open = new Map([...groupBy(is, ({ text }) => text)].map(([text, group]) => [text, [...group]]));
  const take = (text: string) => open.get(text)?.pop() !== undefined;
  const gone = was
    .filter(({ text }) => !take(text))
    .filter(({ text }) => !moves.some((move) => take(moved(text, move))));
  const come = [...open.values()].flat();
  const keyOf = ({ text }: Deciding) => text.slice(0, text.indexOf('='));
  const pairs = gone.map((old) => {
    const at = come.findIndex((now) => keyOf(now) === keyOf(old));
    return [old, at < 0 ? undefined : come.splice(at, 1)[0]] as const;
  });
  return [...pairs, ...come.map((now) => [undefined, now] as const)];
}

/** Lines count in their order. */
function orderedDifferences(
  was: readonly Deciding[],
  is: readonly Deciding[],
  moves: readonly Move[],
): Pairs {
  const isSame = (old: Deciding | undefined, now: Deciding | undefined) =>
    old !== undefined &&
    now !== undefined &&
    (old.text === now.text || moves.some((move) => moved(old.text, move) === now.text));
  let start = 0;
  while (start < was.length && isSame(was[start], is[start])) start += 1;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && isSame(was.at(-1 - end), is.at(-1 - end))) end += 1;
  const [old, now] = [was.slice(start, was.length - end), is.slice(start, is.length - end)];
  const length = Math.max(old.length, now.length);
  return Array.from({ length }, (_, i) => [old[i], now[i]] as const).filter(
    ([one, other]) => !isSame(one, other),
  );
}

function moved(text: string, { from, to }: Move): string {
  return text.replaceAll(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\d.]*\\d)`, 'g'), to);
}
