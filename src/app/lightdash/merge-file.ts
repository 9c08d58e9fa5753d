import { withDoubles } from '../../core/json/exact-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { formatPath, type SchemaProblem } from '../../core/json/schema-problem.js';
import { nameOfInput } from '../../core/text/name-of-input.js';
import { type InputRequest, readInputText } from '../../gather/files/read-file.js';
import { readYaml } from '../../gather/files/yaml.js';
import { type CheckedFile, checkMerge, type Fault, type PositionOf } from '../../merge/merge-check.js';

export interface MergeFile extends CheckedFile {
  /** Its content, also if it is no merge request; undefined if JSON cannot express it. */
  readonly json: unknown;
}

/** A `$schema` key at its top level, which editors use for completion, is not part of the request. */
export async function readMergeFile({
  source,
  stdin,
}: Pick<InputRequest, 'source' | 'stdin'>): Promise<MergeFile> {
  const name = nameOfInput(source);
  const reading = readYaml(await readInputText({ source, stdin, what: 'merge file' }));
  if (!reading.ok) {
    const faults = reading.faults.map(({ path, line, column, message }) => ({ path, line, column, message }));
    return { name, check: { status: 'no-merge-request', faults, hasUnknownKeys: false }, json: undefined };
  }
  const json = withoutSchemaKey(reading.value);
  const faults = findNotFinite(json, reading.positionOf);
  if (faults.length > 0)
    return { name, check: { status: 'no-merge-request', faults, hasUnknownKeys: false }, json: undefined };
  return { name, check: checkMerge(withDoubles(json), reading.positionOf), json };
}

/** YAML has `.nan` and `.inf`, but JSON does not: it would turn them into null, which means something else. */
function findNotFinite(
  value: unknown,
  positionOf: PositionOf,
  path: SchemaProblem['path'] = [],
): readonly Fault[] {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const message = `expected a finite number, got ${value}`;
    return [{ path: formatPath(path), ...positionOf(path, 'value'), message }];
  }
  const inner: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isRecord(value) ? value : {});
  return inner.flatMap(([key, part]) => findNotFinite(part, positionOf, [...path, key]));
}

function withoutSchemaKey(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { $schema: _, ...request } = value;
  return request;
}
