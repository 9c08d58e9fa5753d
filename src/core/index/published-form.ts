import * as patterns from '../kinds.js';
import type { Version } from '../version.js';
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
 * parsing the JSON and checking it afterwards. Only the entries that are asked for are parsed.
 *
 * @returns undefined for any other text, whether an index or not: `parseOtherForm` judges that
 */
export function readPublishedForm(text: string): ReleaseSafetyIndex | undefined {
  const start = head.exec(text);
  if (start === null) return undefined;
  const [matched, generatedAt = '', backfillFloorVersion] = start;
  const places = new Uint32Array(text.length / shortestEntry + 2);
  let count = 0;
  let before = 0;
  entry.lastIndex = places[0] = matched.length;
  do {
    const version = versionStart(text, entry.lastIndex);
    if (!entry.test(text) || (count > 0 && !isNewer(text, version, before))) return undefined;
    before = version;
    places[++count] = entry.lastIndex;
  } while (text.charCodeAt(entry.lastIndex - 1) === comma);
  tail.lastIndex = entry.lastIndex;
  if (count > mostEntries || count >= places.length || !tail.test(text)) return undefined;
  // What the pattern matched as a version is one.
  const floor = (backfillFloorVersion as Version | undefined) ?? null;
  return indexOfReleases({ generatedAt, backfillFloorVersion: floor }, releasesOf(text, places, count));
}

/** Less than the shortest text of an entry has. */
const shortestEntry = 180;
const [comma, quote, zero] = [...',"0'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
];

/** Where the value of the first key of an entry begins. */
function versionStart(text: string, place: number): number {
  const key = text.indexOf('"', place) + 1;
  return text.indexOf('"', key + 'version"'.length) + 1;
}

/**
 * Whether the version at `start` is newer than the one at `before`, by number, part by part, as `compareVersions` has
 * it. It makes no string of either: those of a whole index would fill the memory that Node begins with.
 */
function isNewer(text: string, start: number, before: number): boolean {
  let at = 0;
  while (text.charCodeAt(start + at) === text.charCodeAt(before + at)) {
    if (text.charCodeAt(start + at) === quote) return false;
    at++;
  }
  const more = digitsFrom(text, start + at) - digitsFrom(text, before + at);
  return (more || text.charCodeAt(start + at) - text.charCodeAt(before + at)) > 0;
}

function digitsFrom(text: string, start: number): number {
  let end = start;
  // What follows a number, a dot or a quote, is less than any digit.
  while (text.charCodeAt(end) >= zero) end++;
  return end - start;
}

/** @param places where each entry begins, and where the last ends, behind what separates it from the next */
function releasesOf(text: string, places: Uint32Array, count: number): Releases {
  const versionAt = (position: number) => {
    const start = versionStart(text, places[position] ?? 0);
    return text.slice(start, text.indexOf('"', start)) as Version;
  };
  const entryAt = (position: number): IndexEntry =>
    JSON.parse(text.slice(places[position], (places[position + 1] ?? 0) - 1));
  let read: readonly IndexEntry[] = [];
  let [from, to] = [0, 0];
  return {
    versions: {
      length: count,
      at: (position) => {
        const place = position < 0 ? count + position : position;
        if (place < 0 || place >= count) return undefined;
        return read[place - from]?.version ?? versionAt(place);
      },
    },
    // Those that were read before are still there.
    between: (start, end) => {
      if (start >= end) return [];
      if (start < from || end > to) {
        [from, to] = read.length === 0 ? [start, end] : [Math.min(start, from), Math.max(end, to)];
        // Each alone: their text in one piece, in brackets, would be a copy that fills the memory that Node begins
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
/** A pattern of a whole string as part of another, without the groups of a version. */
const part = ({ source }: RegExp) => source.slice('^'.length, -'$'.length).replaceAll('(0', '(?:0');
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
