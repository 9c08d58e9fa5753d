import { once } from '../../core/once.js';
import { type Entry, textOf } from '../entries.js';
import { namesLightdash, versionForm } from '../names/reference.js';
import { isExplained } from './deciding.js';
import type { SideOfFile } from './side.js';

/**
 * Whether two sides of YAML have the same pins, and say the same in the same lines but for what these explain: then
 * nothing else can differ. So is a file in which thousands of services move alike.
 */
export function differInPinsAlone([was, is]: readonly [SideOfFile, SideOfFile]): boolean {
  const [old, now] = [pathsOf(was), pathsOf(is)];
  if (old === undefined || old.size !== now?.size || was.entries.length !== is.entries.length) return false;
  for (const path of old) if (!now.has(path)) return false;
  return was.entries.every((one, i) => {
    const other = is.entries[i];
    if (other === undefined || !isAlike(one, other)) return false;
    const isOwn = () => [one, other].every((entry) => namesLightdash(textOf(entry)));
    return one.value === other.value || (isExplained(one, old) && isOwn());
  });
}

/** The paths of the pins of a side; undefined if it has none, or one is known by its line alone. */
function pathsOf({ pins }: SideOfFile): ReadonlySet<string> | undefined {
  if (pins.length === 0 || pins.some(({ written }) => written !== undefined)) return undefined;
  return new Set(pins.map(({ path }) => path.join('.')));
}

/** Whether entries stand in the same place, beside the same names but for the versions of images among these. */
function isAlike(a: Entry, b: Entry): boolean {
  return (
    a.line === b.line &&
    a.document === b.document &&
    a.object === b.object &&
    unversioned(a.repository ?? '') === unversioned(b.repository ?? '') &&
    isSameList(a.path, b.path) &&
    isSameList(a.names.map(unversioned), b.names.map(unversioned))
  );
}

const unversioned = once((text: string) => text.replaceAll(versions, '0'));
const versions = new RegExp(versionForm.source, 'gi');

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
