import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findDuplicateKey } from '../../core/json/json-scan.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { compareVersions } from '../../core/version.js';
import { builtInKnownIssues, timeForRecords } from '../../known-issues/built-in.js';
import type { RecordSource } from '../../known-issues/join-records.js';
import {
  checkKnownIssues,
  describeRecordFault,
  type Horizon,
  parseRecords as parseJson,
  type ReadRecords,
  type RecordFault,
} from '../../known-issues/records.js';
import type { Position } from '../../merge/merge-check.js';
import { decodeUtf8, isFolder, largerThan, readFileAtMost, unreadable } from '../files/read-file.js';
import { type FetchOptions, fetchCached } from './fetch-cached.js';
import { describeSource, readSourceUrl } from './index-source.js';
import { indexPath, knownIssuesPath, openSums, readKnownIssues, sumsPath } from './mirror.js';

const howToName =
  '--known-issues takes a URL such as https://example.org/known-issues.json, a file, a folder of records ' +
  'or a mirror folder.';

/**
 * Loads the known issues of a URL, a file, a folder of records, or a mirror: one record per file or a set of them, as
 * YAML or JSON. A place without any is as much an error as one that cannot be read.
 *
 * @returns the records of each file, by its name
 * @throws {LightspanError} `invalid-known-issue` if one cannot be trusted; the message names file and line
 */
export async function loadKnownIssues(
  source: string,
  options: FetchOptions,
): Promise<readonly RecordSource[]> {
  const url = readSourceUrl(source, 'known issues', howToName);
  if (url !== undefined) {
    return [await readFeed(url, describeSource(source), options)];
  }
  if (!isFolder(source)) return [await readRecordFile(source, options)];
  if (![sumsPath, indexPath].some((path) => existsSync(join(source, path))))
    return readFolder(source, options);
  const read = await knownIssuesInMirror(source, options);
  if (read !== undefined) return [read];
  throw new LightspanError('unreadable-source', `the mirror ${source} has no ${knownIssuesPath}`, {
    hint: 'Write it again with lightspan index mirror.',
  });
}

/** Records change by the day, and many jobs ask for them. */
const feedFreshForMs = 3_600_000;

/** What the server sends may be older than before, or lack a record that nobody withdrew: then that counts too. */
async function readFeed(url: URL, name: string, options: FetchOptions): Promise<RecordSource> {
  const { bytes, keep, before } = await fetchCached(url, { ...options, freshForMs: feedFreshForMs });
  const read = await parseRecords(bytes, name, options);
  noticeOldRecords(read, options);
  const earlier = before && (await parseRecords(before.bytes, name, options).catch(() => undefined));
  if (before === undefined || earlier === undefined) {
    keep();
    return read;
  }
  const { changesSinceLastRead } = await import('./since-last-read.js');
  const { changes, missing } = changesSinceLastRead(earlier, read, { name, file: before.file });
  for (const { id, modified, withdrawn } of changes)
    options.notify({
      kind: 'changed-record',
      source: name,
      id,
      modified,
      withdrawn: withdrawn !== undefined,
    });
  for (const { id } of missing)
    options.notify({ kind: 'missing-record', source: name, id, file: before.file });
  // The stored copy is kept as long as it has records that are missing now, until these are withdrawn.
  if (missing.length === 0) keep();
  return { ...read, records: [...read.records, ...missing] };
}

function noticeOldRecords({ name, knownThrough }: RecordSource, { notify }: FetchOptions): void {
  const builtIn = builtInKnownIssues.knownThrough;
  const isBehind =
    knownThrough !== undefined &&
    (compareVersions(knownThrough.version, builtIn.version) < 0 || knownThrough.asOf < builtIn.asOf);
  const say = ({ version, asOf }: Horizon) => `${version} (as of ${asOf})`;
  if (isBehind) notify({ kind: 'old-records', source: name, end: say(knownThrough), builtIn: say(builtIn) });
}

export async function knownIssuesInMirror(
  folder: string,
  limits: RecordLimits,
): Promise<RecordSource | undefined> {
  const bytes = await readKnownIssues(await openSums(folder, limits.maxBytes));
  return bytes && parseRecords(bytes, join(folder, knownIssuesPath), limits);
}

type RecordLimits = Pick<FetchOptions, 'maxBytes' | 'now'>;

/**
 * There may be other files next to the records, such as a README with examples, or what an editor hides next to the
 * file that it edits. A record that is read as none would leave a yes that its author meant to take back.
 */
async function readFolder(folder: string, limits: RecordLimits): Promise<readonly RecordSource[]> {
  const all = filesIn(folder);
  const files = all.filter((path) => /\.(?:ya?ml|json)$/i.test(path));
  for (const path of all) {
    if (files.includes(path) || /^(?:\.|readme)|\.md$/i.test(basename(path))) continue;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const text = new TextDecoder().decode(await readBytes(path, limits.maxBytes));
    if (!keysOfRecords.every((key) => key.test(text))) continue;
    throw new LightspanError(
      'invalid-known-issue',
      `${path} is written like a known issue, but only .yaml, .yml and .json are read in a folder`,
      { hint: 'Rename it, or move it out of the folder.' },
    );
  }
  if (files.length > 0) return Promise.all(files.map((path) => readRecordFile(path, limits)));
  const nothing = `${folder} contains no known issues: no .yaml, .yml or .json`;
  throw new LightspanError('unreadable-source', nothing);
}

const keysOfRecords = [/\baffected["']?\s*:/, /\beffect["']?\s*:/, /\bremedy["']?\s*:/];

/** The files of a folder and its subfolders, except hidden ones such as `.git`, or `..data` of a mounted ConfigMap. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const path = join(folder, name);
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
        return name.startsWith('.') ? [] : filesIn(path);
      });
  } catch (error) {
    throw unreadable(`the known issues ${folder}`, error);
  }
}

async function readRecordFile(path: string, limits: RecordLimits): Promise<RecordSource> {
  return parseRecords(await readBytes(path, limits.maxBytes), path, limits);
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readFileAtMost(path, maxBytes, () => largerThan(path, maxBytes));
  } catch (error) {
    throw unreadable(`the known issues ${path}`, error);
  }
}

/** @param name the name of the place in messages */
export async function parseRecords(
  bytes: Uint8Array,
  name: string,
  { now: clock }: Pick<RecordLimits, 'now'>,
): Promise<RecordSource> {
  const text = decodeUtf8(bytes, `the known issue ${name}`);
  const now = timeForRecords(clock());
  const plain = readPlainJson(text, now);
  if (plain !== undefined) return { name, ...plain };
  const reading = await readKnownIssueText(text, now);
  if (reading.ok) return { name, ...reading.read };
  const [first] = reading.faults;
  const fault = first && `:${first.line}:${first.column}: ${describeRecordFault(first)}`;
  const hint = 'lightspan known-issues verify names every fault.';
  throw new LightspanError('invalid-known-issue', `${name}${fault ?? ''}`, { hint });
}

/** Valid JSON, as in mirrors: the reader that knows YAML takes ten times as long, 40 ms for 20 KB. */
function readPlainJson(text: string, now: Date): ReadRecords | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return findDuplicateKey(text) === undefined ? parseJson(json, now) : undefined;
  } catch {
    return undefined;
  }
}

/** @param now until when they may have been modified */
export async function readKnownIssueText(
  text: string,
  now: Date,
): Promise<
  | { readonly ok: true; readonly read: ReadRecords }
  | { readonly ok: false; readonly faults: readonly (RecordFault & Position)[] }
> {
  const { readYaml } = await import('../files/yaml.js');
  const reading = readYaml(text);
  if (!reading.ok) {
    return {
      ok: false,
      faults: reading.faults.map(({ message, ...at }) => ({ ...at, path: [], fault: message })),
    };
  }
  const { faults, ...read } = checkKnownIssues(reading.value, now);
  if (faults.length === 0) return { ok: true, read };
  const placed = faults.map((fault) => ({ ...fault, ...reading.positionOf(fault.path, 'key') }));
  return { ok: false, faults: placed.sort((a, b) => a.line - b.line || a.column - b.column) };
}
