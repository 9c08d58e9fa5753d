import { type Entry, textOf } from '../entries.js';
import { namesLightdash, referenceIn } from '../names/reference.js';
import { pathsIn } from './paths-in.js';

/** What a script asks jq or yq for, in a file of values. */
export interface Asked {
  /** The paths that may lead to the file. */
  readonly paths: readonly string[];
  readonly isFor: 'Lightdash' | 'another' | undefined;
  readonly matches: (entry: Entry) => boolean;
}

/** The query, and the file after it. */
const asking =
  /\b[jy]q(?:\s+(?:--?[\w-]+|e|eval))*\s+("[^"]*"|'[^']*'|\.[\w.-]+)\s+<?\s*["']?([^\s"')|;&`]+)/g;

/** The paths that a text names where it neither asks for a part of what is there, nor says when a pipeline runs. */
export function pathsUnasked(text: string, folder: string, all: readonly string[]): readonly string[] {
  if (!/\b[jy]q\s/.test(text)) return all;
  return pathsIn(text.replaceAll(asking, '').replaceAll(filtered, ''), folder);
}

const filtered = /\b(?:paths|changes):\s*(?:\[[^\]]*\]|(?:\n\s*- .*)+)/g;

/** @param takesFrom the names from which Lightdash takes its release, and those from which only others do */
export function askedIn(
  lines: readonly Entry[],
  folder: string,
  takesFrom: ReadonlySet<string>,
  namesOfOthers: ReadonlySet<string>,
): readonly Asked[] {
  return lines.flatMap((line) => {
    const text = textOf(line);
    return [...text.matchAll(asking)].map(({ 1: query = '', 2: file = '', index }): Asked => {
      const before = text.slice(0, index);
      const name = /([A-Za-z_]\w*)=["']?(?:\$\(|`)$/.exec(before)?.[1] ?? '';
      const isOwn = takesFrom.has(name) || referenceIn(text) === 'release';
      const isOther = namesOfOthers.has(name) || (imageBefore.test(before) && !namesLightdash(text));
      return {
        paths: pathsIn(file, folder),
        isFor: isOwn ? 'Lightdash' : isOther ? 'another' : undefined,
        matches: matching(query.replaceAll(/^["']|["']$/g, '')),
      };
    });
  });
}

const imageBefore = /(?:^|[\s"'])(?:[\w.-]+(?::\d+)?\/)*[a-z][\w.-]*:(?:\$\(|`)$/;

/** By its keys, or where these are no plain path, by the names in it. */
function matching(query: string): Asked['matches'] {
  if (/^\.[\w-]+(?:\.[\w-]+)*$/.test(query)) {
    const keys = query.slice(1).split('.');
    return ({ path }) => keys.every((key, i) => path[i]?.replace(/:$/, '') === key);
  }
  const names = [...query.matchAll(/["']([\w./-]+)["']/g)].map(([, name = '']) => name);
  return ({ path, names: around }) => names.every((name) => path.includes(name) || around.includes(name));
}
