import { isAlias, type Scalar } from 'yaml';
import { memoizeByObject } from '../../core/common/memoize.js';
import { isLightdashRepository, isNameOfPin, namesLightdash } from '../../core/lightdash-name.js';
import { scalarsIn, type YamlDocument } from '../../gather/files/yaml.js';
import { subjectOfFolder } from '../compare/values.js';
import { isRelease, isUnmistakable } from '../releases/releases.js';
import { type Charts, chartsAt, chartsFor } from './charts.js';
import { type ImagePlace, imagesOf, isPartOfOtherProgram } from './image-places.js';
import type { PinFile } from './pin-documents.js';

/** A place of a file that pins Lightdash. */
export interface LightdashPlace {
  /** Of the tag, or of the reference with it. The tag itself may be missing: then the chart decides it. */
  readonly path: readonly string[];
  /** Which of the documents of the file it is in, from 0. */
  readonly document: number;
  /** From 1. */
  readonly line: number;
  /** Whether the image has a repository or a digest, and no tag. */
  readonly isTagless: boolean;
  /** The scalar that shows the release: the tag, or what stands in its stead; undefined if it is in another file. */
  readonly scalar?: Scalar;
}

/** What surrounds values that name no program themselves. */
interface Around {
  /** The charts of the document whose value the whole file is. */
  readonly around?: Charts | undefined;
  /** Whether the operator named the file: then they are Lightdash's, whatever the file is called. */
  readonly isGiven?: boolean;
  /** Whether what refers to Lightdash uses the file: then values without a name are its own. */
  readonly isUsed?: boolean;
  /** The name of the chart that they are the values of. */
  readonly chart?: string;
}

/**
 * Where a file pins Lightdash. An image that is written once and used in several places counts once.
 */
export function findLightdash(
  { documents, file, lineOf }: PinFile,
  { around, isGiven = false, isUsed = false, chart = '' }: Around = {},
): readonly LightdashPlace[] {
  return documents.flatMap((yamlDocument, document) => {
    const here = chartsAt(yamlDocument);
    const chartsOf = (path: readonly string[]) =>
      here.isAny ? chartsFor(yamlDocument, path) : (around ?? here);
    const scalars = new Set<unknown>();
    const named = imagesOf(yamlDocument).places.filter((place) =>
      isLightdash(place, chartsOf(place.path), file, { isGiven, isUsed, chart }),
    );
    return [...named, ...releasesIn(yamlDocument)]
      .filter(({ scalar }) => !scalars.has(scalar) && scalars.add(scalar))
      .map(({ path: used, scalar }) => {
        const path = writtenAt(yamlDocument, used, scalar);
        const isTagless = taglessKeys.test(path.at(-1) ?? '');
        const whole = isTagless ? [...path.slice(0, -1), 'tag'] : path;
        return { path: whole, isTagless, document, line: lineOf(scalar), scalar };
      });
  });
}

/** The path at which a value is written: where an alias uses it, that of its anchor. */
function writtenAt(yamlDocument: YamlDocument, path: readonly string[], scalar: Scalar): readonly string[] {
  const written = pathsOf(yamlDocument).get(scalar) ?? path;
  return written.join('\0') !== path.join('\0') && isAlias(yamlDocument.document.getIn(path, true))
    ? written
    : path;
}

const pathsOf = memoizeByObject(
  ({ nodes }: YamlDocument): ReadonlyMap<unknown, readonly string[]> =>
    new Map(nodes().map(({ path, node }) => [node, path])),
);

/** Keys of an image that has a repository or a digest, and no tag. */
const taglessKeys = /^(repository|repo|newName|digest|imageDigest|sha|sha256)$/;

/**
 * Whether an image is that of Lightdash. Its repository tells, or where that has another name, as in some registries,
 * the name of the container or service. An image without a repository is that of the chart whose values it is in; if
 * nothing says which chart that is, it counts as Lightdash, because what is left out here is never judged.
 */
function isLightdash(
  { path, image, name, scalar }: ImagePlace,
  charts: Charts,
  file: string,
  { isGiven = false, isUsed = false, chart = '' }: Around,
): boolean {
  const repository = image.repository || undefined;
  // An address is that of a chart.
  if (repository?.includes('://')) return false;
  if (repository !== undefined && isLightdashRepository(repository)) return true;
  const parents = path.slice(0, -1);
  const owner = /image$/i.test(parents.at(-1) ?? '') ? parents.at(-2) : parents.at(-1);
  const isNamed = [owner, name].some(isNameOfLightdash);
  const root = parents.findLastIndex((key) => rootOfValues.test(key)) + 1;
  const [first, ...rest] = path.slice(root).filter((key) => !/^\d+$/.test(key));
  // The image of the chart itself, from a registry in which it has another name.
  const isOfChart = charts.isOnly && first === 'image' && rest.length === 1;
  if (repository !== undefined && !/\$|\{\{/.test(repository)) return isNamed || isOfChart;
  if (isPartOfOtherProgram(path)) return false;
  if (isNamed || parents.some(isNameOfLightdash)) return true;
  if (charts.isAny) return charts.isOwn;
  const isRemoved = first === 'image' && rest.length === 0 && scalar.value === null;
  if (first === 'imageTag' || isRemoved || (first === 'image' && rest.length === 1))
    return isGiven || mayBeItsRelease(String(scalar.value), [...file.split('/'), chart], isUsed);
  return /lightdash/i.test(file) && parents.some((key) => /backend|scheduler|worker|migrat/i.test(key));
}

/**
 * Whether a tag in values that name no program may be Lightdash's. In a folder, or a chart, that is named after something
 * else, only a release counts that can hardly be that one's; a commit only if what refers to Lightdash uses the file.
 */
function mayBeItsRelease(tag: string, names: readonly string[], isUsed: boolean): boolean {
  const [version] = /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(tag) ?? [];
  const isOfAnother =
    !names.some(namesLightdash) && names.some((name) => subjectOfFolder(name) === 'another');
  if (!isOfAnother || version === undefined) return !isOfAnother || isUsed;
  return isUsed ? isRelease(version) : isUnmistakable(version);
}

/**
 * Values under names that say a release of Lightdash, as in the variables of Terraform and Ansible, and those that are
 * nothing but an image of Lightdash with its release, under whatever key.
 */
function releasesIn(document: YamlDocument): readonly Pick<ImagePlace, 'path' | 'scalar'>[] {
  return scalarsIn(document).filter(({ path, scalar: { value } }) => {
    if (/^v?\d+\.\d+\.\d+/i.test(String(value)) && isNameOfPin(path.at(-1) ?? '')) return true;
    const isImage = typeof value === 'string' && wholeImage.test(value) && isLightdashRepository(value);
    return isImage && path.every((key) => !saidElsewhere.test(key));
  });
}

const wholeImage =
  /^[\w.-]{1,80}(?::\d{1,5})?(?:\/[\w.-]{1,80}){0,6}:v?\d{1,5}\.\d{1,5}\.\d{1,5}[\w.-]{0,60}(?:@sha256:[0-9a-f]{64})?$/;
/** Where an image is spoken of, and not deployed. */
const saidElsewhere = /^(?:labels|annotations|enum|examples?|description|name)$/;

/** Keys under which other tools have the values of a chart, and a chart those of all its parts. */
const rootOfValues = /^(?:values(?:Object|Inline)?|global)$/;

/** The names of Lightdash and its parts in charts, manifests and compose files, and the image in kustomize. */
const nameOfLightdash =
  /^([\w.-]+\/)*lightdash([-_]?(backend|web|app|server|api|scheduler|worker|migrat\w*))?$/i;

function isNameOfLightdash(name: unknown): boolean {
  return typeof name === 'string' && nameOfLightdash.test(name);
}
