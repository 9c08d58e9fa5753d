import { checkMerge, type MergeCheck } from '../merge-query/merge-check.js';
import { withDoubles } from '../shared/exact-json.js';
import { isRecord } from '../shared/is-record.js';
import { readInputText } from './input-text.js';
import { readYaml } from './yaml-text.js';

export interface MergeFileRequest {
  /** A file, or `-` for standard input. */
  readonly source: string;
  readonly stdin: AsyncIterable<Uint8Array>;
}

export interface MergeFile {
  /** The file as messages name it. */
  readonly name: string;
  readonly check: MergeCheck;
  /** What the file says, its numbers as they are written, whether it is a merge request or not; undefined where it is neither YAML nor JSON. */
  readonly json: unknown;
}

/**
 * Reads and checks a merge file: a compose merge request in YAML 1.2 or JSON. A `$schema` key at its top, which tells
 * an editor how to complete it, is no part of the request.
 *
 * @throws {LightspanError} where it cannot be read, is too large or is no text
 */
export async function readMergeFile({ source, stdin }: MergeFileRequest): Promise<MergeFile> {
  const name = source === '-' ? 'standard input' : source;
  const reading = readYaml(await readInputText({ source, stdin, what: 'merge file' }));
  if (!reading.ok) {
    return { name, check: { status: 'no-merge-request', faults: reading.faults }, json: undefined };
  }
  const json = withoutSchemaKey(reading.value);
  return { name, check: checkMerge(withDoubles(json), reading.positionOf), json };
}

function withoutSchemaKey(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { $schema: _, ...request } = value;
  return request;
}
