import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Scalar } from 'yaml';
import { LightspanError } from '../errors.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { parseVersion } from '../release-safety/version.js';
import { nestsDeeperThan } from './yaml-nesting.js';

/** Where a version is pinned: a file, and the path of the value in it. */
export interface PinLocation {
  readonly file: string;
  readonly path: readonly string[];
}

/** A pinned version, and the very place where it stands. */
export interface Pin {
  /** The release, without `v` and suffix. */
  readonly version: string;
  /** The value as it reads, such as `1.214.0` or `lightdash/lightdash:1.214.0-custom`. */
  readonly value: string;
  /** Where in `value` the version begins and ends, a leading `v` included. */
  readonly versionRange: readonly [start: number, end: number];
  /** The scalar in `document`, whose `range` is its place in the text. */
  readonly scalar: Scalar;
  readonly document: Document.Parsed;
}

/**
 * Reads `<file>#<path.to.value>`.
 *
 * @throws {LightspanError} `usage`
 */
export function parsePinLocation(text: string): PinLocation {
  const hash = text.lastIndexOf('#');
  const file = text.slice(0, hash);
  const path = text.slice(hash + 1).split('.');
  if (hash < 1 || path.includes('')) {
    throw new LightspanError('usage', `${JSON.stringify(text)} does not name a value in a file`, {
      hint: 'Write the file and the path of the value in it, for example values.yaml#image.tag.',
    });
  }
  return { file, path };
}

/**
 * Finds the release that a YAML or JSON file pins: a tag, or an image with its tag. What is not one exact release,
 * readable in the file itself, is refused.
 *
 * @param text of the file
 * @param tagSuffix what the tag has behind the version, such as `-custom`
 * @param giveFrom what to do where the file cannot tell
 * @throws {LightspanError} `invalid-pin`, naming file and path
 */
export function readPin(
  text: string,
  { file, path }: PinLocation,
  tagSuffix = '',
  giveFrom = 'Give the version that runs with --from instead.',
): Pin {
  const name = `${file}#${path.join('.')}`;
  const refuse = (what: string, hint: string) =>
    new LightspanError('invalid-pin', `${name}: ${what}`, { hint });

  const { node, document } = findNode(text, { file, path }, refuse);
  if (isAlias(node)) {
    throw refuse(
      `it is an alias of the anchor "${node.source}"`,
      'Name the path of the value that the anchor marks.',
    );
  }
  if (isMap(node) && text.slice(node.range?.[0]).startsWith('{{')) throw refuse(template, giveFrom);
  if (!isScalar(node)) {
    throw refuse('it is a collection, not a tag', 'Name the path down to the tag, for example image.tag.');
  }
  const { value } = node;
  if (value === null || value === '') throw refuse('it is empty', giveFrom);
  if (typeof value !== 'string') {
    throw refuse(
      `it is no text: YAML reads ${node.source ?? 'it'} as ${JSON.stringify(value)}`,
      'Put the tag in quotes, so that YAML leaves it as it is.',
    );
  }
  if (value.includes('{{')) throw refuse(template, giveFrom);
  if (value.includes('$')) {
    throw refuse(`${JSON.stringify(value)} is filled in from the environment`, giveFrom);
  }
  if (value.includes('@')) {
    throw refuse(`${JSON.stringify(value)} pins a digest, which does not tell the release`, giveFrom);
  }
  const slash = value.lastIndexOf('/');
  const colon = value.indexOf(':', slash + 1);
  if (slash !== -1 && colon === -1) {
    throw refuse(`${JSON.stringify(value)} has no tag, and so means latest`, giveFrom);
  }
  const start = colon + 1;
  const tag = value.slice(start);
  if (tag === 'latest') throw refuse('"latest" does not tell the release', giveFrom);
  if (!tag.endsWith(tagSuffix)) {
    throw refuse(`the tag ${JSON.stringify(tag)} does not end in ${JSON.stringify(tagSuffix)}`, suffixHint);
  }
  const end = value.length - tagSuffix.length;
  try {
    const version = parseVersion(value.slice(start, end));
    return { version, value, versionRange: [start, end], scalar: node, document };
  } catch (error) {
    if (!(error instanceof ReleaseSafetyError)) throw error;
    throw refuse(error.message, /^v?\d+\.\d+\.\d+[-+]/.test(tag) ? suffixHint : giveFrom);
  }
}

const template = 'it is a template, which is filled in elsewhere';
const suffixHint = 'Where the tag has something behind the version, name that with --tag-suffix.';

/** Far more than people write, and fewer than the parser has stack for; unpaired brackets in strings count too. */
const maxNesting = 300;

type Refuse = (what: string, hint: string) => LightspanError;

/** The one value at the path, over all the documents of the file. */
function findNode(text: string, { file, path }: PinLocation, refuse: Refuse) {
  if (nestsDeeperThan(maxNesting, text)) {
    throw new LightspanError('invalid-pin', `${file} nests deeper than ${maxNesting} levels`);
  }
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const found = [];
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      const [line] = error.message.split('\n');
      throw new LightspanError(
        'invalid-pin',
        `${file} is no valid YAML or JSON: ${line}`,
        text.includes('{{') ? { hint: 'It looks like a template; name the file that it is made into.' } : {},
      );
    }
    const node = nodeAt(document, path, refuse);
    if (node !== undefined) found.push({ node, document });
  }
  const [only, second] = found;
  if (only === undefined)
    throw refuse('there is nothing at that path', 'Check the path, for example image.tag.');
  if (second !== undefined) {
    throw refuse('more than one document of the file has it', 'Keep the pin in a file of its own.');
  }
  return only;
}

function nodeAt(document: Document.Parsed, path: readonly string[], refuse: Refuse): unknown {
  let node: unknown = document.contents;
  for (const key of path) {
    if (isAlias(node)) {
      throw refuse(
        `the path leads through an alias of the anchor "${node.source}"`,
        'Name the path of the value that the anchor marks.',
      );
    }
    if (isMap(node)) node = node.items.find((pair) => keyOf(pair.key) === key)?.value ?? undefined;
    else if (isSeq(node)) node = /^\d+$/.test(key) ? node.items[Number(key)] : undefined;
    else return undefined;
  }
  return node;
}

function keyOf(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}
