import type { IndexEntry } from './index-schema.js';
import * as patterns from './kinds.js';
import { indexOfEntries, mostEntries, type ReleaseSafetyIndex } from './release-safety-index.js';
import type { Version } from './version.js';

/**
 * Reads the text of an index in the publisher's exact form: the documented fields and no other, each once, in the
 * documented order. One expression per entry finds, checks and captures it, in half the time of parsing the JSON and
 * checking it afterwards.
 *
 * @returns undefined for any other text, whether an index or not: `parseOtherForm` judges that
 * @throws {ReleaseSafetyError} `invalid-index` for two entries of one version
 */
export function readPublishedForm(text: string): ReleaseSafetyIndex | undefined {
  const start = captures<HeadFields>(head, text);
  if (start === null) return undefined;
  const [matched, generatedAt, backfillFloorVersion = null] = start;
  const entries: IndexEntry[] = [];
  entry.lastIndex = matched.length;
  for (;;) {
    const fields = captures<EntryFields>(entry, text);
    const requiredStops = fields === null ? undefined : readStops(fields[6]);
    if (fields === null || requiredStops === undefined) return undefined;
    // One by one: destructuring them as a list takes longer than finding them.
    entries.push({
      version: fields[1],
      previousVersion: fields[2] ?? null,
      releaseDate: fields[3],
      rollingUpdateSafe: fields[4] !== undefined ? true : fields[5] !== undefined ? false : 'unknown',
      requiredStops,
      minPreviousVersion: fields[7] ?? null,
      backfilled: fields[8] !== undefined,
      syntheticRequiredStop: fields[9] !== undefined,
    });
    if (fields[10] !== undefined) break;
  }
  tail.lastIndex = entry.lastIndex;
  if (!tail.test(text) || entries.length > mostEntries) return undefined;
  return indexOfEntries({ generatedAt, backfillFloorVersion }, entries);
}

/** What the pattern matched as a version is typed as one. */
function captures<Fields>(pattern: RegExp, text: string): Fields | null {
  return pattern.exec(text) as Fields | null;
}

/** The text between the brackets: nothing, or versions in quotes, separated by commas. */
function readStops(list: string): Version[] | undefined {
  if (list === '' || onlySpace.test(list)) return [];
  // One pattern for the whole list would use stack for each version.
  return list.split(',').every((one) => stop.test(one))
    ? ((list.match(/[\d.]+/g) ?? []) as Version[])
    : undefined;
}

/** White space as JSON defines it, which is less than `\s`. */
const space = '[ \\t\\r\\n]*';
const key = (name: string) => `${space}"${name}"${space}:${space}`;
/** Turns a pattern of a whole string into one of a part of the text that captures all of it. */
const captured = ({ source }: RegExp) => `(${source.replace(/^\^|\$$/g, '').replace(/\((?!\?)/g, '(?:')})`;
const version = `"${captured(patterns.releaseVersion)}"`;
const versionOrNull = `(?:null|${version})`;
const dateTime = `"${captured(patterns.dateTime)}"`;
/** Empty groups show which of the two matched without making a string for it, of which there would be some 14,000. */
const boolean = '(?:true()|false)';

type HeadFields = readonly [all: string, generatedAt: string, backfillFloorVersion: Version | undefined];

const head = new RegExp(
  [
    `^${space}\\{${key('schemaVersion')}"1"${space}`,
    `${key('generatedAt')}${dateTime}${space}`,
    `${key('backfillFloorVersion')}${versionOrNull}${space}`,
    `${key('entries')}\\[`,
  ].join(','),
);

/** Undefined if the group did not take part in the match. */
type Mark = '' | undefined;

type EntryFields = readonly [
  all: string,
  version: Version,
  previousVersion: Version | undefined,
  releaseDate: string,
  safe: Mark,
  unsafe: Mark,
  requiredStops: string,
  minPreviousVersion: Version | undefined,
  backfilled: Mark,
  syntheticRequiredStop: Mark,
  last: Mark,
];

const entry = new RegExp(
  [
    `${space}\\{${key('version')}${version}${space}`,
    `${key('previousVersion')}${versionOrNull}${space}`,
    `${key('releaseDate')}${dateTime}${space}`,
    `${key('rollingUpdateSafe')}(?:true()|false()|"unknown")${space}`,
    `${key('requiredStops')}\\[([^\\]]*)\\]${space}`,
    `${key('minPreviousVersion')}${versionOrNull}${space}`,
    `${key('backfilled')}${boolean}${space}`,
    `${key('syntheticRequiredStop')}${boolean}${space}\\}${space}(?:,|\\]())`,
  ].join(','),
  'y',
);

const tail = new RegExp(`${space}\\}${space}$`, 'y');
const onlySpace = new RegExp(`^${space}$`);
const stop = new RegExp(`^${space}${version}${space}$`);
