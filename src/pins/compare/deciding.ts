import { groupBy } from '../../core/group-by.js';
import { oncePer } from '../../core/once.js';
import { type Entry, nearLightdash, textOf } from '../entries.js';
import { isSourceCode } from '../names/no-deployment.js';
import { namesLightdash, referenceIn, referenceInCode } from '../names/reference.js';
import { locks } from '../uses/paths-in.js';
import type { Uses } from '../uses/uses.js';
import { versionKeys } from '../yaml/charts.js';
import { tagKeys } from '../yaml/image-places.js';
import type { About } from './about-file.js';
import { choicesIn } from './choices.js';
import { decidingInCode } from './deciding-in-code.js';
import { mayDecide, noRelease, type Surroundings } from './deciding-in-values.js';
import type { Deciding, SideOfFile } from './side.js';
import { plain, withoutHow } from './tells.js';

export function decidingOf(
  file: string,
  { entries, pins }: SideOfFile,
  about: About,
  uses: Uses,
): readonly Deciding[] {
  const ofPath = new Set(
    pins.filter(({ written }) => written === undefined).map(({ path }) => path.join('.')),
  );
  const writtenAt = groupBy(
    pins.filter((pin) => pin.written !== undefined),
    ({ line }) => line,
  );
  const isNear = nearLightdash(entries);
  const partOf = locks.test(file) ? itemOf : objectOrBlockOf;
  const foreign = foreignParts(entries, partOf, about.takesFrom);
  const takesItem = partOf === itemOf && entries.some(({ path }) => about.takesFrom.has(path[1] ?? ''));
  const referenceOf = isSourceCode(file) ? referenceInCode : referenceIn;
  const aliases = new Set(
    entries.flatMap(({ path, value }) =>
      value.startsWith('*') && !path.some((step) => noRelease.test(step)) ? [value.slice(1)] : [],
    ),
  );
  const running = new Set(
    entries
      .filter((entry) => commandOf(entry) !== undefined && uses.runsOne(file, entry.value))
      .map(commandOf),
  );
  const surroundings: Surroundings = {
    ...surroundingParts(file, entries, uses),
    isNear,
    // A line that says which release of Lightdash it is about says nothing of those beside it.
    isNearName: nearLightdash(entries, (text) => namesLightdash(text) && referenceOf(text) !== 'release'),
    isInPlainPatch: plainPatches(entries),
    isInReplacement: replacementsOfReleases(entries),
    isArgument: (entry) => running.has(commandOf(entry)),
    isAliased: ({ names }) => aliases.has(names.at(-1) ?? ''),
    isChoice: choicesIn(entries, about.takesFrom),
    isForeign: (entry) => foreign.has(partOf(entry)),
    isLeft: (entry) => takesItem && foreign.has(partOf(entry)),
  };
  return entries.flatMap((entry): Deciding[] => {
    if (entry.document !== undefined && isExplained(entry, ofPath)) return [];
    const pinned = writtenAt.get(entry.line) ?? [];
    const value = pinned.reduce((text, { written = '' }) => text.replace(written, '(a pin)'), entry.value);
    const left = { ...entry, value };
    if (isSourceCode(file)) return decidingInCode(left, about, isNear, surroundings.isNearName);
    if (!mayDecide(file, left, about, uses, surroundings)) return [];
    const keys =
      entry.document === undefined
        ? [entry.key]
        : entry.path.map((key, i) =>
            /^\d+$/.test(key) && !ordered.test(entry.path[i - 1] ?? '') ? '*' : key,
          );
    // What the options of a script of its own say, only that script knows.
    const shown = uses.runsOne(file, value) ? value : withoutHow(value);
    return [{ entry, text: `${keys.join('.')}=${plain(shown)}` }];
  });
}

const none: readonly Entry[] = [];

/** What the document and the block of an entry, as its file has them, say of Lightdash. */
function surroundingParts(
  file: string,
  entries: readonly Entry[],
  uses: Uses,
): Pick<
  Surroundings,
  'isNamedWithin' | 'isInOwnDocument' | 'isNameOfOwnBlock' | 'isInOwnBlock' | 'isInOwnModule'
> {
  const blocks = groupBy(entries, ({ path: [top] }) => top);
  const isNamedIn = oncePer((block: readonly Entry[]) =>
    block.some((one) => [textOf(one), ...one.names].some(namesLightdash)),
  );
  const documents = groupBy(entries, ({ document }) => document);
  const isOwnDocument = oncePer((all: readonly Entry[]) =>
    all.some((one) => [textOf(one), ...one.names].some(namesLightdash) || uses.leadsToOne(file, one.value)),
  );
  const isOwnBlock = oncePer((block: readonly Entry[]) => {
    const isPublic = block.some(({ key, value }) => key === 'source' && publicModules.test(value));
    return !isPublic && block.some((one) => namesLightdash(textOf(one)));
  });
  const isOwnModule = oncePer((block: readonly Entry[]) =>
    block.some(({ key, value }) => key === 'source' && uses.leadsToOne(file, value)),
  );
  return {
    isNamedWithin: ({ path: [top] }) => isNamedIn(blocks.get(top) ?? none),
    isInOwnDocument: ({ document }) =>
      document !== undefined && isOwnDocument(documents.get(document) ?? none),
    isNameOfOwnBlock: ({ value }) => isNamedIn(blocks.get(value) ?? none),
    isInOwnBlock: ({ path: [top] }) => isOwnBlock(blocks.get(top) ?? none),
    isInOwnModule: ({ path: [top] }) => isOwnModule(blocks.get(top) ?? none),
  };
}

/** Whether an entry is one of a patch in a kustomization itself that sets no image, chart or version. */
function plainPatches(entries: readonly Entry[]): (entry: Entry) => boolean {
  const patchOf = (entry: Entry) => `${entry.document} ${itemOf(entry)}`;
  const patched = entries.filter(
    ({ document, path }) => document !== undefined && /^patches/.test(path[0] ?? ''),
  );
  const isPlain = ({ path, key, names }: Entry) =>
    key === 'apiVersion' ||
    ![...path.slice(2), ...names].some((one) => /image|tag|version|chart|source|ref/i.test(one));
  const plainItems = [...groupBy(patched, patchOf)].filter(
    ([, item]) => item.some(({ path }) => path[2] === 'patch') && item.every(isPlain),
  );
  const items = new Map(plainItems);
  return (entry) => items.size > 0 && items.has(patchOf(entry));
}

/** Whether an entry is of a replacement in a kustomization that has a field which says a release among its targets. */
function replacementsOfReleases(entries: readonly Entry[]): (entry: Entry) => boolean {
  const items = new Set(
    entries.flatMap((entry) =>
      entry.path[0] === 'replacements' && entry.path.includes('fieldPaths') && sayingRelease.test(entry.value)
        ? [itemOf(entry)]
        : [],
    ),
  );
  return (entry) => items.has(itemOf(entry));
}

const sayingRelease = /image|tag|version|semver|revision/i;

/** Modules for anybody, which know nothing of Lightdash: what they are given may say its release, their version does not. */
const publicModules =
  /^"(?:registry\.terraform\.io\/)?(?:terraform-\w+-modules|cloudposse|Azure|GoogleCloudPlatform)\//;

/**
 * Objects of Kubernetes, services of compose, blocks of Terraform and items of a lock, with a chart, an image or a
 * repository of their own, in which nothing speaks of Lightdash.
 */
function foreignParts(
  entries: readonly Entry[],
  partOf: PartOf,
  takesFrom: ReadonlySet<string>,
): ReadonlySet<string | undefined> {
  const foreign = new Set<string | undefined>();
  for (const entry of entries) {
    const { key, value } = entry;
    const isOwn =
      /^(?:chart|image)$/i.test(key) ||
      (partOf === itemOf && /^(?:remote|repo)$/.test(key)) ||
      value.startsWith('oci://') ||
      /\bimage["']?\s*[:=]\s*"[^"$]+"/.test(value);
    // A chart of the repository itself may be of anything.
    if (isOwn && !/^["']?\.{0,2}(?:\/|["']?$)|\$|\{\{/.test(value)) foreign.add(partOf(entry));
  }
  foreign.delete(undefined);
  const isTaken = ({ path: [top, name = '', key = ''] }: Entry) =>
    partOf === itemOf ? takesFrom.has(name) : top === 'services' && /^(?:build|extends)$/.test(key);
  if (foreign.size === 0) return foreign;
  for (const entry of entries)
    if ([textOf(entry), ...entry.path, ...entry.names].some(namesLightdash) || isTaken(entry))
      foreign.delete(partOf(entry));
  return foreign;
}

/** The command of which an entry is one word. */
function commandOf({ path }: Entry): string | undefined {
  return /^(?:args|command|entrypoint)$/.test(path.at(-2) ?? '') ? path.slice(0, -2).join('.') : undefined;
}

type PartOf = (entry: Entry) => string | undefined;

/** The item that an entry stands in: of a lock, what is locked. */
const itemOf: PartOf = ({ path }) => path.slice(0, 2).join('.');

/** The object, the service of compose, or the block of Terraform that an entry stands in. */
function objectOrBlockOf({ object, document, path: [block = '', name, more] }: Entry): string | undefined {
  if (block === 'services' && more !== undefined) return `${document} ${name}`;
  if (document === undefined) return /^resource "\S+" "\S+" \{$/.test(block) ? block : undefined;
  return object === undefined ? undefined : String(document);
}

/** Lists in which the last counts. */
const ordered =
  /^(?:values?Files|additionalValuesFiles|values|valuesFrom|env_file|components|patches\w*|transformers|rules|<<)$/;

/** A pin is compared with what names its image, and a chart that decides the tag with all that says which one it is. */
function isExplained({ path, key }: Entry, pins: ReadonlySet<string>): boolean {
  if (pins.size === 0) return false;
  if (pins.has(path.join('.'))) return true;
  if (!partsOfChart.has(key) && !partsOfImage.has(key)) return false;
  const around = path.slice(0, -1).join('.');
  if (pins.has(around) && partsOfChart.has(key)) return true;
  return partsOfImage.has(key) && [...tagKeys, 'image'].some((one) => pins.has(`${around}.${one}`));
}

const partsOfImage = new Set(
  'registry repository repo newName name image digest imageDigest sha sha256'.split(' '),
);

const partsOfChart = new Set([...versionKeys, ...'chart name repoURL repository repo alias'.split(' ')]);
