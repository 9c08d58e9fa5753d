import { isRecord } from '../../shared/is-record.js';
import { MergedOver, readYaml } from '../yaml-text.js';
import { manifestFault, withoutQuotes } from './manifest-fault.js';

export type Values = Readonly<Record<string, unknown>>;

/** A values file, and its name in messages. */
export interface ValuesText {
  readonly name: string;
  readonly text: string;
}

/** Larger than a copy of all defaults of an umbrella chart. */
const limits = { maxNesting: 100, maxLength: 4 * 1024 * 1024, maxParts: 200_000 };

/**
 * Merges values files as Helm does: maps key by key; for everything else, the later file wins.
 *
 * @throws {LightspanError} `invalid-manifest`
 */
export function joinValues(files: readonly ValuesText[]): Values {
  return files.map(readValues).reduce(merge, {});
}

function readValues({ name, text }: ValuesText): Values {
  const reading = readYaml(text.replace(/^\uFEFF/, ''), { ...limits, deployedFrom: name });
  if (!reading.ok) {
    const [fault] = reading.faults;
    const at = fault === undefined ? '' : ` in line ${fault.line}: ${withoutQuotes(fault.message)}`;
    throw manifestFault(`${name} is not valid YAML or JSON${at}`, 'Give values as helm takes them with -f.');
  }
  if (reading.value === null) return {};
  if (!isRecord(reading.value)) throw manifestFault(`${name} is not a map of values`);
  if ('kind' in reading.value && 'apiVersion' in reading.value) {
    throw manifestFault(`${name} is a Kubernetes object, not values`, 'Give it with --manifests.');
  }
  return reading.value;
}

/** A null in a later file removes what an earlier one set, and the default of the chart too. */
function merge(before: Values, later: Values): Values {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(later)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!isRecord(old) || !isRecord(value) || value instanceof MergedOver) merged[key] = value;
    else merged[key] = old instanceof MergedOver ? old : merge(old, value);
  }
  return merged;
}
