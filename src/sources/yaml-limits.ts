import { type Document, isScalar, Lexer, Parser, visit } from 'yaml';

/** How much of a text is read. */
export interface YamlLimits {
  readonly maxNesting: number;
  /** Characters. */
  readonly maxLength?: number;
  /** Keys, values, signs and line ends: the parser needs a second and 100 MiB for 100,000 of them. */
  readonly maxParts?: number;
}

/** A file of 10,000 lines has fewer parts. */
const usualLimits = { maxLength: 1024 * 1024, maxParts: 100_000 };

/**
 * Why a YAML or JSON text is larger than anyone writes, found before nodes are made of it. Making nodes takes seconds
 * for a text that was made to take long, overflows the stack on deep nesting, and cannot be interrupted. The parser's
 * own first steps are used for this, because they know a bracket in a text from one that opens a list.
 *
 * @returns undefined if it can be read
 */
export function yamlExcess(
  text: string,
  { maxNesting, maxLength = usualLimits.maxLength, maxParts = usualLimits.maxParts }: YamlLimits,
): string | undefined {
  if (text.length > maxLength) return `it is longer than ${maxLength} characters`;
  const parser = new Parser();
  let parts = 0;
  for (const part of new Lexer().lex(text)) {
    parts += 1;
    if (parts > maxParts) return `it has more than ${maxParts} parts (keys, values, signs and line ends)`;
    // Its tokens do not matter here, only the state of the parser between them.
    for (const _ of parser.next(part));
    if (parser.stack.length > maxNesting && levelsOf(parser) > maxNesting) {
      return `it nests deeper than ${maxNesting} levels`;
    }
  }
  return undefined;
}

const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function levelsOf({ stack }: Parser): number {
  return stack.filter(({ type }) => collections.has(type)).length;
}

/**
 * The first key that occurs twice in one map of a document, as the parser's own check would report it: that one
 * compares each key with all before it, which takes 10 s for 20,000 keys.
 */
export function findRepeatedKey(
  document: Document.Parsed,
): { readonly message: string; readonly pos: readonly [start: number, end: number] } | undefined {
  let start: number | undefined;
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          start = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return start === undefined ? undefined : { message: 'Map keys must be unique', pos: [start, start] };
}
