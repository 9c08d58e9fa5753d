import { readFileSync } from 'node:fs';
import { parseReleaseSafetyIndexText } from '../src/core/index/parse-index.js';

/** The list of releases that is built in, and the index that it is made of. */
export const releasesFile = 'src/pins/releases/built-in.json';
export const releasesSource = 'fixtures/release-safety-index.json';

/**
 * The text of `built-in.json`: for each major its first minor and how many releases it has, and then one bit a release,
 * in base64: 1 for the first release of a minor, 0 for each patch after it.
 *
 * @throws if the index leaves out a minor or a patch, which the form cannot say
 */
export function builtInReleases(): string {
  const { entries } = parseReleaseSafetyIndexText(readFileSync(releasesSource, 'utf8'));
  const majors: { major: number; firstMinor: number; releases: number }[] = [];
  const bytes = Buffer.alloc(Math.ceil(entries.length / 8));
  let [minorBefore, patchBefore] = [-1, -1];
  for (const [i, { version }] of entries.entries()) {
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    const isFirst = majors.at(-1)?.major !== major;
    if (isFirst) majors.push({ major, firstMinor: minor, releases: 0 });
    const isNext =
      isFirst || minor === minorBefore + 1 ? patch === 0 : minor === minorBefore && patch === patchBefore + 1;
    if (!isNext) throw new Error(`${version} does not follow the release before it`);
    const last = majors.at(-1);
    if (last !== undefined) last.releases += 1;
    if (patch === 0) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7));
    [minorBefore, patchBefore] = [minor, patch];
  }
  return `${JSON.stringify({ majors, bits: bytes.toString('base64') })}\n`;
}
