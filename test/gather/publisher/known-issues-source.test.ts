import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { FetchOptions } from '../../../src/gather/publisher/fetch-cached.js';
import { knownIssuesInMirror, loadKnownIssues } from '../../../src/gather/publisher/known-issues-source.js';
import { formatKnownIssues } from '../../../src/known-issues/join-records.js';
import type { KnownIssue } from '../../../src/known-issues/records.js';
import { testNow } from '../../support/cli.js';
import { recordOf } from '../../support/known-issues.js';
import { writeTestMirror } from '../../support/mirror.js';
import { realIndexText } from '../../support/real-index.js';
import { serve } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const record = recordOf({ affected: [{ introduced: '1.0.0', fixed: '1.1.0' }] });
const other: KnownIssue = { ...record, id: 'another-issue' };

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const options = (more: Partial<FetchOptions> = {}): FetchOptions => ({
  timeoutMs: 5000,
  maxBytes: 1024 * 1024,
  allowHttp: false,
  cache: true,
  offline: false,
  env: { LIGHTSPAN_CACHE_DIR: join(folder, 'cache') },
  now: () => testNow,
  notify: () => {},
  ...more,
});

const load = async (source: string, more: Partial<FetchOptions> = {}) =>
  (await loadKnownIssues(source, options(more))).flatMap(({ records }) => records);

/** A file in the folder of the test. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const refused = (code: string, message: string) => ({ code, message: expect.stringContaining(message) });

describe('known issues are read from', () => {
  it.each([
    ['a record in YAML', 'issue.yaml', stringify(record), [record]],
    ['a record with a byte order mark', 'issue.json', `\ufeff${JSON.stringify(record)}`, [record]],
    ['a set', 'issues.json', formatKnownIssues([record, other]), [record, other]],
    ['a set in YAML', 'issues', stringify({ schemaVersion: '1', records: [record] }), [record]],
  ])('%s', async (_, name, text, records) => {
    expect(await load(file(name, text))).toEqual(records);
  });

  it('a folder, ignoring files of other kinds', async () => {
    file('a.yaml', stringify(record));
    file('b.yml', stringify(other));
    for (const name of ['README', 'notes.md', '.a.yaml.swp']) file(name, stringify(record));
    file('.gitkeep', '');
    file('check.sh', 'lightspan known-issues verify *.yaml # what is affected: see the remedy: none');
    mkdirSync(join(folder, 'older'));
    execFileSync('mkfifo', [join(folder, 'a-pipe')]);
    expect(await load(folder)).toEqual([record, other]);
  });

  it('its folders too, however a name is written, and those that are linked, but none that is hidden', async () => {
    const issue = (id: string) => stringify({ ...record, id });
    for (const name of ['2026', '2026/late', '.git']) mkdirSync(join(folder, name));
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(folder, 'linked'));
    writeFileSync(join(elsewhere, 'd.json'), JSON.stringify({ ...record, id: 'd' }));
    file('a.yaml', issue('a'));
    file('2026/B.YAML', issue('b'));
    file('2026/late/c.yml', issue('c'));
    file('.git/hidden.yaml', issue('hidden'));
    expect((await load(folder)).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a mirror', async () => {
    await writeTestMirror(folder, {
      'release-safety-index.json': realIndexText,
      'known-issues.json': formatKnownIssues([record]),
    });
    expect(await load(folder, { maxBytes: 24 * 1024 ** 2 })).toEqual([record]);
  });

  it('a URL, and from the cache after', async () => {
    const { url } = await serve((_, response) => response.end(stringify(record)));
    expect(await load(`${url}/issue.yaml`)).toEqual([record]);
    expect(await load(`${url}/issue.yaml`, { offline: true })).toEqual([record]);
  });
});

describe('what cannot be read is refused', () => {
  it.each<[what: string, source: () => string | Promise<string>, code: string, message: string]>([
    ['no such file', () => join(folder, 'none.yaml'), 'unreadable-source', 'there is no such file'],
    ['a folder without records', () => folder, 'unreadable-source', 'contains no known issues'],
    ['what is no URL', () => 'https:/example.com/issues.json', 'usage', 'is not written as a URL'],
  ])('%s', async (_, source, code, message) => {
    await expect(load(await source())).rejects.toMatchObject(refused(code, message));
  });

  it.each([
    ['nothing', '', 'issue.yaml:1:1: it is empty'],
    ['half a file', JSON.stringify(record, null, 2).slice(0, 60), 'issue.yaml:'],
    [
      'a mistyped key',
      stringify({ ...record, fixd: '1.2.0' }),
      ': fixd: unknown key; the keys here are schemaVersion, ',
    ],
    ['a key twice', `${stringify(record)}when: crossing\n`, 'the key "when" appears twice'],
    [
      'a key twice, in JSON',
      JSON.stringify(record).replace('{', '{"when":"crossing",'),
      'the key "when" appears twice',
    ],
    [
      'a date in the future',
      stringify({ ...record, modified: '2099-01-01T00:00:00Z' }),
      'issue.yaml:8:1: modified: 2099-01-01T00:00:00Z is in the future',
    ],
  ])('%s, by its place', async (_, text, message) => {
    await expect(load(file('issue.yaml', text))).rejects.toMatchObject({
      ...refused('invalid-known-issue', message),
      hint: 'lightspan known-issues verify names every fault.',
    });
  });

  it('what is not text', async () => {
    writeFileSync(join(folder, 'issue.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(load(join(folder, 'issue.yaml'))).rejects.toMatchObject({ code: 'invalid-json' });
  });

  it('a folder of which one file is broken', async () => {
    file('a.yaml', stringify(record));
    file('b.yaml', 'schemaVersion: "1"');
    await expect(load(folder)).rejects.toMatchObject(refused('invalid-known-issue', 'b.yaml:1:1: id'));
  });

  it.each([
    ['issue.txt', stringify(record)],
    ['issue.yaml~', stringify(record).replace('introduced', '<<<<<<<')],
  ])('a folder with a record that is named %s, which would not be read', async (name, text) => {
    file('a.yaml', stringify(other));
    file(name, text);
    await expect(load(folder)).rejects.toMatchObject({
      ...refused(
        'invalid-known-issue',
        `${name} is written like a known issue, but only .yaml, .yml and .json`,
      ),
      hint: 'Rename it, or move it out of the folder.',
    });
  });

  it('a broken feed is not cached', async () => {
    let text = 'broken';
    const { url } = await serve((_, response) =>
      response.setHeader('cache-control', 'max-age=3600').end(text),
    );
    await expect(load(url)).rejects.toMatchObject({ code: 'invalid-known-issue' });
    text = stringify(record);
    expect(await load(url)).toEqual([record]);
  });
});

describe('a mirror', () => {
  const index = { 'release-safety-index.json': realIndexText };
  const whole = { ...index, 'known-issues.json': formatKnownIssues([record]) };
  const maxBytes = 24 * 1024 ** 2;
  const limits = { maxBytes, now: () => testNow };

  it('that was written without known issues has none, and says so where it is asked for them', async () => {
    await writeTestMirror(folder, index);
    expect(await knownIssuesInMirror(folder, limits)).toBeUndefined();
    await expect(load(folder, { maxBytes })).rejects.toMatchObject(
      refused('unreadable-source', 'has no known-issues.json'),
    );
  });

  it.each<[what: string, listed: Record<string, string>, text: string | undefined, code: string]>([
    ['altered', whole, formatKnownIssues([other]), 'untrusted-mirror'],
    ['not listed', index, formatKnownIssues([record]), 'untrusted-mirror'],
    ['listed and lost', whole, undefined, 'untrusted-mirror'],
    ['broken, and listed so', { ...index, 'known-issues.json': '{}' }, '{}', 'invalid-known-issue'],
  ])('whose known issues are %s is refused', async (_, listed, text, code) => {
    await writeTestMirror(folder, listed);
    if (text === undefined) rmSync(join(folder, 'known-issues.json'));
    else file('known-issues.json', text);
    await expect(knownIssuesInMirror(folder, limits)).rejects.toMatchObject({ code });
    await expect(load(folder, { maxBytes })).rejects.toMatchObject({ code });
  });
});
