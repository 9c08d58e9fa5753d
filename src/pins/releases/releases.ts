import { lazy } from '../../core/common/memoize.js';
import { compareVersions, isVersion, type Version } from '../../core/version.js';
import builtIn from './built-in.json' with { type: 'json' };

/**
 * Whether a version is a release of Lightdash, as far as that is known without a network: those of the index that the
 * package was built with (`npm run generate -- releases`), and any that is later than all of them, up to the next major.
 */
export function isRelease(version: string): boolean {
  const { all, last } = releases();
  if (!isVersion(version)) return false;
  if (all.has(version)) return true;
  return compareVersions(version, last) > 0 && majorOf(version) <= majorOf(last) + 1;
}

function majorOf(version: Version): number {
  return Number(version.split('.', 1)[0]);
}

/**
 * Whether a version can hardly be another program's: nobody else has published so many minor versions under so low a
 * major one.
 */
export function isUnmistakable(version: string): boolean {
  const minor = Number(version.split('.')[1]);
  return minor >= 100 && isRelease(version);
}

/** One bit a release: 1 for the first of a minor version, 0 for each patch after it. */
const releases = lazy(() => {
  const bytes = Uint8Array.from(atob(builtIn.bits), (character) => character.charCodeAt(0));
  let at = 0;
  const all: Version[] = [];
  for (const { major, firstMinor, releases: count } of builtIn.majors) {
    let [minor, patch] = [firstMinor - 1, 0];
    for (let i = 0; i < count; i += 1, at += 1) {
      const isFirst = ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;
      [minor, patch] = isFirst ? [minor + 1, 0] : [minor, patch + 1];
      const version = `${major}.${minor}.${patch}`;
      if (isVersion(version)) all.push(version);
    }
  }
  const last = all.at(-1);
  if (last === undefined) throw new Error('no release is built in');
  return { all: new Set(all), last };
});
