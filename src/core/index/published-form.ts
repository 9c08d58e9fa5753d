import * as patterns from '../kinds.js';
import { compareVersions, type Version } from '../version.js';
import type { IndexEntry } from './index-schema.js';
import {
  indexOfReleases,
  mostEntries,
  type ReleaseSafetyIndex,
  type Releases,
} from './release-safety-index.js';

/**
 * Reads the text of an index in the publisher's exact form: the documented fields and no other, each once, in the
 * documented order, releases from old to new. One expression checks every byte of an entry, in a third of the time of
 * parsing the JSON and checking it afterwards. Entries are parsed at their first use.
 *
 * @returns undefined for any other text, whether an index or not: `parseOtherForm` judges that
 */
export function readPublishedForm(text: string): ReleaseSafetyIndex | undefined {
  const start = head.exec(text);
  if (start === null) return undefined;
  const [matched, generatedAt = '', backfillFloorVersion] = start;
  const places = new Uint32Array(text.length / shortestEntry + 2);
  entry.lastIndex = places[0] = matched.length;
  let count = 0;
  while (isAtVersion(text)) {
    const more = matchEntries(text, places, count);
    if (more === 0) return undefined;
    count += more;
  }
  tail.lastIndex = entry.lastIndex;
  if (count > mostEntries || count >= places.length || !tail.test(text)) return undefined;
  // The pattern matches only valid versions.
  const floor = (backfillFloorVersion as Version | undefined) ?? null;
  return indexOfReleases({ generatedAt, backfillFloorVersion: floor }, releasesOf(text, places, count));
}

/** Shorter than the shortest text of an entry. */
const shortestEntry = 180;
const quote = '"'.charCodeAt(0);

/**
 * Matches the next hundred entries, or those that are left. A loop over thousands would be optimised by V8 while it runs,
 * which takes three times as long as the loop.
 *
 * @returns how many; 0 if one does not match, or is not newer than the one before
 */
function matchEntries(text: string, places: Uint32Array, count: number): number {
  let before = count === 0 ? undefined : versionAt(text, places[count - 1] ?? 0);
  let more = 0;
  while (more < 100 && isAtVersion(text)) {
    const version = versionAt(text, entry.lastIndex);
    if (!entry.test(text) || (before !== undefined && compareVersions(before, version) >= 0)) return 0;
    before = version;
    places[count + ++more] = entry.lastIndex;
  }
  return more;
}

/** Whether one more entry follows: its pattern ends where the next version begins. */
function isAtVersion(text: string): boolean {
  return text.charCodeAt(entry.lastIndex - 1) === quote;
}

function versionAt(text: string, start: number): Version {
  return text.slice(start, text.indexOf('"', start)) as Version;
}

/** @param places where the version of each entry begins, and where the last entry ends, with what closes the list */
function releasesOf(text: string, places: Uint32Array, count: number): Releases {
  const entryAt = (position: number): IndexEntry => {
    const start = text.lastIndexOf('{', places[position]);
    const end = text.lastIndexOf('}', (places[position + 1] ?? 0) - 1) + 1;
    return JSON.parse(text.slice(start, end));
  };
  let read: readonly IndexEntry[] = [];
  let [from, to] = [0, 0];
  return {
    versions: {
      length: count,
      at: (position) => {
        const place = position < 0 ? count + position : position;
        if (place < 0 || place >= count) return undefined;
        return read[place - from]?.version ?? versionAt(text, places[place] ?? 0);
      },
    },
    // Entries that were parsed before are reused.
    between: (start, end) => {
      if (start >= end) return [];
      if (start < from || end > to) {
        [from, to] = read.length === 0 ? [start, end] : [Math.min(start, from), Math.max(end, to)];
        // Each alone: joined in brackets, their text would be a copy that fills the memory that Node begins
        // with.
        const entries: IndexEntry[] = [];
        for (let position = from; position < to; position++) entries.push(entryAt(position));
        read = entries;
      }
      return start === from && end === to ? read : read.slice(start - from, end - from);
    },
  };
}

/** White space as JSON defines it, which is less than `\s`. */
const space = '[ \\t\\r\\n]*';
/** As `JSON.stringify` writes it, indented or not: no space before a colon or a comma. */
const key = (name: string) => `${space}"${name}":${space}`;
/** The source of an anchored pattern, for use inside another: without its anchors and the groups of a version. */
const part = ({ source }: RegExp) => source.slice('^'.length, -'$'.length).replaceAll('(0', '(?:0');
const versionToQuote = `${part(patterns.releaseVersion)}"`;
const version = `"${versionToQuote}`;
const versionOrNull = `(?:null|${version})`;
const dateTime = `"${part(patterns.dateTime)}"`;
const boolean = '(?:true|false)';
/** A pattern uses stack for each repetition: a longer list, which no release has, is read in the other way. */
const stops = `\\[(?:${space}${version}(?:,${space}${version}){0,99})?${space}\\]`;

/** The text before the version of an entry. */
const start = `${space}\\{${key('version')}"`;

const head = new RegExp(
  [
    `^${space}\\{${key('schemaVersion')}"1"`,
    `${key('generatedAt')}"(${part(patterns.dateTime)})"`,
    `${key('backfillFloorVersion')}(?:null|"(${part(patterns.releaseVersion)})")`,
    `${key('entries')}\\[${start}`,
  ].join(','),
);

const entry = new RegExp(
  [
    versionToQuote,
    `${key('previousVersion')}${versionOrNull}`,
    `${key('releaseDate')}${dateTime}`,
    `${key('rollingUpdateSafe')}(?:true|false|"unknown")`,
    `${key('requiredStops')}${stops}`,
    `${key('minPreviousVersion')}${versionOrNull}`,
    `${key('backfilled')}${boolean}`,
    `${key('syntheticRequiredStop')}${boolean}${space}\\}(?:,${start}|${space}\\])`,
  ].join(','),
  'y',
);

const tail = new RegExp(`${space}\\}${space}$`, 'y');
