import { isAlias, isMap, isScalar, isSeq, type YAMLSeq } from 'yaml';
import { LightspanError } from '../errors.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import type { PinnedRelease, PinSide } from '../release-safety/pin-change.js';
import { parseTag } from '../release-safety/version.js';
import { isRecord } from '../shared/is-record.js';
import { parseImageReference, parseTagOrReference } from './image-reference.js';
import { type FilledIn, keyOfPair, readPinDocuments } from './pin-documents.js';
import { isVariablesFile, type PinPattern } from './pin-pattern.js';
import type { PinTree } from './pin-tree.js';
import { nameOfPin, type PinLocation, readPin } from './pinned-version.js';
import { linesThatSet, readVariables, type Variables } from './variables.js';
import { readYaml } from './yaml-text.js';

/** A pin as one side of a change has it. */
export interface FoundPin {
  readonly pattern: PinPattern;
  readonly file: string;
  readonly path: readonly string[];
  /** What names it within its file on both sides, wherever it stands in a list. */
  readonly id: string;
  /** From 1; undefined where the file cannot be read so far. */
  readonly line: number | undefined;
  readonly side: PinSide;
  /** The image is plainly of another program, and a `*` of the path brought it in. */
  readonly isOther: boolean;
  /** Equal where all files that decide it are equal. */
  readonly inputs: string;
  /** The file cannot be read so far as to tell its pins: this stands for all of its pattern. */
  readonly isWholeFile: boolean;
}

const giveFrom = 'Pin one exact release that stands in the file.';
/** A larger file holds more than pins. */
const maxBytes = 1024 * 1024;

/**
 * The pins of one side of a change. What stands at the place of a pin and tells no release is one too, `unreadable`.
 *
 * @throws {LightspanError} what reading the side throws
 */
export async function findPins(
  tree: PinTree,
  patterns: readonly PinPattern[],
  { tagSuffix }: { readonly tagSuffix: string | undefined },
): Promise<readonly FoundPin[]> {
  const found: FoundPin[] = [];
  for (const pattern of patterns) {
    for (const file of tree.files.keys()) {
      if (pattern.matches(file)) found.push(...(await findInFile(tree, file, pattern, tagSuffix)));
    }
  }
  return found;
}

async function findInFile(
  tree: PinTree,
  file: string,
  pattern: PinPattern,
  tagSuffix: string | undefined,
): Promise<readonly FoundPin[]> {
  const known = { pattern, file, isOther: false, isWholeFile: false };
  const unreadable = (why: string, hint?: string): readonly FoundPin[] => {
    const { path } = pattern;
    const inputs = tree.files.get(file)?.id ?? '';
    return [
      {
        ...known,
        ...{ path, id: path.join('.'), line: undefined, inputs, isWholeFile: true },
        side: { state: 'unreadable', why, hint },
      },
    ];
  };
  try {
    const text = await readText(tree, file);
    if (text === undefined) return [];
    if (isVariablesFile(file)) return findVariable(text, file, pattern, tree, tagSuffix);
    const { variables, inputs } = await readBeside(tree, file, text);
    const places = findPlaces(text, { file, path: pattern.path }, { variables });
    return await Promise.all(
      places.map(async ({ path, id, line, isEmpty, repository }): Promise<FoundPin> => {
        const chart = isEmpty ? await readChart(tree, file, path) : undefined;
        return {
          ...known,
          ...{ path, id, line, isOther: isOther(pattern, repository) },
          inputs: `${inputs}\0${chart?.id ?? ''}`,
          side: sideOf({ file, path }, () =>
            readPin(text, { file, path }, { tagSuffix, giveFrom, variables, appVersion: chart?.appVersion }),
          ),
        };
      }),
    );
  } catch (error) {
    if (!(error instanceof LightspanError) || error.code !== 'invalid-pin') throw error;
    return unreadable(withoutName(error.message, { file, path: pattern.path }), error.hint);
  }
}

/** The pin as the side that it is. */
function sideOf(location: PinLocation, read: () => PinnedRelease): PinSide {
  try {
    const { version, digest, registry, repository } = read();
    return { state: 'pinned', release: { version, digest, registry, repository } };
  } catch (error) {
    if (!(error instanceof LightspanError) || error.code !== 'invalid-pin') throw error;
    return { state: 'unreadable', why: withoutName(error.message, location), hint: error.hint };
  }
}

function withoutName(message: string, location: PinLocation): string {
  const name = `${nameOfPin(location)}: `;
  return message.startsWith(name) ? message.slice(name.length) : message;
}

/** @returns undefined where the side has no such file */
async function readText(tree: PinTree, file: string): Promise<string | undefined> {
  const entry = tree.files.get(file);
  if (entry === undefined) return undefined;
  const refuse = (what: string, hint: string) =>
    new LightspanError('invalid-pin', `${file} ${what}`, { hint });
  if (entry.kind === 'link') throw refuse('is a link', 'Name the file that it leads to.');
  if (entry.kind === 'submodule') throw refuse('is a submodule', 'Run this in the repository that it is.');
  if (entry.kind === 'unmerged') throw refuse('is not merged', 'Resolve the conflict, and stage the file.');
  const bytes = await tree.read(entry);
  if (bytes.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`, giveFrom);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('is not UTF-8 text', giveFrom);
  }
}

/** What docker compose reads beside a compose file. */
async function readBeside(
  tree: PinTree,
  file: string,
  text: string,
): Promise<{ readonly variables: Variables; readonly inputs: string }> {
  const own = tree.files.get(file)?.id ?? '';
  const beside = `${folderOf(file)}.env`;
  const entry = text.includes('$') ? tree.files.get(beside) : undefined;
  if (entry === undefined) return { variables: new Map(), inputs: own };
  return {
    variables: readVariables((await readText(tree, beside)) ?? ''),
    inputs: `${own}\0${entry.id}`,
  };
}

/**
 * The release that a chart deploys where the tag in its values is empty: `image.tag` of the chart in whose folder the
 * values are, or `<name>.image.tag` of the chart that stands unpacked under `charts/<name>` there.
 */
async function readChart(
  tree: PinTree,
  file: string,
  path: readonly string[],
): Promise<{ readonly id: string; readonly appVersion: string | undefined } | undefined> {
  const [first = '', ...rest] = path;
  const folder = folderOf(file);
  const chart =
    path.join('.') === 'image.tag'
      ? `${folder}Chart.yaml`
      : rest.join('.') === 'image.tag'
        ? `${folder}charts/${first}/Chart.yaml`
        : undefined;
  const entry = chart === undefined ? undefined : tree.files.get(chart);
  if (chart === undefined || entry === undefined) return undefined;
  const reading = readYaml((await readText(tree, chart)) ?? '');
  const appVersion = reading.ok && isRecord(reading.value) ? reading.value.appVersion : undefined;
  return { id: entry.id, appVersion: typeof appVersion === 'string' ? appVersion : undefined };
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

function findVariable(
  text: string,
  file: string,
  pattern: PinPattern,
  tree: PinTree,
  tagSuffix = '',
): readonly FoundPin[] {
  const name = pattern.path.join('.');
  const [line, second] = linesThatSet(name, text);
  if (line === undefined) return [];
  const value = readVariables(text).get(name);
  const refuse = (what: string) => new LightspanError('invalid-pin', what, { hint: giveFrom });
  return [
    {
      ...{ pattern, file, path: pattern.path, id: name, line, isOther: false, isWholeFile: false },
      inputs: tree.files.get(file)?.id ?? '',
      side: sideOf({ file, path: pattern.path }, () => {
        if (second !== undefined) throw refuse(`it is set twice, in line ${line} and in line ${second}`);
        if (typeof value !== 'string') throw refuse('its value is more than one plain word');
        const { tag = '', digest, registry, repository } = parseTagOrReference(value);
        if (!tag.endsWith(tagSuffix))
          throw refuse(`the tag ${JSON.stringify(tag)} does not end in ${tagSuffix}`);
        try {
          const version = parseTag(tag.slice(0, tag.length - tagSuffix.length));
          return { version, digest, registry, repository };
        } catch (error) {
          if (!(error instanceof ReleaseSafetyError)) throw error;
          throw refuse(error.message);
        }
      }),
    },
  ];
}

/** A place that a path leads to. */
interface Place {
  readonly path: readonly string[];
  readonly id: string;
  readonly line: number | undefined;
  /** Nothing, or an empty text, stands there. */
  readonly isEmpty: boolean;
  /** Undefined where it cannot be told. */
  readonly repository: string | undefined;
}

/** Every place of a file that a path leads to, its stars filled in. */
function findPlaces(
  text: string,
  location: { readonly file: string; readonly path: readonly string[] },
  filledIn: FilledIn,
): readonly Place[] {
  const places: Place[] = [];
  for (const { document, images, lineOf } of readPinDocuments(text, location, filledIn)) {
    const visit = (node: unknown, parent: unknown, path: readonly string[], id: string): void => {
      const [key, ...rest] = location.path.slice(path.length);
      // What an alias leads to is left to the reader of the pin, which refuses it.
      if (key === undefined || isAlias(node)) {
        const value = isScalar(node) ? node.value : undefined;
        const isEmpty = isScalar(node) && (value === null || value === '');
        const offset = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : 0;
        places.push({
          path: key === undefined ? path : [...path, key, ...rest],
          id,
          line: lineOf(offset ?? 0),
          isEmpty,
          repository:
            typeof value === 'string' && !/\$|\{\{/.test(value)
              ? images.imageOf(value, parent, path.at(-1) ?? '').repository
              : undefined,
        });
        return;
      }
      const step = (name: string, value: unknown, shown = id === '' ? name : `.${name}`) =>
        visit(value, node, [...path, name], `${id}${shown}`);
      if (isMap(node)) {
        for (const pair of node.items) {
          const name = keyOfPair(pair);
          if (name === undefined || !(key === '*' || key === name)) continue;
          if (pair.value !== null && pair.value !== undefined) step(name, pair.value);
        }
      } else if (isSeq(node)) {
        const names = key === '*' ? namesOfItems(node) : undefined;
        for (const [i, item] of node.items.entries()) {
          if (key === '*' || key === String(i)) step(String(i), item, names && `[${names[i]}]`);
        }
      }
    };
    visit(document.contents, undefined, [], '');
  }
  return places;
}

/** What tells the items of a list apart in any order, such as `images` of kustomize; undefined where nothing does. */
function namesOfItems({ items }: YAMLSeq): readonly string[] | undefined {
  const names = items.map((item) => (isMap(item) ? item.get('name') : undefined));
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === items.length && new Set(texts).size === texts.length ? texts : undefined;
}

/** A star leads to the images of all programs; the name of Lightdash's, which mirrors keep, tells it from the others. */
function isOther({ path }: PinPattern, repository: string | undefined): boolean {
  if (!path.includes('*') || repository === undefined) return false;
  return !/(^|\/)lightdash$/.test(parseImageReference(repository).repository ?? '');
}
