import { memoize } from './common/memoize.js';

/**
 * The one answer to "is this Lightdash?", for an image, a chart, a variable and a text. Companions that are named after
 * it, such as its proxy or its database, are other programs.
 */

/** The repository of the publisher's image: what its chart and its compose file pull, where a tag stands alone. */
export const publishersImage = 'lightdash/lightdash';

/** What the publisher calls its chart, the container of it, and the service of its compose file. */
export const publishersName = 'lightdash';

/** Whether a text has the word at all: nearly none does, and then it refers to nothing. */
export function namesLightdash(text: string): boolean {
  return word.test(text);
}

const word = /lightdash/i;

/**
 * Whether an image or a chart is Lightdash, by the last part of its repository. Mirrors keep that name, and custom builds
 * have it in theirs: `registry.acme.io/lightdash`, `acme/lightdash-custom`, `acme/bi-lightdash`.
 *
 * @param repository with or without registry, tag and digest
 */
export function isLightdashRepository(repository: string): boolean {
  const slash = repository.lastIndexOf('/', (repository.indexOf('@') + 1 || repository.length + 1) - 1);
  const [name = ''] = repository.slice(slash + 1).split(/[:@]/, 1);
  return startsWord.test(name) && !isCompanion(name);
}

/** `ourlightdash` is another word. */
const startsWord = /(?:^|[-_.])lightdash/i;

/** Whether a name that has the word says that it is something beside Lightdash: `lightdash-db`, `LIGHTDASH_CLI`. */
export function isCompanion(name: string): boolean {
  return wordsOf(name).some((part) => companions.has(part));
}

const companions = new Set(
  (
    'proxy nginx gateway ingress oauth cli sdk client mcp docs plugin plugins provider exporter backup backups restore ' +
    'db database pg postgres postgresql pgbouncer pgvector redis minio nats cache bucket storage browser browserless chrome ' +
    'chromium headless node python dbt'
  ).split(' '),
);

/**
 * Whether a name says which release of Lightdash runs: `LIGHTDASH_TAG`, `lightdash.image.tag`, `lightdashVersion`. The
 * version of its chart, of its client or of a companion does not.
 */
export function isNameOfRelease(name: string): boolean {
  if (!namesLightdash(name)) return false;
  const parts = wordsOf(name);
  return (
    parts.some((part) => releaseWords.has(part)) &&
    !parts.some((part) => companions.has(part)) &&
    !isOfChart(name)
  );
}

/** Whether a name says that its value is a release of Lightdash, or an image with one: then it is a pin. */
export function isNameOfPin(name: string): boolean {
  return isNameOfRelease(name) && /(?:tag|version|image)$/i.test(name);
}

/** Whether a name says that it is about a chart, and not about an image that the chart deploys. */
export function isOfChart(name: string): boolean {
  const parts = wordsOf(name);
  return (
    parts.some(
      (part) => part === 'chart' || part === 'charts' || (part === 'helm' && namesLightdash(name)),
    ) && !parts.some((part) => part === 'image' || part === 'tag')
  );
}

/** `imageTag`, `image_tag` and `image.tag` as words in small letters. What is longer than any name has none. */
export function wordsOf(name: string): readonly string[] {
  return name.length > 1_000 ? [] : wordsOfName(name);
}

const wordsOfName = memoize((name: string): readonly string[] => {
  const apart = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return apart.match(/[a-z]+/g) ?? [];
});

/** Words of a name that says which release, or which image. */
export const releaseWords: ReadonlySet<string> = new Set(
  (
    'version versions tag tags image images digest sha sha256 revision release rel ver semver rev major minor patch ' +
    'lightdashtag lightdashversion lightdashimage imagetag newtag'
  ).split(' '),
);
