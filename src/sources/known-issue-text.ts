import {
  faultsOfKnownIssues,
  type KnownIssue,
  parseKnownIssues,
  type RecordFault,
} from '../known-issues/records.js';
import type { Position } from '../merge-query/merge-check.js';
import { readYaml } from './yaml.js';

/** The content of a text: a record or a set of them, or every reason why it cannot be trusted, with its place. */
export type KnownIssueReading =
  | { readonly ok: true; readonly records: readonly KnownIssue[] }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

/** The path is empty if the text is neither YAML nor JSON. */
export type PlacedFault = RecordFault & Position;

/**
 * Reads known issues, in YAML 1.2 or JSON.
 *
 * @param now the time until which they may have been modified
 */
export function readKnownIssueText(text: string, now: Date): KnownIssueReading {
  const reading = readYaml(text);
  if (!reading.ok) {
    return {
      ok: false,
      faults: reading.faults.map(({ line, column, message }) => ({ line, column, path: [], fault: message })),
    };
  }
  const faults = faultsOfKnownIssues(reading.value, now);
  if (faults.length === 0) return { ok: true, records: parseKnownIssues(reading.value) };
  return {
    ok: false,
    faults: faults
      .map((fault) => ({ ...fault, ...reading.positionOf(fault.path, 'key') }))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}
