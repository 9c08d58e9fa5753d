import { type Entry, textOf } from '../entries.js';
import { referenceIn } from '../names/reference.js';
import { pathsIn } from './paths-in.js';

/** What a script asks jq or yq for, for Lightdash, in a file of values. */
export interface Asked {
  /** The paths that may lead to the file. */
  readonly paths: readonly string[];
  readonly matches: (entry: Entry) => boolean;
}

/** The query, and the file after it. */
const asking =
  /\b[jy]q(?:\s+(?:--?[\w-]+|e|eval))*\s+("[^"]*"|'[^']*'|\.[\w.-]+)\s+<?\s*["']?([^\s"')|;&`]+)/g;

/** @param takesFrom the names from which Lightdash takes its release */
export function askedIn(
  lines: readonly Entry[],
  folder: string,
  takesFrom: ReadonlySet<string>,
): readonly Asked[] {
  return lines.flatMap((line) => {
    const text = textOf(line);
    return [...text.matchAll(asking)].flatMap(({ 1: query = '', 2: file = '', index }) => {
      const name = /([A-Za-z_]\w*)=["']?(?:\$\(|`)$/.exec(text.slice(0, index))?.[1] ?? '';
      const isOwn = takesFrom.has(name) || referenceIn(text) === 'release';
      const matches = matching(query.replaceAll(/^["']|["']$/g, ''));
      return isOwn ? [{ paths: pathsIn(file, folder), matches }] : [];
    });
  });
}

/** By its keys, or where these are no plain path, by the names in it. */
function matching(query: string): Asked['matches'] {
  if (/^\.[\w-]+(?:\.[\w-]+)*$/.test(query)) {
    const keys = query.slice(1).split('.');
    return ({ path }) => keys.every((key, i) => path[i]?.replace(/:$/, '') === key);
  }
  const names = [...query.matchAll(/["']([\w./-]+)["']/g)].map(([, name = '']) => name);
  return ({ path, names: around }) => names.every((name) => path.includes(name) || around.includes(name));
}
