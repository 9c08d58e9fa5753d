import fc from 'fast-check';
import semver from 'semver';
import { parseDocument } from 'yaml';
import type { FactsFile } from '../../src/instance/facts/facts-schema.js';
import { testNow } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import { indexOf, type LooseIndex } from '../support/real-index.js';
import { byteFault, type Fault, jsonFault } from './mutations.js';

const row = (minor: number, more: Record<string, unknown> = {}) => ({
  version: `1.${minor}.0`,
  minPreviousVersion: '1.1.0',
  releaseDate: `2026-09-0${minor}T12:00:00Z`,
  ...more,
});

/** Small indexes: the span 1.1.0 -> 1.4.0 is safe in one of them, and not in the others, each for one reason. */
const indexes = {
  safe: indexOf(row(1), row(2), row(3), row(4), row(5)),
  false: indexOf(row(1), row(2), row(3, { rollingUpdateSafe: false }), row(4), row(5)),
  unknown: indexOf(row(1), row(2), row(3), row(4, { rollingUpdateSafe: 'unknown' }), row(5)),
  stop: indexOf(row(1), row(2, { requiredStops: ['1.2.0'] }), row(3), row(4), row(5)),
  minimum: indexOf(row(1), row(2), row(3, { minPreviousVersion: '1.2.0' }), row(4), row(5)),
  gap: indexOf(row(1), row(2), row(4, { previousVersion: '1.3.0' }), row(5)),
} satisfies Record<string, LooseIndex>;

export type IndexName = keyof typeof indexes;

export const indexNames = Object.keys(indexes) as readonly IndexName[];

/** The bytes of one of the indexes, on one line or as it is published. */
export function bytesOfIndex(name: IndexName, { pretty = true } = {}): Buffer {
  return Buffer.from(JSON.stringify(indexes[name], null, pretty ? 2 : undefined));
}

/** What an index says of a release, and its artifact too. */
interface Release {
  readonly version: string;
  readonly previousVersion: string | null;
  readonly rollingUpdateSafe: boolean | 'unknown';
  readonly requiredStops: readonly string[];
  readonly minPreviousVersion: string | null;
}

/** The releases of one of the indexes that the question below is about. */
export function releasesOfSpan(name: IndexName): Release[] {
  const { entries }: { entries: Release[] } = JSON.parse(bytesOfIndex(name).toString());
  return entries.filter(({ version }) => !['1.1.0', '1.5.0'].includes(version));
}

/** The question that is put to every index of the campaign. A damaged index may end elsewhere: `--to latest` goes there. */
export const checkOf = (source: string, ...options: string[]) => [
  ...['upgrade-check', '--json', '--from', '1.1.0', '--to', '1.4.0', '--index', source],
  ...options,
];

/**
 * Whether the text, read as a person would, proves the span: JSON with no key twice in any object (asked of a YAML
 * parser, since JSON.parse cannot tell), every deciding field of every entry of the documented type, no version twice,
 * and safe by the naive evaluator.
 *
 * @param to a version, or `latest`
 */
export function safeInTruth(bytes: Buffer, to = '1.4.0'): boolean {
  const text = bytes.toString('utf8');
  try {
    const json: LooseIndex = JSON.parse(text);
    if (parseDocument(text, { uniqueKeys: true }).errors.length > 0) return false;
    if (json.schemaVersion !== '1') return false;
    const versions = json.entries.map((e) => e.version);
    if (new Set(versions).size !== versions.length) return false;
    const isVersion = (v: unknown) => typeof v === 'string' && /^\d+\.\d+\.\d+$/.test(v);
    const wellTyped = json.entries.every(
      ({ version, rollingUpdateSafe, requiredStops, minPreviousVersion }) =>
        isVersion(version) &&
        (rollingUpdateSafe === true || rollingUpdateSafe === false || rollingUpdateSafe === 'unknown') &&
        Array.isArray(requiredStops) &&
        requiredStops.every(isVersion) &&
        (minPreviousVersion === null || isVersion(minPreviousVersion)),
    );
    if (!wellTyped) return false;
    const [newest = ''] = semver.rsort(['1.1.0', ...json.entries.map((e) => String(e.version))]);
    return evaluateNaively(json, '1.1.0', to === 'latest' ? newest : to).safe;
  } catch {
    return false;
  }
}

/**
 * Whether the text, read as a person would, is the artifact of the release and says of it what the index says: JSON
 * with no key twice in any object, and every deciding field the same.
 */
export function bearsOutInTruth(bytes: Buffer | undefined, release: Release): boolean {
  const text = bytes?.toString('utf8') ?? '';
  try {
    const { schemaVersion, version, previousVersion, compatibility, upgrade, ...declared } = JSON.parse(text);
    const { declaredBreaks = [], declaredAdvisories = [] } = declared;
    if (parseDocument(text, { uniqueKeys: true }).errors.length > 0) return false;
    return (
      schemaVersion === '2' &&
      version === release.version &&
      previousVersion === release.previousVersion &&
      compatibility.rollingUpdateSafe === release.rollingUpdateSafe &&
      declaredBreaks.every((one: { requiredStop?: unknown }) => one.requiredStop !== true) &&
      declaredAdvisories.every((one: { requiredStop?: unknown }) => one.requiredStop === false) &&
      upgrade.minPreviousVersion === release.minPreviousVersion &&
      JSON.stringify(upgrade.requiredStops) === JSON.stringify(release.requiredStops)
    );
  } catch {
    return false;
  }
}

const isFactsFile = validatorOf('facts.json');

/** A facts file, read as a person would: by its schema, no key twice, and with times that can be; undefined if it is none. */
export function readSoundly(bytes: Buffer): FactsFile | undefined {
  const text = bytes.toString('utf8');
  try {
    const json: unknown = JSON.parse(text);
    if (!isFactsFile(json) || parseDocument(text, { uniqueKeys: true }).errors.length > 0) return undefined;
    const file = json as FactsFile;
    return timesInTruth(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a facts file tells of no time to come, and gives each heartbeat the age that it has. */
function timesInTruth({ collectedAt, facts }: FactsFile): boolean {
  const { lease } = facts;
  const dates = Object.values(facts).flatMap((fact) => (fact?.status === 'seen' ? [fact.seenAt] : []));
  const known = [collectedAt, ...dates].every((date) => Date.parse(date) <= testNow.getTime() + 5 * 60_000);
  if (!known || lease?.status !== 'seen') return known;
  return lease.value.every(({ lastHeartbeat: last, heartbeatAgeSeconds: age }) => {
    if (last === null || age === null) return last === age;
    const elapsed = (Date.parse(lease.seenAt) - Date.parse(last)) / 1000;
    return Math.abs(Math.max(elapsed, 0) - age) <= 10;
  });
}

/** A fault of a document: of its bytes, or of its structure. */
export const documentFault: fc.Arbitrary<Fault<Buffer>> = fc.oneof(
  byteFault,
  jsonFault.map(({ kind, apply }) => ({
    kind,
    apply: (bytes: Buffer) => Buffer.from(apply(bytes.toString('utf8'))),
  })),
);
