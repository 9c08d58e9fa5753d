import { parseWith } from '../core/json/parse-with.js';
import { describeProblem } from '../core/json/schema-problem.js';
import { LightspanError } from '../core/lightspan-error.js';
import {
  decodeUtf8,
  hasErrorCode,
  largerThan,
  readFileAtMost,
  unreadable,
} from '../gather/files/read-file.js';
import { mostBytes } from '../gather/limits.js';
import { type InstanceStatus, type StatusState, statusStateSchema } from '../known-issues/instance-status.js';

/**
 * What the last run of `--since` saw; undefined before the first one.
 *
 * @throws {LightspanError} `invalid-json` for a file that no run wrote: comparing with it would report nothing, or
 *   everything again
 */
export async function readStatusState(file: string): Promise<InstanceStatus | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFileAtMost(file, mostBytes.small, () => largerThan(file, mostBytes.small));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw unreadable(`the state ${file}`, error);
  }
  const read = parseWith(statusStateSchema, parsed(decodeUtf8(bytes, `the state ${file}`)));
  if (read.ok) return read.value.instance;
  const [first] = read.problems;
  throw notAStatusState(file, first === undefined ? 'it does not match its schema' : describeProblem(first));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notAStatusState(file: string, why: string): LightspanError {
  return new LightspanError('invalid-json', `${file} is no state that --since has written: ${why}`, {
    hint: 'Name the file of the last run, or remove it: then this run is the first.',
  });
}

export function statusStateText(instance: InstanceStatus): string {
  const state: StatusState = { schemaVersion: '1', instance };
  return `${JSON.stringify(state, null, 2)}\n`;
}
