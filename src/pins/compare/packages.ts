import { namesLightdash } from '../../core/lightdash-name.js';
import { entriesOfLines, textOf } from '../entries.js';
import { withoutClient } from '../names.js';
import { ofBoth } from './side.js';
import type { Unexplained } from './unexplained.js';

/** What differs in a lock of packages of one's own that are called after Lightdash: they may deploy it. */
export function movedPackages(file: string, texts: readonly (string | undefined)[]): Unexplained | undefined {
  const [was, is] = ofBoth((i) =>
    namesOwnPackage(texts[i] ?? '')
      ? entriesOfLines(texts[i] ?? '').filter(({ path, value }) => [...path, value].some(namesOwnPackage))
      : [],
  );
  const length = Math.max(was.length, is.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => {
    const [old, now] = [was[i], is[i]];
    return old === undefined || now === undefined || textOf(old) !== textOf(now);
  });
  if (at === undefined) return undefined;
  const [old, now] = [was[at], is[at]];
  return {
    file,
    line: (now ?? old)?.line,
    before: old && textOf(old, ': '),
    after: now && textOf(now, ': '),
    why: 'text',
  };
}

/** Whether a text names a package of one's own that is called after Lightdash, and is no client of it. */
function namesOwnPackage(text: string): boolean {
  return namesLightdash(text) && ownPackage.test(withoutClient(text));
}

const ownPackage = /@(?!types\/)[\w.-]{1,60}\/[\w.-]{0,60}lightdash/i;
