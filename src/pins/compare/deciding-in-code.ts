import { type Entry, type IsNear, isToldByComment, textOf } from '../entries.js';
import {
  bareImage,
  isNameOfRelease,
  namesLightdash,
  referenceInCode,
  saysRelease,
  versionForm,
  withoutClient,
  wordsOf,
} from '../names/reference.js';
import type { About } from './about-file.js';
import { isOfAnother } from './of-another.js';
import type { Deciding } from './side.js';
import { givesOne, harmlessKeys, isOfClient, namesIn, plain, withoutHow } from './tells.js';

/**
 * A program speaks of images without deploying them. What counts are literals: of an image with its tag, of a name that
 * such an image takes its tag from, and of a version that is named so, or that stands close to the name of Lightdash.
 */
export function decidingInCode(
  entry: Entry,
  { reference, isUsed, isSpread, takesFrom, takesHere, imports }: About,
  isNear: IsNear,
  isNearName: IsNear,
): Deciding[] {
  const { key, path } = entry;
  // Where one comes from is not what is deployed.
  const value = entry.value.replaceAll(/["'`]--from["'`],\s*["'`]v?\d[\w.-]*["'`]/g, '');
  const text = withoutClient(textOf({ ...entry, value }));
  const isLinked = isNearName(entry) || path.some(namesLightdash);
  if (harmlessKeys.test(key) || isOfClient(key) || isOfAnother(entry, isLinked, isSpread)) return [];
  const deciding = { entry, text: `${key}=${plain(withoutHow(value))}` };
  if (referenceInCode(text) === 'release') {
    const images = [...text.matchAll(bareImage)].map(([image]) => image);
    const isBare = images.length > 0 && referenceInCode(text.replaceAll(bareImage, '')) === undefined;
    return [isBare && !versionForm.test(text) ? { entry, text: images.join(' '), isBare } : deciding];
  }
  const own = withoutClient(value).replaceAll(sentence, '');
  const isRelease = versionForm.test(own) || /sha256:[0-9a-f]{8}/.test(own);
  const isLiteral = /["'`][^\s"'`]+["'`]/.test(own);
  if (isLiteral && givesOne(text, key, isRelease ? takesFrom : takesHere)) return [deciding];
  const calls = [...path, text].flatMap((one) =>
    [...one.matchAll(/([A-Za-z_]\w*)\(/g)].map(([, name = '']) => name),
  );
  const isArgument =
    calls.some((name) => imports.has(name)) ||
    path.some((one) => /["'`]lightdash["'`]/i.test(one) || isNameOfRelease(withoutClient(one)));
  const says = wordsOf(key).some((word) => saysRelease.has(word));
  if (isLiteral && (isRelease ? isArgument || isSpread : isSpread && says)) return [deciding];
  if (isRelease && isLiteral && isToldByComment(entry)) return [deciding];
  if (!isRelease || !(isUsed || reference === 'release')) return [];
  const around = [...path, key, own];
  const isSaid = around.some((one) => wordsOf(one).some((word) => saysRelease.has(word)));
  const isTakenAround = path.some((one) => namesIn(one).some((name) => takesFrom.has(name)));
  return isSaid || isTakenAround || isNear(entry, 3) ? [deciding] : [];
}

/** A version in a sentence, or in a text in which one ends and another begins, is no value. */
const sentence = /(["'`])(?:[A-Z][a-z]*\s(?:(?!\1).)*\.|(?:(?!\1).)*[a-z]\. [A-Z][a-z]*\s(?:(?!\1).)*)\1/g;
