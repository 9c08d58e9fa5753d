import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LightspanError } from '../errors.js';
import { describeRecordFault, parseKnownIssues } from '../known-issues/parse-records.js';
import type { KnownIssue } from '../known-issues/record-schema.js';
import { ReleaseSafetyError } from '../release-safety/errors.js';
import { findDuplicateKey } from '../shared/json-keys.js';
import { nestsTooDeep } from '../shared/json-nesting.js';
import { type FetchOptions, fetchCached } from './fetch-cached.js';
import { describeSource, readSourceUrl } from './index-source.js';
import { indexPath, knownIssuesPath, openSums, readKnownIssues, sumsPath } from './mirror.js';
import { isFolder, largerThan, readFileAtMost, unreadable } from './read-file.js';
import { decodeUtf8 } from './utf8.js';

const howToName =
  '--known-issues takes a URL such as https://example.org/known-issues.json, a file, a folder of records or a mirror folder.';

/**
 * Loads the known issues of a URL, a file, a folder of records, or a mirror: one record per file or a set of them, as
 * YAML or JSON. A place without any is as much an error as one that cannot be read.
 *
 * @returns the records of each file
 * @throws {LightspanError} if one is unavailable
 * @throws {ReleaseSafetyError} `invalid-known-issue` if one cannot be trusted; the message names file and line
 */
export async function loadKnownIssues(
  source: string,
  options: FetchOptions,
): Promise<readonly (readonly KnownIssue[])[]> {
  const url = readSourceUrl(source, 'known issues', howToName);
  if (url !== undefined) {
    const { bytes, keep } = await fetchCached(url, options);
    const records = await parseRecords(bytes, describeSource(source));
    keep();
    return [records];
  }
  if (!isFolder(source)) return [await readFile(source, options.maxBytes)];
  if (isMirror(source)) {
    const records = await knownIssuesInMirror(source, options.maxBytes);
    if (records !== undefined) return [records];
    throw new LightspanError('unreadable-source', `the mirror ${source} holds no ${knownIssuesPath}`, {
      hint: 'Write it again with lightspan index mirror.',
    });
  }
  return readFolder(source, options.maxBytes);
}

/**
 * The known issues in a mirror, verified.
 *
 * @returns undefined if it was written without them
 * @throws {LightspanError} `unreadable-source`, `untrusted-mirror` or `too-large`
 * @throws {ReleaseSafetyError} `invalid-known-issue`
 */
export async function knownIssuesInMirror(
  folder: string,
  maxBytes: number,
): Promise<readonly KnownIssue[] | undefined> {
  const bytes = await readKnownIssues(await openSums(folder, maxBytes));
  return bytes && parseRecords(bytes, join(folder, knownIssuesPath));
}

function isMirror(folder: string): boolean {
  return [sumsPath, indexPath].some((path) => existsSync(join(folder, path)));
}

/** There may be other files next to the records, such as a README. */
async function readFolder(folder: string, maxBytes: number): Promise<readonly (readonly KnownIssue[])[]> {
  const files = filesIn(folder).filter((path) => /\.(?:ya?ml|json)$/i.test(path));
  if (files.length === 0) {
    throw new LightspanError(
      'unreadable-source',
      `${folder} contains no known issues: no .yaml, .yml or .json`,
    );
  }
  return Promise.all(files.map((path) => readFile(path, maxBytes)));
}

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

async function readFile(path: string, maxBytes: number): Promise<readonly KnownIssue[]> {
  let bytes: Uint8Array;
  try {
    bytes = await readFileAtMost(path, maxBytes, () => largerThan(path, maxBytes));
  } catch (error) {
    throw unreadable(`the known issues ${path}`, error);
  }
  return parseRecords(bytes, path);
}

/**
 * @param name the name of the place in messages
 * @throws {ReleaseSafetyError} `invalid-known-issue`
 */
export async function parseRecords(bytes: Uint8Array, name: string): Promise<readonly KnownIssue[]> {
  const text = decodeUtf8(bytes, `the known issue ${name}`);
  const records = readPlainJson(text);
  if (records !== undefined) return records;
  const { readKnownIssueText } = await import('./known-issue-text.js');
  const reading = readKnownIssueText(text);
  if (reading.ok) return reading.records;
  const [first] = reading.faults;
  const place = first === undefined ? name : `${name}:${first.line}:${first.column}`;
  throw new ReleaseSafetyError(
    'invalid-known-issue',
    `${place}: ${first === undefined ? 'it cannot be trusted' : describeRecordFault(first)}`,
    'lightspan known-issues verify names every fault.',
  );
}

/**
 * The form in mirrors and on most servers: valid JSON. Reading 20 KB of it takes 4 ms; the reader that knows YAML and
 * the line of each fault takes 40 ms.
 *
 * @returns undefined for any other text
 */
function readPlainJson(text: string): readonly KnownIssue[] | undefined {
  if (!text.startsWith('{') || nestsTooDeep(text)) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return findDuplicateKey(text) === undefined ? parseKnownIssues(json) : undefined;
  } catch {
    return undefined;
  }
}
