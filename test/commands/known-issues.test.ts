import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { factNames } from '../../src/instance/facts/fact-names.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import { runCli } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import { recordOf } from '../support/known-issues.js';
import { writeTestMirror } from '../support/mirror.js';
import { realIndexText } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ours = recordOf({
  id: 'our-issue',
  affected: [{ introduced: '1.140.0' }],
  conditions: [{ fact: 'rows.sessions', atLeast: 5, below: 9 }],
});
const builtIn = builtInKnownIssues.records.map(({ id }) => id);

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function idsListed(argv: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['known-issues', 'list', ...argv, '--json'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = JSON.parse(stdout);
  expect(validatorOf('known-issues-list-result.json')(result)).toBe(true);
  return result.records.map(({ id }: { id: string }) => id);
}

describe('lightspan known-issues list', () => {
  it('lists those built in', async () => {
    expect(await idsListed([])).toEqual(builtIn);
    const { stdout } = await runCli(['known-issues', 'list']);
    expect(stdout).toMatch(
      `Known issues: ${builtIn.length}; built-in records as of ${builtInKnownIssues.publishedAt?.slice(0, 10)}`,
    );
    expect(stdout).toContain('start-check-refuses-skips: from 1.125.0 on, before 1.134.1\n  - The release');
    const { builtInPublishedAt } = JSON.parse((await runCli(['known-issues', 'list', '--json'])).stdout);
    expect(builtInPublishedAt).toBe(builtInKnownIssues.publishedAt);
  });

  it.each<[argv: readonly string[], ids: readonly string[]]>([
    [['--from', '1.123.1', '--to', '1.134.0'], ['start-check-refuses-skips']],
    [['--from', '1.121.0', '--to', '1.124.0'], []],
    [['--from', '2.125.0'], ['ai-prompt-table-in-core-migration']],
    [['--from', '2.128.0'], []],
    [
      ['--from', '0.2122.0', '--to', '0.2123.0'],
      ['corepack-cache-for-root-only', 'embedding-columns-in-core-migration'],
    ],
    [['--to', '0.1456.0'], []],
  ])('%j', async (argv, ids) => expect(await idsListed(argv)).toEqual(ids));

  it('lists those of every source beside them: flags, environment, the mirror that the index is read from', async () => {
    const flag = file('flag.yaml', stringify({ ...ours, id: 'of-a-flag' }));
    const env = {
      LIGHTSPAN_KNOWN_ISSUES: file('environment.yaml', stringify({ ...ours, id: 'of-the-environment' })),
    };
    const mirror = join(folder, 'mirror');
    await writeTestMirror(mirror, {
      'release-safety-index.json': realIndexText,
      'known-issues.json': formatKnownIssues([{ ...ours, id: 'of-the-mirror' }]),
    });
    const second = file('second.yaml', stringify(ours));
    const argv = ['--known-issues', flag, '--known-issues', second, '--index', mirror];
    expect(new Set(await idsListed(argv, env))).toEqual(
      new Set([...builtIn, 'of-a-flag', 'of-the-environment', 'of-the-mirror', 'our-issue']),
    );
  });

  it.each([
    ['there is none', () => join(folder, 'none.yaml'), 3, 'unreadable-source'],
    ['it is broken', () => file('broken.yaml', 'id: x'), 4, 'invalid-known-issue'],
  ])('lists nothing where %s', async (_, source, code, error) => {
    const outcome = await runCli(['known-issues', 'list', '--known-issues', source(), '--json']);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: error } });
  });
});

describe('lightspan known-issues show', () => {
  it('shows one whole', async () => {
    const argv = ['known-issues', 'show', 'our-issue', '--known-issues', file('ours.yaml', stringify(ours))];
    expect(await runCli(argv)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^our-issue: It breaks\./),
    });
    const json = JSON.parse((await runCli([...argv, '--json'])).stdout);
    expect(validatorOf('known-issues-show-result.json')(json)).toBe(true);
    expect(json.records).toEqual([ours]);
  });

  it('shows both where two sources differ', async () => {
    const sources = ['a', 'b'].flatMap((name) => [
      '--known-issues',
      file(`${name}.yaml`, stringify({ ...ours, remedy: `Do ${name}.` })),
    ]);
    const { stdout } = await runCli(['known-issues', 'show', 'our-issue', ...sources]);
    expect(stdout.match(/^To do: .*$/gm)).toEqual(['To do: Do a.', 'To do: Do b.']);
  });

  it('knows no other', async () => {
    const { code, stderr } = await runCli(['known-issues', 'show', 'start-check-refuse-skip']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean `start-check-refuses-skips`?');
  });
});

describe('lightspan known-issues verify', () => {
  it('exits 0 where no file has a fault', async () => {
    const files = [file('a.yaml', stringify(ours)), file('b.json', formatKnownIssues([ours, ours]))];
    const { code, stdout } = await runCli(['known-issues', 'verify', ...files]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${files[0]}: valid: 1 known issue\n${files[1]}: valid: 2 known issues\n`,
    });
  });

  const broken = stringify({ ...ours, whne: 'landing', conditions: [{ fact: 'editoin', is: 'x' }] });

  it('exits 4 and names every fault at its line', async () => {
    const { code, stdout } = await runCli(['known-issues', 'verify', '-'], {
      stdin: broken
        .replace('when: landing', 'when: always')
        .replace('schemaVersion: "1"', 'schemaVersion: 1'),
    });
    expect(code).toBe(4);
    expect(stdout.split('\n').map((line) => line.split(': ', 2).join(': '))).toEqual([
      'standard input:1:1: schemaVersion',
      'standard input:9:1: when',
      'standard input:21:1: whne',
      '',
    ]);
  });

  it('exits 4 where one of several has a fault, with --json', async () => {
    const files = [file('a.yaml', stringify(ours)), file('b.yaml', broken.replace(/^whne.*\n/m, ''))];
    const { code, stdout } = await runCli(['known-issues', 'verify', ...files, '--json']);
    expect(code).toBe(4);
    const result = JSON.parse(stdout);
    expect(validatorOf('known-issues-verify-result.json')(result)).toBe(true);
    expect(result).toMatchObject({
      valid: false,
      files: [
        { file: files[0], records: 1, faults: [] },
        {
          file: files[1],
          records: 0,
          faults: [
            {
              line: 11,
              field: 'conditions[0]',
              fault: expect.stringContaining('there is no fact "editoin"'),
            },
          ],
        },
      ],
    });
  });

  it('exits 3 where a file cannot be read', async () => {
    expect(await runCli(['known-issues', 'verify', join(folder, 'none.yaml')])).toMatchObject({ code: 3 });
  });
});

describe('upgrade-check of a mirror', () => {
  const check = (...more: string[]) => {
    const span = ['--from', '1.121.0', '--to', '1.156.0'];
    return runCli(['upgrade-check', ...span, '--index', folder, '--offline', ...more]);
  };
  const mirrored = (knownIssues: string) =>
    writeTestMirror(folder, { 'release-safety-index.json': realIndexText, 'known-issues.json': knownIssues });

  it('counts the known issues in it', async () => {
    await mirrored(formatKnownIssues([ours]));
    const taken = await check();
    expect(taken).toMatchObject({ code: 1, stdout: expect.stringContaining('our-issue') });
    expect(await check('--fact', 'rows.sessions=4')).toMatchObject({ code: 0, stderr: '' });
    expect(await check('--publisher-only')).toMatchObject({ code: 0 });
  });

  it.each([
    ['altered', '', 4, 'untrusted-mirror'],
    ['broken', '{}', 4, 'invalid-known-issue'],
  ])('answers nothing where they are %s', async (how, text, code, error) => {
    await mirrored(text === '' ? formatKnownIssues([ours]) : text);
    if (how === 'altered')
      file('known-issues.json', formatKnownIssues([{ ...ours, withdrawn: ours.modified }]));
    const outcome = await check('--json');
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: error } });
  });
});

describe('docs/prose/known-issues.md', () => {
  const page = readFileSync('docs/prose/known-issues.md', 'utf8');

  it('shows a record that is valid', async () => {
    const [, record = ''] = /```yaml\n(schemaVersion[^`]+)```/.exec(page) ?? [];
    const { code, stdout } = await runCli(['known-issues', 'verify', '-'], { stdin: record });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'standard input: valid: 1 known issue\n' });
  });

  it('has every fact', () => {
    for (const name of factNames) expect(page).toContain(`\`${name}\``);
  });

  it('leads to every record that is built in', () => {
    const incidents = readFileSync('docs/prose/incidents.md', 'utf8');
    for (const id of builtIn) expect(incidents).toContain(`record \`${id}\``);
  });
});
