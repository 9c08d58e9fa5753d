import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inParallel } from '../gather/files/in-parallel.js';
import { placesOfExpression } from './expression.js';
import { type FoundPin, faultOfPin, newPin, unreadable } from './found-pin.js';
import { placesNamed } from './kinds/kinds.js';
import type { PinPattern } from './pin-pattern.js';
import { idsOf, type PinTree, readText, type TreeFile } from './pin-tree.js';
import { pinsAtPlaces } from './written-pins.js';
import { findAt, tellApart } from './yaml/found-at.js';
import { openPinFile } from './yaml/open.js';
import type { PinFile } from './yaml/pin-documents.js';
import { textsOnPath } from './yaml/texts-in.js';

/** The pins of one side of a change. What shows no release is included as `unreadable`. */
export async function findPins(
  tree: PinTree,
  patterns: readonly PinPattern[],
  { tagSuffix }: { readonly tagSuffix: string | undefined },
): Promise<readonly FoundPin[]> {
  const places: { readonly file: string; readonly pattern: PinPattern }[] = [];
  for (const pattern of patterns) {
    for (const [file, entry] of tree.files) {
      if (pattern.matches(file) || (await hidesPins(tree, [file, entry], pattern, patterns))) {
        places.push({ file, pattern });
      }
    }
  }
  const pins = await inParallel(places, ({ file, pattern }) => findInFile(tree, file, pattern, tagSuffix));
  return pins.flat();
}

/**
 * Whether files of a pattern may be behind a submodule, or behind a link to a folder: git lists none of them under that
 * name. Nothing is hidden if the patterns match all files that a link leads to.
 */
async function hidesPins(
  tree: PinTree,
  [name, entry]: readonly [string, TreeFile],
  pattern: PinPattern,
  patterns: readonly PinPattern[],
): Promise<boolean> {
  // Nothing can be below a file.
  if (!['link', 'submodule', 'unnamed'].includes(entry.kind) || !pattern.leadsThrough(name)) return false;
  if (entry.kind === 'submodule' || entry.kind === 'unnamed') return true;
  const to = new TextDecoder().decode(await tree.read(entry));
  const target = posix.join(posix.dirname(name), to);
  if (posix.isAbsolute(to) || /^\.\.(\/|$)/.test(target)) return true;
  const folder = target === './' || target === '.' ? '' : target.replace(/\/?$/, '/');
  const isNamed = (file: string) =>
    patterns.some((candidate) => candidate.matches(file) && isDeepStrictEqual(candidate.path, pattern.path));
  for (const [file, { kind }] of tree.files) {
    // It leads further, to an unknown place.
    if (kind !== 'file' && folder.startsWith(`${file}/`)) return true;
    if (!file.startsWith(folder)) continue;
    const behind = `${name}/${file.slice(folder.length)}`;
    if (kind !== 'file' && pattern.leadsThrough(behind)) return true;
    if (pattern.matches(behind) && !isNamed(file)) return true;
  }
  return false;
}

async function findInFile(
  tree: PinTree,
  file: string,
  pattern: PinPattern,
  tagSuffix: string | undefined,
): Promise<readonly FoundPin[]> {
  try {
    const { path, expression } = pattern;
    const text = (await readText(tree, file)) ?? '';
    const name = path.join('.');
    const { named, isText } =
      expression === undefined
        ? await placesNamed({ file, text, tree }, name === '*' ? undefined : name)
        : { named: await placesOfExpression(expression, text), isText: true };
    if (named.length === 0 && !isText) {
      const pinFile = await openPinFile(tree, file, text);
      const found = findAt(tree, pinFile, [path], tagSuffix, pattern);
      return found.length > 0 ? found : findInTexts(tree, pinFile, tagSuffix, pattern);
    }
    return pinsAtPlaces({ file, text, tree, tagSuffix }, named).map((pin) => ({
      ...pin,
      pattern,
      isOther: false,
    }));
  } catch (error) {
    const inputs = idsOf(tree, [file]);
    return [newPin(pattern, file, unreadable(faultOfPin(error)), { isWholeFile: true, inputs })];
  }
}

/** What stands at a path that leads through a value that is YAML itself. */
function findInTexts(
  tree: PinTree,
  pinFile: PinFile,
  tagSuffix: string | undefined,
  pattern: PinPattern,
): readonly FoundPin[] {
  const pins = textsOnPath(pinFile, pattern.path).flatMap(({ outer, path: rest }) =>
    findAt(tree, outer.inner, [rest], tagSuffix, { ...pattern, path: rest }).map((pin) => ({
      ...pin,
      pattern,
      path: [...outer.path, ...pin.path],
      id: [...outer.path, pin.id].join('.'),
      document: outer.document,
      line: pinFile.lineOf(outer.scalar),
    })),
  );
  return tellApart(tree, pinFile, pins);
}
