import { posix } from 'node:path';
import { groupBy } from '../core/common/group-by.js';
import { lazy, memoize, memoizeByObject } from '../core/common/memoize.js';
import { inParallel } from '../gather/files/in-parallel.js';
import { subjectOfName } from './compare/values.js';
import { largestText, saysRelease } from './names.js';
import { commonNames, foldersOf, pathsIn, waysTo, withoutEnding } from './paths-in.js';
import { isValuesFile } from './pin-pattern.js';
import { chartsAround, decoded, filesWith, folderOf, foldersAround, type PinTree } from './pin-tree.js';
import { type Referrer, referrerIn, writesTagIn } from './referrers.js';
import { isDeployed, isSourceCode } from './what-files-are.js';
import { listsCharts } from './yaml/chart-parts.js';

/** Files that were read, by path and id of their contents; undefined for a file that does not refer to Lightdash. */
export type SeenReferrers = Map<string, Promise<Referrer | undefined>>;

/**
 * Reads the files of both sides that have the word `lightdash`, and collects what they use.
 *
 * @param seen files that an earlier call has read; this one adds its own
 */
export async function readUses(
  trees: readonly [PinTree, PinTree],
  seen: SeenReferrers = new Map(),
): Promise<Uses> {
  const read = async (tree: PinTree) => {
    const referrersOfSide: Referrer[] = [];
    await inParallel((await filesWith(tree, 'lightdash')).filter(isDeployed), async (file) => {
      const entry = tree.files.get(file);
      if (entry?.kind !== 'file') return;
      const id = `${file}\0${entry.id}`;
      const reading = seen.get(id) ?? tree.read(entry).then((bytes) => referrerIn(file, decoded(bytes)));
      seen.set(id, reading);
      const referrer = await reading;
      if (referrer !== undefined) referrersOfSide.push(referrer);
    });
    return referrersOfSide;
  };
  const [before, after] = [await read(trees[0]), await read(trees[1])];
  const referrers = [...new Set([...before, ...after])];
  return usesOf(
    referrers,
    before.flatMap(({ deployed }) => deployed),
    await filesWithTag(referrers, trees),
    trees,
  );
}

export type Uses = ReturnType<typeof usesOf>;

/** What all referrers together use: the names and paths that each of them writes itself. */
function usesOf(
  referrers: readonly Referrer[],
  deployed: readonly string[],
  tagging: ReadonlySet<string>,
  trees: readonly PinTree[],
) {
  const named = new Set(referrers.flatMap(({ paths }) => [...paths]));
  /** A submodule, or a link to a folder, has what is named behind it. */
  const around = new Set([...named].flatMap(foldersOf));
  const charts = new Set(
    referrers.flatMap(({ file }) => trees.flatMap((tree) => chartsAround(tree, folderOf(file)))),
  );
  const objects = new Set(referrers.flatMap((referrer) => referrer.objects));
  const isNamed = (file: string) =>
    named.has(file) ||
    (!commonNames.test(file) && named.has(`*/${posix.basename(file)}`)) ||
    charts.has(folderOf(file));
  const ownPaths = new Set(referrers.flatMap(({ ownPaths }) => [...ownPaths]));
  return {
    /** Whether anything refers to Lightdash at all, and whether a program does: its modules give it a release without any name. */
    areAny: referrers.length > 0,
    areInCode: referrers.some(({ file }) => isSourceCode(file)),
    /** The releases and digests that the base deploys, as far as what refers to Lightdash shows them. */
    deployed: new Set(deployed),
    /** Whether a referrer names the file or its folder, or takes it from the folder that it is in. */
    isUsed: (file: string) =>
      isNamed(file) || waysTo(file).some((path) => named.has(path)) || around.has(file),
    /** Whether one of them names the file itself. */
    isNamed,
    /** Whether one of them names it for Lightdash, and not in a list for another program. */
    isOwn: (file: string) => isNamed(file) && (!named.has(file) || ownPaths.has(file)),
    /** Whether it is a template of a chart in whose folder one is. */
    isTemplate: (file: string) => ofTemplates.test(file) && charts.has(file.replace(ofTemplates, '')),
    /** The stages of the Dockerfiles among them, and the services of compose in which they have their references. */
    stages: new Set(referrers.flatMap(({ stages }) => stages)),
    services: new Set(referrers.flatMap(({ services }) => services)),
    /** Whether one of them names an object of Kubernetes, `<kind>/<name>`. */
    isObject: (object: string) => objects.has(posix.basename(object)),
    /** Names that their references take a value from, as far as the file could give it. */
    namesAt: namesOf(referrers),
    isTagWritten: taggedBy(referrers, tagging),
    ...wordTests(referrers),
  };
}

/** Where nothing refers to Lightdash. */
export const noUses: Uses = usesOf([], [], new Set(), []);

const ofTemplates = /(?<![^/])templates\/.{1,500}$/;

/**
 * `isTagWritten`: whether each referrer that deploys the chart, and takes the name or is or names the file, writes a tag
 * or names a file that does. If there is no such referrer, whether all that deploy the chart do.
 */
function taggedBy(referrers: readonly Referrer[], tagging: ReadonlySet<string>) {
  const folders = new Set([...tagging].map((file) => folderOf(file).slice(0, -1)));
  const foldersOfValues = new Set([...tagging].filter(isValuesFile).map(folderOf));
  const isTagged = memoizeByObject(
    ({ file, writesTag, paths }: Referrer) =>
      writesTag ||
      [...paths].some((path) => tagging.has(path) || folders.has(path)) ||
      // The lock of a chart, whose values have the tag.
      (listsCharts.test(file) && foldersOfValues.has(folderOf(file))),
  );
  const deploying = referrers.filter(({ deploysChart }) => deploysChart);
  const isEachTagged = lazy(() => deploying.every(isTagged));
  const by = (keysOf: (referrer: Referrer) => Iterable<string>) =>
    groupBy(
      deploying.flatMap((referrer) => [...keysOf(referrer)].map((key) => ({ key, referrer }))),
      ({ key }) => key,
    );
  const [byFile, byName] = [by(({ file, paths }) => [file, ...paths]), by(({ takesFrom }) => takesFrom)];
  return (file: string, name: string): boolean => {
    const taking = [...(byFile.get(file) ?? []), ...(byName.get(name) ?? [])];
    return taking.length > 0 ? taking.every(({ referrer }) => isTagged(referrer)) : isEachTagged();
  };
}

/** The files that write a tag: referrers, and what those name that deploy the chart without one. */
async function filesWithTag(
  referrers: readonly Referrer[],
  trees: readonly PinTree[],
): Promise<ReadonlySet<string>> {
  const filesFound = new Set(referrers.filter(({ writesTag }) => writesTag).map(({ file }) => file));
  const untagged = referrers.filter(({ deploysChart, writesTag }) => deploysChart && !writesTag);
  for (const path of new Set(untagged.flatMap(({ paths }) => [...paths]))) {
    const [entry] = trees.flatMap((tree) => tree.files.get(path) ?? []);
    if (filesFound.has(path) || entry?.kind !== 'file' || !/\.(?:ya?ml|json|tfvars|env)$/.test(path))
      continue;
    const text = decoded(await trees.find((tree) => tree.files.get(path) === entry)?.read(entry));
    if (text.length <= largestText && writesTagIn(text)) filesFound.add(path);
  }
  return filesFound;
}

/** Tests of a text by its words and paths alone. */
function wordTests(referrers: readonly Referrer[]) {
  /** The paths that lead to referrers: their files, as modules too, and their folders. */
  const leads = new Set(
    referrers.flatMap(({ file }) => [
      ...[file, ...foldersOf(file)],
      ...(isSourceCode(file) ? [withoutEnding(file)] : []),
    ]),
  );
  const words = new Set([
    ...[...leads].map((path) => posix.basename(path)),
    ...referrers.flatMap(({ takesFrom, objects, stages }) => [
      ...[...takesFrom].map(lastStep),
      ...objects,
      ...stages,
    ]),
  ]);
  words.delete('');
  const concern = new RegExp([...words].map((word) => word.replaceAll(/[^\w]/g, '\\$&')).join('|') || '(?!)');
  const isComposed = referrers.some(({ isCompose }) => isCompose);
  const isByHelmfile = referrers.some(({ file }) => /helmfile/i.test(file));
  const saysHow = (text: string) =>
    (isComposed && howOfCompose.test(text)) || (isByHelmfile && howOfHelmfile.test(text));
  const from = memoize((folder) => memoize((text) => pathsIn(text, folder).some((path) => leads.has(path))));
  return {
    /** A quick test: false only if the text does nothing of the other two, and gives no name its value. */
    concerns: (text: string) => concern.test(text) || saysHow(text),
    /** Whether a text says with which files or profiles docker compose, or for which environment Helmfile, runs one. */
    saysHow,
    /** Whether a text of a file names one of them, or a folder with one of them. */
    leadsToOne: (file: string, text: string) => from(folderOf(file))(text),
  };
}

const howOfCompose = /--env-file|--profile|COMPOSE_(?:FILE|PROFILES|ENV_FILES)/;
const howOfHelmfile = /\bhelmfile\b.{0,200}\s(?:-e|--environment)\b/;

function lastStep(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The names that referrers take values from, where a file is near one that takes them, by folder or path. */
function namesOf(referrers: readonly Referrer[]) {
  const near = new Map<string, Set<string>>();
  const places = ({ file, paths }: Referrer) => [
    `below ${folderOf(file)}`,
    ...foldersAround(file).map((folder) => `in ${folder}`),
    ...[...paths].map((path) => `at ${path}`),
  ];
  for (const referrer of referrers) {
    for (const place of referrer.takesFrom.size === 0 ? [] : places(referrer)) {
      const namesThere = near.get(place) ?? new Set();
      for (const name of referrer.takesFrom) namesThere.add(name);
      near.set(place, namesThere);
    }
  }
  const everywhere = referrers.flatMap(({ takesFrom }) =>
    [...takesFrom].filter((name) => saysRelease(name) && subjectOfName(name) !== 'nobody'),
  );
  return (file: string): ReadonlySet<string> => {
    const at = [
      ...foldersAround(file).map((folder) => `below ${folder}`),
      `in ${folderOf(file)}`,
      `in ${folderOf(file).replace(ofVariables, '')}`,
      ...waysTo(file).map((path) => `at ${path}`),
    ];
    return new Set([...everywhere, ...at.flatMap((place) => [...(near.get(place) ?? [])])]);
  };
}

/** Folders whose variables Ansible gives to a whole role, or to all that is beside them. */
const ofVariables = /(?<![^/])(?:(?:defaults|vars|meta)\/|(?:group|host)_vars\/(?:[\w.-]{1,120}\/)?)$/;
