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
import { describeFileFault, isFolder, readFileAtMost } from './read-file.js';
import { decodeUtf8 } from './utf8.js';

const howToName =
  '--known-issues takes a URL such as https://example.org/known-issues.json, a file, a folder of records or a mirror folder.';

/**
 * The known issues of a URL, a file, a folder of records, or a mirror: one record a file or a set of them, as YAML or
 * JSON. A place that holds none is as much of a fault as one that cannot be read.
 *
 * @returns the records of each file
 * @throws {LightspanError} where one is unavailable
 * @throws {ReleaseSafetyError} `invalid-known-issue` where one cannot be trusted; the message names file and line
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
      hint: 'Write it anew with lightspan index mirror.',
    });
  }
  return readFolder(source, options.maxBytes);
}

/**
 * The known issues that a mirror took along, verified.
 *
 * @returns undefined where it was written without
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

/** Other files may stand beside the records, such as a README. */
async function readFolder(folder: string, maxBytes: number): Promise<readonly (readonly KnownIssue[])[]> {
  const files = filesIn(folder).filter((path) => /\.(?:ya?ml|json)$/i.test(path));
  if (files.length === 0) {
    throw new LightspanError('unreadable-source', `${folder} holds no known issues: no .yaml, .yml or .json`);
  }
  return Promise.all(files.map((path) => readFile(path, maxBytes)));
}

/** The files of a folder, and of those in it but for hidden ones, such as `.git`, and `..data` of a mounted ConfigMap. */
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
    throw unreadable(folder, error);
  }
}

async function readFile(path: string, maxBytes: number): Promise<readonly KnownIssue[]> {
  const tooLarge = () =>
    new LightspanError('too-large', `${path} is larger than ${maxBytes} bytes`, {
      hint: '--max-bytes sets how much is read.',
    });
  let bytes: Uint8Array;
  try {
    bytes = await readFileAtMost(path, maxBytes, tooLarge);
  } catch (error) {
    throw unreadable(path, error);
  }
  return parseRecords(bytes, path);
}

function unreadable(path: string, error: unknown): LightspanError {
  if (error instanceof LightspanError) return error;
  return new LightspanError(
    'unreadable-source',
    `cannot read the known issues ${path}: ${describeFileFault(error)}`,
    { cause: error },
  );
}

/**
 * @param name the place as messages have it
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
 * What a mirror holds, and most servers: JSON without a fault. Reading 20 KB of it takes 4 ms, and the reader that knows YAML
 * and the line of each fault 40 ms.
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
