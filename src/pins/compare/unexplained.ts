import { posix } from 'node:path';
import { textOf } from '../entries.js';
import type { Uses } from '../uses/uses.js';
import { aboutFile } from './about-file.js';
import { decidingOf } from './deciding.js';
import { isHeldBack } from './deciding-in-values.js';
import { differences } from './differences.js';
import { type Deciding, type Move, ofBoth, type SideOfFile } from './side.js';

/** A difference of a touched file that may move Lightdash, and that no pin explains. */
export interface Unexplained {
  readonly file: string;
  /** From 1; undefined if it is about the file as a whole. */
  readonly line: number | undefined;
  /** As it is written; undefined where nothing is. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly why: 'text' | 'link' | 'submodule' | 'no-text' | 'archive';
}

/**
 * What of a touched file may decide which release of Lightdash runs, and differs. A pin explains its own place, and a
 * move that is judged explains every other place that moves in the same way.
 *
 * @param idle files that come or go as a whole, and in which nothing runs
 */
export function unexplainedIn(
  file: string,
  sides: readonly [SideOfFile, SideOfFile],
  uses: Uses,
  moves: readonly Move[],
  idle: ReadonlySet<string>,
): readonly Unexplained[] {
  const about = aboutFile(file, sides, uses);
  const [was, is] = ofBoth((i) => decidingOf(file, sides[i], about, uses));
  const isIdle = ({ entry: { path, value } }: Deciding) =>
    path[0] === 'resources' && idle.has(posix.join(posix.dirname(file), value));
  const left = differences(was, is, moves).filter(
    ([old, now]) =>
      !isBareAlone(old, now) &&
      // What is held back from now on moves nothing.
      !(old === undefined && now !== undefined && isHeldBack(now.entry)) &&
      ![old, now].every((one) => one === undefined || isIdle(one)),
  );
  return left.map(([old, now]) => ({
    file,
    line: (now ?? old)?.entry.line,
    before: old && textOf(old.entry, ': '),
    after: now && textOf(now.entry, ': '),
    why: 'text',
  }));
}

/** Whether the name of an image without a tag comes to a program, or goes. */
function isBareAlone(old: Deciding | undefined, now: Deciding | undefined): boolean {
  return (old === undefined || now === undefined) && (old ?? now)?.isBare === true;
}
