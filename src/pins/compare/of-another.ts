import { type Entry, setsUpTool } from '../entries.js';
import { isNameOfAnother, otherPrograms } from '../names/other-programs.js';
import { namesLightdash, wordsOf } from '../names/reference.js';

/**
 * Whether an entry is clearly about another program: the image that it names or that is named beside it, or a name on
 * its way. What stands below a name of Lightdash is Lightdash's, unless a name further down says otherwise.
 *
 * @param isLinked whether a name of Lightdash stands near: then an image may be its own under another name
 * @param isCalledSo whether it is said elsewhere that an image here is Lightdash's, whatever its name
 */
export function isOfAnother(entry: Entry, isLinked: boolean, isCalledSo = false): boolean {
  const { path, key, value, names, document, repository } = entry;
  if (key === 'uses') return !namesLightdash(value) && !value.startsWith('./');
  if (namesLightdash(value)) return false;
  if (isCalledSo && isNameOfAnother(repository ?? value)) return true;
  if (names.some((name) => setsUpTool.test(name) && !namesLightdash(name))) return true;
  const own = [path.at(-2) ?? '', ...names.slice(-2)];
  const isOwn = isCalledSo || (document === undefined ? isLinked : own.some(namesLightdash));
  const isName = /image$/i.test(key) && (document === undefined ? writtenImage : filledInImage).test(value);
  // A line with nothing but an image looks as if its name were a key.
  const image = document === undefined && key.includes('/') ? `${key}:${value}` : value;
  if (!isOwn && (isName || isImage(image))) return true;
  if (repository !== undefined && !/\$|\{\{/.test(repository) && !isExpression(repository)) {
    return !isOwn && !namesLightdash(repository);
  }
  const steps =
    document === undefined ? [...path, value].map((step) => step.replaceAll(deploying, '')) : path;
  for (const step of steps.toReversed()) {
    const words = wordsOf(step);
    const other = words.findIndex((word) => otherPrograms.has(word));
    // `lightdash-redis` is a Redis.
    if (other > words.findIndex((word) => word.includes('lightdash'))) return true;
    if (namesLightdash(step)) return false;
  }
  return (
    names.some((name) => wordsOf(name).some((word) => otherPrograms.has(word))) && !names.some(namesLightdash)
  );
}

/**
 * Whether what names an image has what no name of an image can have: kustomize takes it as a regular expression, and
 * sets the tag of every image that it matches (`findings/kustomize-image-name-is-an-expression.sh`).
 */
export function isExpression(repository: string): boolean {
  return /[*+?()[\]|^\\]/.test(repository);
}

const writtenImage = /^[\w./:-]+$/;
/** Also with a variable as its tag, which may have no value there. */
const filledInImage = /^[\w./:-]+(?:(?<=\w:)\$(?:\w+|\{\w+\}))?$/;

/** What is run to deploy: not what is deployed. */
const deploying =
  /\bterraform\.\w+|\b(?:terraform|tofu|ansible(?:-playbook)?|kubectl|kustomize|podman|flux|argocd|helm)\s+(?=-|[a-z])/g;

/** An image with its tag, whose name is written out. */
function isImage(text: string): boolean {
  // Files that compose takes stand in a list like that, too.
  if (/^sha\d+:|\.ya?ml:/.test(text)) return false;
  const [image] =
    /(?<![\w./:@$}-])(?:[\w.-]+(?::\d+)?\/)*(?!v\d)[a-z][\w.-]*(?::v?\d+(?:\.\d+)+[\w.-]*|@sha256:[0-9a-f]+)/.exec(
      text,
    ) ?? [];
  return (
    (image !== undefined || /^(?:[\w.-]+(?::\d+)?\/)*(?!v\d)[a-z][\w.-]*:[\w.-]+$/.test(text)) &&
    !/\$|\{\{/.test(text)
  );
}
