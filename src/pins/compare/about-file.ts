import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../core/common/group-by.js';
import { memoize } from '../../core/common/memoize.js';
import { isCompanion, isNameOfRelease, namesLightdash } from '../../core/lightdash-name.js';
import { type Entry, textOf } from '../entries.js';
import { addNamesTaken, namesTakenIn, namesUsedIn, refersIn, saysRelease } from '../names.js';
import { isKustomization, pathsIn } from '../paths-in.js';
import { folderOf } from '../pin-tree.js';
import type { Uses } from '../uses.js';
import { isSourceCode } from '../what-files-are.js';
import { hasPins, ofBoth, type SideOfFile } from './side.js';

export type AboutFile = ReturnType<typeof aboutFile>;

/** What the rules ask about a touched file, both sides together. */
export function aboutFile(
  file: string,
  sides: readonly [SideOfFile, SideOfFile],
  uses: Uses,
  pinning: ReadonlySet<string>,
) {
  const entries = sides.flatMap((side) => side.entries);
  const leadsToOne = (text: string) => uses.leadsToOne(file, text);
  const namesPin = (text: string) =>
    pinning.size > 0 && pathsIn(text, folderOf(file)).some((path) => pinning.has(path));
  const leads = entries.some(({ value }) => leadsToOne(value));
  const references = referencesIn(file, sides, uses);
  const isInItemOfRelease = isKustomization(file) ? itemsOfRelease(sides, namesPin) : () => false;
  for (const entry of leads ? entries : []) {
    const [, replacing] = isInItemOfRelease(entry) ? (fieldOfData.exec(entry.value) ?? []) : [];
    if (entry.key === 'fieldPath' && replacing !== undefined) references.takesFrom.add(replacing);
  }
  const own = partsOfLightdash(entries, leadsToOne);
  const isObject = (object: string) => uses.isObject(object) || own.objects.has(posix.basename(object));
  const withChart = new Set(entries.filter(({ key }) => key === 'chart').map(mapOf));
  const choices = sides.map((side) => choicesIn(side, references.takesFrom, references.isReferring));
  const { deployed, areInCode, saysHow, stages } = uses;
  return {
    ...{ file, deployed, areInCode, saysHow, stages, isObject, isInItemOfRelease, ...references },
    ...surroundings(entries),
    isCode: isSourceCode(file),
    /** Whether it has the jobs or the steps of a pipeline. */
    isPipeline: entries.some(
      ({ path, object = '' }) =>
        path[0] === 'jobs' || path[1] === 'script' || path.includes('steps') || workflows.test(object),
    ),
    /** Whether something that refers to Lightdash uses it, as its chart does a template. A new one may be of another worker. */
    isUsed: uses.isUsed(file) || (uses.isTemplate(file) && sides.every((side) => side.entries.length > 0)),
    /** Whether a text of it names a file that refers to Lightdash, or a folder with one; and whether any of them does. */
    ...{ leadsToOne, leads },
    /** Whether a text of it that changed names a file that pins Lightdash. */
    namesPin,
    /** Whether what deploys the chart of Lightdash by a name, or this file, writes a tag for it. */
    isTagWritten: memoize((name) => uses.isTagWritten(file, name)),
    isChoice: (entry: Entry) => choices.some((isChoice) => isChoice(entry)),
    /** Whether it stands in an object, a service or an item that neither names Lightdash nor leads there, while others do. */
    isInOtherPart: (entry: Entry) =>
      partOf(entry) !== undefined &&
      own.parts.size > 0 &&
      !own.parts.has(partOf(entry)) &&
      !isObject(entry.object ?? ''),
    /** Whether a chart is named beside it: what is fetched is its version, and no revision of a repository. */
    isBesideChart: (entry: Entry) => withChart.has(mapOf(entry)),
  };
}

/** What a file says of Lightdash. */
function referencesIn(file: string, sides: readonly [SideOfFile, SideOfFile], uses: Uses) {
  const refers = refersIn(file);
  const takesFrom = new Set(uses.namesAt(file));
  const isPinned = sides.some(hasPins);
  const named = new Set<number>();
  const scopes = new Set<string>();
  let isNamed = namesLightdash(file);
  let isReferring = isPinned || (isNamed && saysRelease(posix.basename(file)));
  for (const { entries } of sides) {
    for (const entry of entries) {
      const isReference = refers(textOf(entry));
      if (isReference && entry.document === undefined)
        for (const i of entry.path.keys()) scopes.add(entry.path.slice(0, i).join('\n'));
      isReferring ||= isReference;
      if (namesLightdash(textOf(entry))) named.add(entry.line);
      // A comment names it beside an entry without the word.
      isNamed ||= named.size > 0 || entry.names.some(namesLightdash);
      const used = isReference || filesOfValues.test(entry.path.join('.')) ? namesTakenIn(entry.value) : [];
      for (const name of used) takesFrom.add(name);
    }
  }
  for (const { entries } of sides) addNamesTaken(takesFrom, entries);
  return {
    refers,
    /** The names that references take a release from, here or elsewhere. */
    takesFrom,
    /** Whether an entry is a line of a block in which a reference stands too, or of a block around that. */
    isInScope: ({ document, path }: Entry) =>
      document === undefined && scopes.has(path.slice(0, -1).join('\n')),
    /** Whether it refers to a release of Lightdash, whether it has the name at all, and whether it has a pin. */
    ...{ isReferring, isNamed, hasPins: isPinned },
    /** Whether the name of Lightdash stands so many lines from an entry, or closer. */
    isNear: ({ line }: Entry, lines: number) => {
      for (let at = line - lines; at <= line + lines; at += 1) if (named.has(at)) return true;
      return false;
    },
  };
}

function mapOf({ document, path }: Entry): string {
  return `${document} ${path.slice(0, -1).join('.')}`;
}

/** The parts of a file that name Lightdash, lead there or take over what another one has, and the objects they refer to. */
function partsOfLightdash(entries: readonly Entry[], leadsToOne: (text: string) => boolean) {
  const isOwn = (entry: Entry) =>
    leadsToOne(entry.value) ||
    [textOf(entry), ...entry.names].some(namesLightdash) ||
    entry.path.some((step) => takingOver.test(step));
  const parts = new Set(entries.filter(isOwn).map(partOf));
  parts.delete(undefined);
  const referring = entries.filter(
    (entry) =>
      entry.key === 'name' &&
      entry.path.some((step) => /(?:Ref|From)$/.test(step)) &&
      parts.has(partOf(entry)),
  );
  return { parts, objects: new Set(referring.map(({ value }) => value)) };
}

/** Keys by which a part takes over what another one has. */
const takingOver = /^(?:<<|extends|inherits?)$/;

/** Pipelines of Argo Workflows, whose containers only run tools. */
const workflows = /^(?:Cron|Cluster)?Workflow/;

/** The field of a ConfigMap that kustomize replaces another one by. */
const fieldOfData = /^data\.\[?([\w.-]{1,120})\]?$/;

/** Keys that list the files of values of a release. */
const filesOfValues = /\b(?:valueFiles|valuesFiles?|values_files)\b/;

/** Tests of the document, block or list item around an entry. */
function surroundings(entries: readonly Entry[]) {
  const isOwnWord = (text: string) => namesLightdash(text) && (/\s/.test(text) || !isCompanion(text));
  const speaks = ({ key, value, names, path }: Entry) =>
    isOwnWord(key) || isOwnWord(value) || names.some(isOwnWord) || path.some(isOwnWord);
  const ownParts = new Set<string | undefined>();
  const otherParts = new Set<string | undefined>();
  const ownItems = new Set<string | undefined>();
  for (const entry of entries) {
    if (speaks(entry)) {
      ownParts.add(partOf(entry));
      ownItems.add(itemOf(entry));
    }
    if (
      namesAnother.test(entry.key) &&
      /^["']?[\w./:-]+["']?$/.test(entry.value) &&
      !/^\.{0,2}\//.test(entry.value)
    )
      otherParts.add(partOf(entry));
  }
  otherParts.delete(undefined);
  return {
    /** Whether something in the same item of a list at the top speaks of Lightdash. */
    isInOwnItem: (entry: Entry) => itemOf(entry) !== undefined && ownItems.has(itemOf(entry)),
    /** Whether its file names another image or chart in the same object or block, and nothing there speaks of Lightdash. */
    isInAnother: (entry: Entry) => otherParts.has(partOf(entry)) && !ownParts.has(partOf(entry)),
  };
}

/**
 * A test for entries in the items of a kustomization in which one changes a release: itself, or by a patch in a file,
 * where the patches in files that pin are others on both sides, for other targets, or in another order.
 */
function itemsOfRelease(
  sides: readonly [SideOfFile, SideOfFile],
  namesPin: (text: string) => boolean,
): (entry: Entry) => boolean {
  const [was, is] = ofBoth((i) => {
    const patches = groupBy(
      sides[i].entries.filter(({ path: [list = ''] }) => list.startsWith('patches')),
      itemOf,
    );
    return [...patches].filter(([, item]) => item.some(({ value }) => namesPin(value)));
  });
  const [old, now] = [was, is].map((patches) =>
    patches.map(([, item]) =>
      item.map((entry) => `${entry.path.slice(2).join('.')}=${entry.value}`).toSorted(),
    ),
  );
  const patches = isDeepStrictEqual(old, now) ? [] : [...was, ...is].map(([item]) => item);
  const saying = sides.flatMap(({ entries }) => entries.filter(saysReleaseToKustomize).map(itemOf));
  const items = new Set([...saying, ...patches]);
  return (entry) => items.has(itemOf(entry));
}

/** Whether an item of a kustomization changes a release: by the field that it replaces, or by a key in its patch. */
function saysReleaseToKustomize({ path, key, value, names }: Entry): boolean {
  if (path[0] === 'replacements')
    return (
      key === 'path' || (path.includes('fieldPaths') && /image|tag|version|semver|revision/i.test(value))
    );
  return (
    key !== 'apiVersion' &&
    [...path.slice(2), ...names].some((text) => /image|tag|version|chart|source|ref/i.test(text))
  );
}

/** The item of a list at the top of a document that an entry stands in. */
function itemOf({ document, path: [list = '', item = ''] }: Entry): string | undefined {
  return document !== undefined && /^\d+$/.test(item) ? `${document} ${list} ${item}` : undefined;
}

const namesAnother = /^(?:chart|image|remote|repo|repository|url)$/i;

/** The object, the service of compose, the item of a list at the top, or the block of Terraform that an entry is in. */
function partOf({ object, document, path: [block = '', name, more] }: Entry): string | undefined {
  if (document === undefined) return /^(?:resource|module) /.test(block) ? block : undefined;
  if (block === 'services' && more !== undefined) return `${document} ${name}`;
  if (/^\d+$/.test(name ?? '')) return `${document} ${block} ${name}`;
  return object === undefined ? undefined : String(document);
}

/**
 * A test for entries that choose which of several values a release gets: in a pipeline the rules of a job that sets it, or
 * the environment, context or group of variables that a job takes it from; in a list, for which clusters an item with a
 * release is, or one with files of values where the file refers to Lightdash.
 */
function choicesIn(
  { entries, pins }: SideOfFile,
  takesFrom: ReadonlySet<string>,
  isAbout: boolean,
): (entry: Entry) => boolean {
  const all = entries.flatMap((entry) => {
    const around = entry.document === undefined ? undefined : scopeOf(entry);
    return around === undefined ? [] : [{ entry, around }];
  });
  if (all.length === 0) return () => false;
  const isOwn = (name: string) => takesFrom.has(name) || isNameOfRelease(name);
  const keys = new Set(entries.map(({ key }) => key));
  const isTaken = (name: string) => !/^(?:vars|secrets)$/.test(name) && !keys.has(name) && isOwn(name);
  const taking = entries.filter(({ value }) => outside.test(value) && namesUsedIn(value).some(isTaken));
  const ofRelease = [
    ...entries.filter(({ key, path }) => isOwn(key) || (isAbout && filesOfValues.test(path.join('.')))),
    ...pins.filter(({ isOther, written }) => !isOther && written === undefined),
  ];
  const choosing = new Set([
    ...ofRelease.flatMap(({ path }) => path.map((_, i) => `item ${path.slice(0, i).join('.')}`)),
    ...all.flatMap(({ entry: { path, key }, around }) =>
      path.at(-2) === 'variables' && isOwn(key) ? [around] : [],
    ),
    ...taking.flatMap(({ path }) => path.map((_, i) => path.slice(0, i).join('.'))),
  ]);
  const choices = all.filter(({ around }) => choosing.has(around)).map(({ entry }) => entry);
  const choicePaths = new Set(choices.map(({ path }) => path));
  const names = new Set(choices.flatMap(({ value }) => namesUsedIn(value)));
  return (entry) => choicePaths.has(entry.path) || names.has(entry.key);
}

/** What is kept outside of a repository: what GitHub, GitLab, CircleCI or Azure fill in. */
const outside = /\b(?:vars|secrets)\.|\$[({]?[A-Za-z_]/;

/**
 * The list of rules of GitLab, also behind an anchor, or the job whose variables depend on what it says there: on its name
 * in a workflow of CircleCI.
 */
function scopeOf({ path, key }: Entry): string | undefined {
  const rule = path.findIndex((step, i) => /^\d+$/.test(step) && ofRule.test(path[i + 1] ?? ''));
  if (rule > 0) return `rules of ${path.slice(0, rule).join('.')}`;
  const selector = path.findIndex((step) => selecting.test(step));
  const combined = path.findIndex((step) => /^(?:matrix|merge)$/.test(step));
  const around = path.slice(0, combined < 0 ? selector + 1 : Math.min(combined, selector + 1));
  const item = around.findLastIndex((step) => /^\d+$/.test(step));
  if (item > 0) return `item ${path.slice(0, item + 1).join('.')}`;
  const at = path.lastIndexOf('environment');
  if (at > 0 && (at === path.length - 1 || key === 'name')) return path.slice(0, at).join('.');
  if (key === 'group' && path[0] === 'variables') return '';
  const context = path.lastIndexOf('context');
  return context > 1 && path.includes('jobs') ? `jobs.${path[context - 1]}` : undefined;
}

/** What says for which clusters Argo CD and Fleet take an item. */
const selecting = /selector$|^cluster(?:Group|Name|Labels)$/i;

const ofRule = /^(?:if|changes|exists|when|variables)$/;
