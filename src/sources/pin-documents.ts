import { type Document, isMap, isScalar, LineCounter, type Pair, parseAllDocuments, visit } from 'yaml';
import { LightspanError } from '../errors.js';
import { type DocumentImages, findImages } from './image-places.js';
import { fillVariables, type Variables } from './variables.js';
import { findRepeatedKey, yamlExcess } from './yaml-limits.js';

/** Values that the file takes from elsewhere. */
export interface FilledIn {
  /** The variables that docker compose fills into a compose file: those of the `.env` file next to it. */
  readonly variables?: Variables | undefined;
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
  return ('empty' in documents ? [] : documents).map((document) => {
    const [fault = findRepeatedKey(document)] = document.errors;
    if (fault !== undefined) {
      const { line, col } = lineCounter.linePos(fault.pos[0]);
      throw new LightspanError(
        'invalid-pin',
        `${file} is not valid YAML or JSON: ${fault.message} at line ${line}, column ${col}`,
        text.includes('{{') ? { hint: 'It looks like a template; name the file that is made from it.' } : {},
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
