import { LightspanError } from '../../errors.js';
import { isRecord } from '../../shared/is-record.js';
import { findDuplicateKey, nestsTooDeep } from '../../shared/json-scan.js';
import { type MergedOver, readYaml } from '../yaml.js';

/** Five times a namespace of a busy cluster, as YAML. */
const limits = { maxLength: 16 * 1024 * 1024 };
const maxDocuments = 20_000;

/** One document of a text, and the line, from 1, at which it begins. */
export interface TextDocument {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: number;
}

/**
 * The documents of a text as kubectl and Helm print it: YAML between lines of `---`, JSON, several values of JSON one
 * after the other, or all of these in one text. Documents with nothing but comments are skipped.
 *
 * @param name of the text, for messages
 * @throws {LightspanError} `invalid-manifest`
 */
export function readDocuments(text: string, name: string): readonly TextDocument[] {
  const documents: TextDocument[] = [];
  for (const part of splitDocuments(text)) {
    const values = readJsonValues(part.text, name) ?? [readYamlValue(part, name)];
    for (const value of values) {
      if (value === null) continue;
      if (!isRecord(value)) throw manifestFault(`${name}: what begins in line ${part.line} is not an object`);
      documents.push({ value, line: part.line });
      if (documents.length > maxDocuments)
        throw manifestFault(`${name}: it has more than ${maxDocuments} documents`);
    }
  }
  return documents;
}

interface Part {
  readonly text: string;
  readonly line: number;
}

/** A line that begins with `---` begins a document anywhere, even within a multi-line text (YAML 1.2, 9.1.2). */
function splitDocuments(text: string): readonly Part[] {
  const plain = text.replace(/^\uFEFF/, '');
  const starts = [
    0,
    ...[...plain.matchAll(/^---(?=\s|$)/gm)].map(({ index }) => index).filter((at) => at > 0),
  ];
  let line = 1;
  return starts.map((start, i) => {
    const part = { text: plain.slice(start, starts[i + 1]), line };
    line += part.text.split('\n').length - 1;
    return part;
  });
}

/** @returns undefined if the text is not JSON: it may be YAML */
export function readJsonValues(text: string, name: string): unknown[] | undefined {
  const json = text.replace(/^---\s/, '').trim();
  if (!json.startsWith('{')) return undefined;
  if (nestsTooDeep(json)) throw manifestFault(`${name}: it nests too deeply`);
  const values: unknown[] = [];
  for (const value of splitJson(json)) {
    try {
      values.push(JSON.parse(value));
    } catch {
      return undefined;
    }
    if (findDuplicateKey(value) !== undefined)
      throw manifestFault(`${name}: a key appears twice in one object`);
  }
  return values;
}

/** The JSON objects that follow one another; the last takes all that is left. */
function splitJson(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let open = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i];
    if (sign === '"') inString = !inString;
    else if (inString) {
      if (sign === '\\') i += 1;
    } else if (sign === '{') open += 1;
    else if (sign === '}') {
      open -= 1;
      if (open > 0) continue;
      parts.push(text.slice(start, i + 1));
      start = i + 1;
    }
  }
  const rest = text.slice(start);
  return rest.trim() === '' ? parts : [...parts, rest];
}

function readYamlValue({ text, line }: Part, name: string): unknown {
  const reading = readYaml(text, { ...limits, deployedFrom: name });
  if (reading.ok) {
    const [over] = reading.mergedOver;
    if (over !== undefined) throw mergedOverFault({ file: name, line: line + over.line - 1 });
    return reading.value;
  }
  const [fault] = reading.faults;
  const at = fault === undefined ? '' : ` in line ${line + fault.line - 1}: ${withoutQuotes(fault.message)}`;
  throw manifestFault(
    `${name} is not valid YAML or JSON${at}`,
    text.includes('{{') ? 'It looks like a template; give what helm template makes of it.' : undefined,
  );
}

/**
 * The error for manifests or values that cannot be read completely. It quotes nothing but names, because a broken part
 * may be a secret.
 */
export function manifestFault(message: string, hint?: string): LightspanError {
  return new LightspanError('invalid-manifest', message, hint === undefined ? {} : { hint });
}

/** The error for a value that the readers of a file take from different places. */
export function mergedOverFault({ file, line }: Pick<MergedOver, 'file' | 'line'>): LightspanError {
  return manifestFault(
    `${file}:${line}: a merge key (<<) brings this key too, and programs differ in which of the two they take`,
    'Write the key in one place only.',
  );
}

/** The message of a parser, without its quotes from the text. */
export function withoutQuotes(message: string): string {
  return message
    .replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
}
