import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from 'yaml';
import { LightspanError } from '../errors.js';
import { type DocumentImages, findImages } from './image-places.js';
import { fillVariables, type Variables } from './variables.js';
import { findDoubtfulBreak } from './yaml-breaks.js';
import { findDoubtfulKey, yamlExcess } from './yaml-limits.js';

/** Values that the file takes from elsewhere. */
export interface FilledIn {
  /** The variables that docker compose fills into a compose file: those of the `.env` file next to it. */
  readonly variables?: Variables | undefined;
  /** Why those variables are not known. */
  readonly variablesFault?: string | undefined;
  /** The release that an empty tag stands for: the `appVersion` of the chart. */
  readonly appVersion?: string | undefined;
}

/** One document of a file that pins an image. */
export interface PinDocument {
  readonly document: Document.Parsed;
  readonly images: DocumentImages;
  /** The line, from 1, of an offset in the text. */
  readonly lineOf: (offset: number) => number;
}

/** Far more than people write, and less than what overflows the parser's stack. */
const maxNesting = 300;

/**
 * The documents of a YAML or JSON file, and the images that each names.
 *
 * @param path of the pin, whose tag may be empty
 * @throws {LightspanError} `invalid-pin`, naming the file
 */
export function readPinDocuments(
  text: string,
  { file, path }: { readonly file: string; readonly path: readonly string[] },
  { variables, appVersion }: FilledIn = {},
): readonly PinDocument[] {
  const excess = yamlExcess(text, { maxNesting });
  if (excess !== undefined) {
    throw new LightspanError('invalid-pin', `${file}: ${excess}`, {
      hint: 'Name a file that contains the pin and little else.',
    });
  }
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {
    logLevel: 'silent',
    // The parser's own check compares each key with all before it.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  });
  const lineOf = (offset: number) => lineCounter.linePos(offset).line;
  const refuse = (what: string, offset: number, hint?: string) => {
    const { line, col } = lineCounter.linePos(offset);
    return new LightspanError(
      'invalid-pin',
      `${file} ${what} at line ${line}, column ${col}`,
      hint === undefined ? {} : { hint },
    );
  };
  const doubtful = findDoubtfulBreak(text);
  if (doubtful !== undefined) {
    throw refuse(
      `is read differently by different programs: ${doubtful.message},`,
      doubtful.offset,
      'Replace it by a plain line break, or put it in quotes.',
    );
  }
  return ('empty' in documents ? [] : documents).map((document) => {
    const [fault = findDoubtfulKey(document)] = document.errors;
    if (fault !== undefined) {
      throw refuse(
        `is not valid YAML or JSON: ${fault.message}`,
        fault.pos[0],
        text.includes('{{') ? 'It looks like a template; name the file that is made from it.' : undefined,
      );
    }
    if (variables !== undefined && isComposeFile(document)) fillScalars(document, variables);
    const tag = appVersion === undefined ? undefined : document.getIn(path, true);
    if (isScalar(tag) && (tag.value === null || tag.value === '')) tag.value = appVersion;
    const images = findImages(document);
    if (images.brokenAlias !== undefined) {
      throw new LightspanError(
        'invalid-pin',
        `${file} is not valid YAML: nothing before its alias is named &${images.brokenAlias}`,
      );
    }
    return { document, images, lineOf };
  });
}

export function keyOfPair({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

/**
 * The keys that merge keys (`<<`) bring into a map, by name, also those that the map has itself. Among several maps, the
 * first gives the value.
 */
export function mergedInto(
  map: YAMLMap,
  document: Document,
  seen = new Set<unknown>(),
): ReadonlyMap<string, unknown> {
  const brought = new Map<string, unknown>();
  if (seen.has(map)) return brought;
  seen.add(map);
  const merges = map.items.filter((pair) => keyOfPair(pair) === '<<').map(({ value }) => value);
  for (const merge of merges.flatMap((value) => (isSeq(value) ? value.items : [value]))) {
    const from = isAlias(merge) ? merge.resolve(document) : merge;
    if (!isMap(from)) continue;
    const items = from.items.map((pair) => [keyOfPair(pair), pair.value] as const);
    for (const [name, value] of [...items, ...mergedInto(from, document, seen)]) {
      if (name !== undefined && name !== '<<' && !brought.has(name)) brought.set(name, value);
    }
  }
  return brought;
}

function isComposeFile({ contents }: Document.Parsed): boolean {
  return isMap(contents) && contents.items.some((pair) => keyOfPair(pair) === 'services');
}

/**
 * Fills in each variable with a known value. A value that is not known stays as it is written, and is refused if it is
 * a pin.
 */
function fillScalars(document: Document.Parsed, variables: Variables): void {
  visit(document, {
    Scalar: (key, scalar) => {
      if (key === 'key' || typeof scalar.value !== 'string' || !scalar.value.includes('$')) return;
      scalar.value = fillVariables(scalar.value, variables) ?? scalar.value;
    },
  });
}
