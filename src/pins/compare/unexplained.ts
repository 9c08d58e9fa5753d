import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../core/common/group-by.js';
import { type Entry, textOf } from '../entries.js';
import { longestLine } from '../names.js';
import { pathsIn } from '../paths-in.js';
import type { Uses } from '../uses.js';
import { versionKeys } from '../yaml/charts.js';
import { tagKeys } from '../yaml/image-places.js';
import { aboutFile } from './about-file.js';
import { type Difference, differences } from './differences.js';
import { mayMove } from './rules.js';
import { type Move, ofBoth, type SideOfFile } from './side.js';

/** A difference of a touched file that may move Lightdash, and that no pin explains. */
export interface Unexplained {
  readonly file: string;
  /** From 1; undefined if it is about the file as a whole. */
  readonly line: number | undefined;
  /** In YAML and JSON, the keys that lead to it. */
  readonly path?: readonly string[] | undefined;
  /** As it is written; undefined where nothing is. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly why: 'text' | 'link' | 'submodule' | 'no-text' | 'archive' | 'name';
}

/** What the files that the changed lines of a file name by their paths would do if they came or went themselves. */
export interface FilesNamed {
  /** Those that pin Lightdash, or give a name the release that a reference takes. */
  readonly pinning: ReadonlySet<string>;
  /** Those that give Lightdash nothing. */
  readonly others: ReadonlySet<string>;
}

/**
 * The differences of a touched file that may move Lightdash. Left out is what a pin explains, which is its own place, and
 * what a judged move explains, which is every other place that moves from and to the same versions.
 *
 * @param named paths on its changed lines that lead to a file that pins, or to one that gives Lightdash nothing
 */
export function unexplainedIn(
  file: string,
  sides: readonly [SideOfFile, SideOfFile],
  uses: Uses,
  moves: readonly Move[],
  named: FilesNamed = { pinning: new Set(), others: new Set() },
): readonly Unexplained[] {
  const about = aboutFile(file, sides, uses, named.pinning);
  const [was, is] = ofBoth((i) => unpinned(sides[i]));
  const left = differences(was, is, moves).filter(
    (difference) => !namesOthersAlone(difference, named, posix.dirname(file)) && mayMove(difference, about),
  );
  return left.map(({ was: old, is: now }) => {
    const { line, document, path } = now ?? old ?? {};
    const [before, after] = [old && textOf(old, ': '), now && textOf(now, ': ')];
    return { file, line, path: document === undefined ? undefined : path, before, after, why: 'text' };
  });
}

/** Whether the sides of a difference name other files, all of which give Lightdash nothing, and say the same otherwise. */
function namesOthersAlone({ was, is }: Difference, { pinning, others }: FilesNamed, folder: string): boolean {
  const texts = [was?.value ?? '', is?.value ?? ''];
  if (others.size === 0 || texts.some((text) => text.length > longestLine)) return false;
  const isOther = (word: string) => {
    const paths = pathsIn(word, folder === '.' ? '' : `${folder}/`);
    return paths.some((path) => others.has(path)) && !paths.some((path) => pinning.has(path));
  };
  const [old = [], now = []] = texts.map((text) => text.split(/[\s"'`,;:()=[\]{}]+/).filter(Boolean));
  const withoutOthers = (words: readonly string[]) =>
    words.filter((word, i) => !isOther(word) && !(word.startsWith('-') && isOther(words[i + 1] ?? '')));
  return [...old, ...now].some(isOther) && isDeepStrictEqual(withoutOthers(old), withoutOthers(now));
}

/** The entries of a side without its pins, and without what these are written with. */
function unpinned({ entries, pins }: SideOfFile): readonly Entry[] {
  const ofPath = new Set(
    pins.filter(({ written }) => written === undefined).map(({ path }) => path.join('.')),
  );
  const writtenAt = groupBy(
    pins.filter(({ written }) => written !== undefined),
    ({ line }) => line,
  );
  return entries.flatMap((entry) => {
    if (entry.document !== undefined && isExplained(entry, ofPath)) return [];
    const pinned = writtenAt.get(entry.line);
    if (pinned === undefined) return [entry];
    const value = pinned.reduce((text, { written = '' }) => text.replace(written, '(a pin)'), entry.value);
    return [{ ...entry, value }];
  });
}

/** A pin is compared with what names its image, and a chart that decides the tag with all that says which one it is. */
function isExplained({ path, key }: Entry, pins: ReadonlySet<string>): boolean {
  if (pins.size === 0) return false;
  if (pins.has(path.join('.'))) return true;
  if (!partsOfChart.has(key) && !partsOfImage.has(key)) return false;
  const around = path.slice(0, -1).join('.');
  if (pins.has(around) && partsOfChart.has(key)) return true;
  return partsOfImage.has(key) && [...tagKeys, 'image'].some((tagKey) => pins.has(`${around}.${tagKey}`));
}

const partsOfImage = new Set(
  'registry repository repo newName name image digest imageDigest sha sha256'.split(' '),
);

const partsOfChart = new Set([...versionKeys, ...'chart name repoURL repository repo alias'.split(' ')]);
