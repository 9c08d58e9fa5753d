import { LightspanError } from '../../errors.js';
import { isRecord } from '../../shared/is-record.js';
import { findDuplicateKey } from '../../shared/json-scan.js';
import { type MergedOver, readYaml } from '../yaml.js';

/** Five times a namespace of a busy cluster, as YAML. */
const maxLength = 16 * 1024 * 1024;

/** One document of a text, and the line, from 1, at which it begins. */
export interface TextDocument {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: number;
}

/**
 * The documents of a text as kubectl and Helm print it: YAML or JSON, between lines of `---`. Documents with nothing but
 * comments are skipped.
 *
 * @param name of the text, for messages
 * @throws {LightspanError} `invalid-manifest`
 */
export function readDocuments(text: string, name: string): readonly TextDocument[] {
  // A line that begins with `---` begins a document anywhere, even within a multi-line text (YAML 1.2, 9.1.2).
  const parts = text.replace(/^\uFEFF/, '').split(/^(?=---(?:\s|$))/m);
  let line = 1;
  return parts.flatMap((part) => {
    const first = line;
    line += part.split('\n').length - 1;
    const json = readJson(part, name);
    const value = json === undefined ? readDeployedYaml(part, name, first).value : json;
    if (value === null) return [];
    if (!isRecord(value)) throw manifestFault(`${name}: what begins in line ${first} is not an object`);
    return [{ value, line: first }];
  });
}

/** What a cluster prints of its objects is some megabytes, which takes seconds as YAML. Undefined if it is not JSON. */
function readJson(text: string, name: string): unknown {
  const json = text.replace(/^---\s/, '').trim();
  if (!json.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(json);
    if (findDuplicateKey(json) === undefined) return value;
  } catch {
    return undefined;
  }
  throw manifestFault(`${name}: a key appears twice in one object`);
}

/**
 * What one document says to Helm and kubectl. A value that they could take from different places is in it as
 * `MergedOver` if it `mayBeMerged`.
 *
 * @param line at which the document begins
 * @throws {LightspanError} `invalid-manifest`
 */
export function readDeployedYaml(text: string, name: string, line: number, mayBeMerged = false) {
  const reading = readYaml(text, { maxLength, deployedFrom: name });
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault && ` in line ${line + fault.line - 1}: ${withoutQuotes(fault.message)}`;
    throw manifestFault(
      `${name} is not valid YAML or JSON${at ?? ''}`,
      text.includes('{{') ? 'It looks like a template; give what helm template makes of it.' : undefined,
    );
  }
  const [over] = reading.mergedOver;
  if (over !== undefined && !mayBeMerged) {
    throw mergedOverFault({ file: name, line: line + over.line - 1 });
  }
  return reading;
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
function withoutQuotes(message: string): string {
  return message
    .replace(/".*"/s, '...')
    .replace(/[&*!]\S+/g, '...')
    .replace(/\s*\n[\s\S]*$/, '');
}
