import * as patterns from '../kinds.js';
import { compareVersions, type Version } from '../version.js';
import type { IndexEntry } from './index-schema.js';
import {
  indexOfReleases,
  isNonEmpty,
  mostEntries,
  type ReleaseSafetyIndex,
  type Releases,
} from './release-safety-index.js';

/**
 * Reads the text of an index in the publisher's exact form: the documented fields and no other, each once, in the
 * documented order, releases from old to new. One expression checks every byte of an entry, in a third of the time of
 * parsing the JSON and checking it afterwards. Only the entries that are asked for are parsed.
 *
 * @returns undefined for any other text, whether an index or not: `parseOtherForm` judges that
 */
export function readPublishedForm(text: string): ReleaseSafetyIndex | undefined {
  const start = head.exec(text);
  if (start === null) return undefined;
  const [matched, generatedAt = '', backfillFloorVersion] = start;
  const places = [matched.length];
  const versions: Version[] = [];
  let before: Version | undefined;
  entry.lastIndex = matched.length;
  do {
    const place = entry.lastIndex;
    if (!entry.test(text)) return undefined;
    const version = versionAt(text, place);
    if (before !== undefined && compareVersions(before, version) >= 0) return undefined;
    versions.push(version);
    places.push(entry.lastIndex);
    before = version;
  } while (text.charAt(entry.lastIndex - 1) === ',');
  tail.lastIndex = entry.lastIndex;
  if (versions.length > mostEntries || !tail.test(text) || !isNonEmpty(versions)) return undefined;
  // What the pattern matched as a version is one.
  const floor = (backfillFloorVersion as Version | undefined) ?? null;
  const between = entriesOf(text, places);
  return indexOfReleases({ generatedAt, backfillFloorVersion: floor }, { versions, between });
}

/** The value of the first key of an entry. */
function versionAt(text: string, place: number): Version {
  const key = text.indexOf('"', place) + 1;
  const start = text.indexOf('"', key + 'version"'.length) + 1;
  return text.slice(start, text.indexOf('"', start)) as Version;
}

/**
 * @param places where each entry begins, and where the last ends, behind what separates it from the next
 * @returns reads those between two positions; those that were read before, it has
 */
function entriesOf(text: string, places: readonly number[]): Releases['between'] {
  let read: readonly IndexEntry[] = [];
  let [from, to] = [0, 0];
  return (start, end) => {
    if (start >= end) return [];
    if (start < from || end > to) {
      [from, to] = read.length === 0 ? [start, end] : [Math.min(start, from), Math.max(end, to)];
      read = JSON.parse(`[${text.slice(places[from], (places[to] ?? 0) - 1)}]`);
    }
    return start === from && end === to ? read : read.slice(start - from, end - from);
  };
}

/** White space as JSON defines it, which is less than `\s`. */
const space = '[ \\t\\r\\n]*';
/** As `JSON.stringify` writes it, indented or not: no space before a colon or a comma. */
const key = (name: string) => `${space}"${name}":${space}`;
/** A pattern of a whole string as part of another, without its groups. */
const part = ({ source }: RegExp) => source.replace(/^\^|\$$/g, '').replace(/\((?!\?)/g, '(?:');
const version = `"${part(patterns.releaseVersion)}"`;
const versionOrNull = `(?:null|${version})`;
const dateTime = `"${part(patterns.dateTime)}"`;
const boolean = '(?:true|false)';
/** A pattern uses stack for each repetition: a longer list, which no release has, is read in the other way. */
const stops = `\\[(?:${space}${version}(?:,${space}${version}){0,99})?${space}\\]`;

const head = new RegExp(
  [
    `^${space}\\{${key('schemaVersion')}"1"`,
    `${key('generatedAt')}"(${part(patterns.dateTime)})"`,
    `${key('backfillFloorVersion')}(?:null|"(${part(patterns.releaseVersion)})")`,
    `${key('entries')}\\[`,
  ].join(','),
);

const entry = new RegExp(
  [
    `${space}\\{${key('version')}${version}`,
    `${key('previousVersion')}${versionOrNull}`,
    `${key('releaseDate')}${dateTime}`,
    `${key('rollingUpdateSafe')}(?:true|false|"unknown")`,
    `${key('requiredStops')}${stops}`,
    `${key('minPreviousVersion')}${versionOrNull}`,
    `${key('backfilled')}${boolean}`,
    `${key('syntheticRequiredStop')}${boolean}${space}\\}(?:,|${space}\\])`,
  ].join(','),
  'y',
);

const tail = new RegExp(`${space}\\}${space}$`, 'y');
