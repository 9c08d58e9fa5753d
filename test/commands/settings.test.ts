import { execFileSync } from 'node:child_process';
import { chownSync, lchownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { decideBySettings } from '../../src/app/settings/decide.js';
import { findSettings, foldersAbove, shownPath } from '../../src/app/settings/in-force.js';
import { settingsOfOptions } from '../../src/app/settings/of-options.js';
import { filesOf } from '../../src/app/settings/pins.js';
import { pinsFileSchema, readBy, settingsSchema } from '../../src/app/settings/read.js';
import { declareProgram } from '../../src/commands/program.js';
import { parsePinPattern } from '../../src/pins/pin-pattern.js';
import { type CliWorld, runCli } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const values = 'image:\n  repository: lightdash/lightdash\n  tag: 1.121.0\n';
const compose = 'services:\n  lightdash:\n    image: lightdash/lightdash:1.121.0\n';

/** The options that a command line ends up with, and what was said. */
async function optionsOf(
  argv: readonly string[],
  settings: string,
  { env = {}, files = {} }: { readonly env?: CliWorld['env']; readonly files?: Record<string, string> } = {},
) {
  const folder = folderOf({ 'lightspan.yaml': settings, ...files });
  let filled: Record<string, unknown> = {};
  let said = '';
  const program = await declareProgram(async (command) => {
    const stdin = (async function* () {})();
    const stderr = { write: (text: string) => (said += text) };
    filled = { ...command.values, ...(await decideBySettings(command, { env, stdin, stderr })).filled };
  });
  const silent = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    command.commands.forEach(silent);
  };
  silent(program);
  const file = join(folder, 'lightspan.yaml');
  await program.parseAsync([...argv, '--settings', file], { from: 'user' });
  const near = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/^.*\/(?=[^/]+$)/, (path) => (folder.endsWith(path.slice(-8, -1)) ? '' : path))
      : Array.isArray(value)
        ? value.map(near)
        : value;
  return { options: filled, near: (name: string) => near(filled[name]), said, folder };
}

describe('the target in settings', () => {
  it.each([['newest'], ['1.2'], ['Latest']])('is refused by its key: %s', async (to) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lightspan.yaml'), `to: "${to}"\n`);
    const { code, stderr } = await runCli(['settings', '--settings', join(folder, 'lightspan.yaml')]);
    expect({ code, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /lightspan\.yaml:1:5: to: .*latest, latest-rolling, recommended or a version/,
      ),
    });
  });
});

describe('precedence', () => {
  const key = 'index: file.json\n';
  const env = { LIGHTSPAN_INDEX: 'env.json' };
  it.each([
    ['a flag over all', ['--index', 'flag.json'], env, key, 'flag.json'],
    ['the environment over the file', [], env, key, undefined],
    ['the file over the default', [], {}, key, 'file.json'],
    ['the default', [], {}, 'to: latest\n', undefined],
  ])('%s', async (_, argv, env, settings, expected) => {
    const { near } = await optionsOf(['upgrade-plan', '--from', '1.2.0', ...argv], settings, { env });
    expect(near('index')).toBe(expected);
  });

  const plan = ['upgrade-plan'];
  const preflight = ['upgrade-preflight', '--from', '1.2.0'];
  const whole = `instance: https://bi.example.com
pins: ['values.yaml#image.tag']
tagSuffix: -x
to: latest-rolling
deploy: helm
helm: {release: ld, namespace: bi, context: prod, values: [base.yaml, values.yaml]}
database: env
facts: {edition: enterprise}
diskFree: 40GiB
knownIssues: [ours]
`;
  it.each<[string[], string, unknown]>([
    [plan, 'instance', 'https://bi.example.com'],
    [[...plan, '--from', '1.2.0'], 'instance', undefined],
    [[...plan, '--offline'], 'instance', undefined],
    [[...plan, '--offline'], 'fromFile', ['values.yaml#image.tag']],
    [plan, 'to', 'latest-rolling'],
    [['upgrade-check'], 'to', 'latest'],
    [['upgrade-bump'], 'file', ['values.yaml#image.tag']],
    [['upgrade-bump', '--file', 'x'], 'file', ['x']],
    [plan, 'deploy', 'helm'],
    [[...plan, '--format', 'junit'], 'deploy', undefined],
    [[...plan, '--deploy', 'compose'], 'release', undefined],
    [[...plan, '--release', 'other'], 'release', 'other'],
    [plan, 'values', ['base.yaml', 'values.yaml']],
    [plan, 'tagSuffix', '-x'],
    [['upgrade-check', '--from', '1.2.0'], 'tagSuffix', undefined],
    [preflight, 'values', ['base.yaml', 'values.yaml']],
    [preflight, 'kubernetes', true],
    [[...preflight, '--offline'], 'kubernetes', undefined],
    [[...preflight, '--offline'], 'database', undefined],
    [[...preflight, '--manifests', 'x'], 'kubernetes', undefined],
    [[...preflight, '--manifests', 'x'], 'namespace', 'bi'],
    [[...preflight, '--facts', 'x'], 'database', undefined],
    [[...preflight, '--facts', 'x'], 'kubernetes', undefined],
    [[...preflight, '--facts', 'x'], 'namespace', undefined],
    [[...preflight, '--sql'], 'database', undefined],
    [[...preflight, '--database', 'OTHER'], 'database', 'OTHER'],
    [preflight, 'diskFree', 40 * 1024 ** 3],
    [[...preflight, '--disk-free', '1GiB'], 'diskFree', 1024 ** 3],
    [preflight, 'fact', new Map([['edition', 'enterprise']])],
    [
      [...preflight, '--fact', 'deployed-by=helm'],
      'fact',
      new Map([
        ['deployed-by', 'helm'],
        ['edition', 'enterprise'],
      ]),
    ],
    [[...preflight, '--fact', 'edition=community'], 'fact', new Map([['edition', 'community']])],
    // What deploys is known without the file that pins.
    [
      ['upgrade-check', '--from', '1.2.0'],
      'fact',
      new Map([
        ['deployed-by', 'helm'],
        ['edition', 'enterprise'],
      ]),
    ],
    [['upgrade-check', '--from-file', 'x'], 'fact', new Map([['edition', 'enterprise']])],
    [
      ['upgrade-check', '--from', '1.2.0', '--fact', 'deployed-by=compose'],
      'fact',
      new Map([
        ['deployed-by', 'compose'],
        ['edition', 'enterprise'],
      ]),
    ],
    [preflight, 'knownIssues', ['ours']],
    [[...preflight, '--known-issues', 'theirs'], 'knownIssues', ['theirs', 'ours']],
    [['upgrade-verify'], 'instance', 'https://bi.example.com'],
    [['upgrade-verify', '--version', '1.2.0'], 'kubernetes', true],
  ])('%s: %s is %j', async (argv, name, expected) => {
    const files = { 'values.yaml': values.replace('1.121.0', '1.121.0-x') };
    expect((await optionsOf(argv, whole, { files })).near(name)).toEqual(expected);
  });

  it('takes what upgrade-verify waits for from the pins', async () => {
    const files = { 'values.yaml': values };
    const settings = "instance: https://bi.example.com\npins: ['values.yaml#image.tag']\n";
    expect((await optionsOf(['upgrade-verify'], settings, { files })).options).toMatchObject({
      version: '1.121.0',
    });
    const { code, stderr } = await runCli(['upgrade-verify', '--no-settings', '--version', '1.2.0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("required option '--instance <url>'")]);
  });

  it('reads no pin for upgrade-verify that is given the version, nor for another command', async () => {
    // What the pins name is not there.
    const settings = "instance: https://bi.example.com\npins: ['none.yaml#image.tag']\n";
    const given = await optionsOf(['upgrade-verify', '--version', '1.2.0'], settings);
    expect(given.options).toMatchObject({ version: '1.2.0' });
    await expect(optionsOf(['upgrade-verify'], settings)).rejects.toThrow('none.yaml');
    expect((await optionsOf(['upgrade-preflight'], settings)).options.version).toBeUndefined();
    const withoutPins = await optionsOf(
      ['upgrade-verify', '--version', '1.2.0'],
      'instance: https://x.example\n',
    );
    expect(withoutPins.options).toMatchObject({ version: '1.2.0' });
    const neither = await optionsOf(['upgrade-verify'], 'instance: https://x.example\n');
    expect(neither.options.version).toBeUndefined();
  });

  it.each([
    ["['values.yaml']", ['values.yaml']],
    ["['env/*/values.yaml#image.tag']", ['a/values.yaml#image.tag', 'b/values.yaml#image.tag']],
    ["['env/c*.yaml#services.*.image']", ['compose.yaml#services.lightdash.image']],
    ["['env/c*.yaml']", ['compose.yaml']],
  ])('finds the places of the pins %s', async (pins, expected) => {
    const files = {
      'values.yaml': values,
      'env/a/values.yaml': values,
      'env/b/values.yaml': values,
      'env/compose.yaml': compose,
    };
    const { options } = await optionsOf(plan, `pins: ${pins}\n`, { files });
    expect(options.fromFile).toHaveLength(expected.length);
    for (const [i, place] of expected.entries()) {
      expect((options.fromFile as readonly string[])[i]?.endsWith(place)).toBe(true);
    }
  });

  it('names the file where it changed an option, and what leads out of the repository', async () => {
    const said = async (argv: readonly string[], settings: string) => (await optionsOf(argv, settings)).said;
    const verify = ['upgrade-verify', '--instance', 'https://x.example', '--version', '1.2.0'];
    expect(await said(verify, 'diskFree: 1GiB\n')).toBe('');
    expect(await said([...verify, '--index', 'y.json'], 'index: x.json\n')).toBe('');
    expect(await said(verify, 'index: x.json\n')).toMatch(/^Settings: .*lightspan\.yaml\n$/);
    const folder = folderOf({
      'repo/.git/x': '',
      'repo/lightspan.yaml': 'index: ../x.json\n',
      'other.yaml': 'index: a/x.json\n',
    });
    writeFileSync(join(folder, 'x.json'), '');
    const check = async (name: string) => {
      const file = join(folder, 'repo', name);
      return (await runCli(['upgrade-check', '--from', '1.2.0', '--json', '--settings', file])).stderr.split(
        '\n',
      )[0];
    };
    expect(await check('lightspan.yaml')).toMatch(
      /^Settings: .*lightspan\.yaml, \.\.\/x\.json is outside the repository$/,
    );
    symlinkSync(folder, join(folder, 'repo/a'));
    symlinkSync('../other.yaml', join(folder, 'repo/link.yaml'));
    expect(await check('link.yaml')).toMatch(
      /^Settings: .*link\.yaml, a link out of the repository, a\/x\.json is outside the repository$/,
    );
  });
});

it('a pin of settings may lie behind a link', () => {
  const folder = folderOf({ 'a/values.yaml': '', 'b/x': '' });
  symlinkSync('../a/values.yaml', join(folder, 'b/values.yaml'));
  const files = ['a/values.yaml', 'b/values.yaml'];
  expect(filesOf(parsePinPattern('*/values.yaml#image.tag'), folder)).toEqual(files);
});

describe('a setting of an option', () => {
  it('is a key of the file, which every command reads, and stands on its page', async () => {
    const declared: string[] = [];
    const program = await declareProgram(async ({ options }) => {
      declared.push(...options.flatMap(({ name, setting }) => (setting ? [name] : [])));
    });
    for (const words of ['upgrade-plan', 'upgrade-preflight', 'upgrade-bump --file x']) {
      await program.parseAsync(words.split(' '), { from: 'user' });
    }
    const keys = Object.keys(settingsOfOptions);
    expect([...new Set(declared)].toSorted()).toEqual(keys.toSorted());
    expect(Object.keys(settingsSchema.shape)).toEqual(expect.arrayContaining(keys));
    const page = readFileSync('docs/commands/settings.md', 'utf8');
    expect(Object.keys(settingsSchema.shape).filter((key) => !page.includes(`\`${key}\``))).toEqual([
      '$schema',
    ]);
  });

  it('fills no option of another meaning', async () => {
    const { options } = await optionsOf(['known-issues', 'list'], 'to: latest-rolling\n');
    expect(options).not.toHaveProperty('to');
  });
});

describe('the file', () => {
  it('is the nearest one, up to the root of the repository', () => {
    const folder = folderOf({ 'lightspan.yaml': '', 'repo/.git/x': '', 'repo/a/b/x': '', 'other/x': '' });
    const nearest = (path: string) => findSettings(foldersAbove(join(folder, path)));
    expect(nearest('repo/a/b')).toBeUndefined();
    expect(nearest('other')).toBe(join(folder, 'lightspan.yaml'));
    writeFileSync(join(folder, 'repo/lightspan.yaml'), '');
    expect(nearest('repo/a/b')).toBe(join(folder, 'repo/lightspan.yaml'));
  });

  it.each([
    ['a token', 'index: https://x.example/?token=abc123', 'the whole address goes into LIGHTSPAN_INDEX'],
    ['a token in itself', 'instance: ldpat_abc123', 'a token goes into LIGHTDASH_API_KEY'],
    ['a key of a secret', 'apiKey: abc123', '1:1: apiKey: no secret belongs here'],
    ['a password as a parameter', 'database: postgresql://h/d?password=abc123', 'PGPASSWORD'],
  ])('is refused with %s', async (_, text, expected) => {
    const folder = folderOf({ 'lightspan.yaml': text });
    const { code, stdout, stderr } = await runCli(['settings', '--settings', join(folder, 'lightspan.yaml')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('abc123');
  });

  it.each([
    ['a duration', 'minAge: 3 days', 'minAge: expected how old a recommended release must be, such as 4d'],
    ['no duration', 'minAge: 0d', 'minAge: expected how old'],
    ['a size', 'diskFree: lots', 'diskFree: expected free space on the database disk, such as 40GiB'],
    ['a size of nothing', 'diskFree: 0GiB', 'diskFree: expected free space'],
    [
      'a mistyped fact',
      'facts: {edittion: community}',
      'facts.edittion: unknown key; did you mean `edition`?',
    ],
    ['a fact of another form', 'facts: {edition: pro}', 'facts.edition: expected community or enterprise'],
    [
      'a time without a day',
      'facts: {backup: yesterday}',
      'facts.backup: expected a time as 2026-11-28T10:00Z',
    ],
    ['half a count', 'facts: {rows.saved_queries: 1.5}', 'expected a whole number, got 1.5'],
  ])('is refused by lightspan settings where another command refuses it: %s', async (_, text, expected) => {
    const folder = folderOf({ 'lightspan.yaml': `${text}\n` });
    const { code, stderr } = await runCli(['settings', '--settings', join(folder, 'lightspan.yaml')]);
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
  });

  it('is never passed over because it cannot be read', () => {
    const folder = folderOf({ 'lightspan.yaml/x': '', 'link/x': '' });
    symlinkSync('none', join(folder, 'link/lightspan.yaml'));
    expect(findSettings([folder])).toBeDefined();
    expect(findSettings([join(folder, 'link')])).toBeDefined();
  });

  // Only the system may give files to others.
  describe.runIf(process.getuid?.() === 0)('of another user', () => {
    const [mine, theirs, others] = [0, 40_001, 40_002] as const;
    /** A folder of one, with settings of another, and a folder below it. */
    const place = (ownedBy: number, settingsOf: number): string => {
      const folder = folderOf({ 'lightspan.yaml': 'to: latest\n', 'below/x': '' });
      for (const path of [folder, join(folder, 'below')]) chownSync(path, ownedBy, ownedBy);
      chownSync(join(folder, 'lightspan.yaml'), settingsOf, settingsOf);
      return folder;
    };
    const linked = (linkOf: number, settingsOf: number): string => {
      const folder = folderOf({ x: '' });
      const file = join(place(mine, settingsOf), 'lightspan.yaml');
      symlinkSync(file, join(folder, 'lightspan.yaml'));
      lchownSync(join(folder, 'lightspan.yaml'), linkOf, linkOf);
      return folder;
    };
    it.each<[what: string, start: () => string, isTaken: boolean]>([
      ['is taken of this user', () => place(theirs, mine), true],
      [
        'is taken of the owner of the folder, such as a checkout in a container',
        () => place(theirs, theirs),
        true,
      ],
      ['is refused in a folder that all may write', () => place(mine, theirs), false],
      ['is refused in a folder of a third', () => place(others, theirs), false],
      ['is refused above a folder', () => join(place(mine, theirs), 'below'), false],
      ['is taken through a link', () => linked(mine, mine), true],
      ['is refused through a link of this user', () => linked(mine, theirs), false],
      ['is refused through a link of theirs, of this user', () => linked(theirs, mine), false],
    ])('%s', (_, start, isTaken) => {
      const find = () => findSettings(foldersAbove(start()));
      if (isTaken) expect(find()).toMatch(/lightspan\.yaml$/);
      else expect(find).toThrow(/lightspan\.yaml is another user's/);
    });
  });

  it.skipIf(process.platform === 'win32')('is refused if it never ends', () => {
    const folder = folderOf({ x: '' });
    execFileSync('mkfifo', [join(folder, 'lightspan.yaml')]);
    expect(() => findSettings([folder])).toThrow('is a pipe or a device, not a file');
    const link = folderOf({ x: '' });
    symlinkSync(join(folder, 'lightspan.yaml'), join(link, 'lightspan.yaml'));
    expect(() => findSettings([link])).toThrow('is a pipe or a device, not a file');
  });
});

it("decides nothing of a mirror, which is made of the publisher's index", async () => {
  const argv = ['index', 'mirror', '--out', 'x'];
  await expect(optionsOf(argv, 'index: x.json\n')).rejects.toThrow("unknown option '--settings'");
});

describe('lightspan settings', () => {
  const rowsOf = async (text: string, env = {}, now = new Date('2026-09-06')) => {
    const folder = folderOf({ 'lightspan.yaml': text });
    const file = join(folder, 'lightspan.yaml');
    const { stdout, code } = await runCli(['settings', '--settings', file], { env, now });
    expect(code).toBe(0);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
    return rows.slice(2, -1).map(([key, value, from]) => [key, value, from?.replace(/^.*\//, '')]);
  };

  it('shows what is in force, and from where', async () => {
    const text = 'to: latest-rolling\nindex: x.json\nhelm:\n  values: [a, b]\n';
    expect(await rowsOf(text, { LIGHTSPAN_INDEX: realIndexFile, LIGHTSPAN_KNOWN_ISSUES: 'ours' })).toEqual([
      ['index', realIndexFile, 'LIGHTSPAN_INDEX'],
      ['to', 'latest-rolling', 'lightspan.yaml'],
      ['helm.values', 'a, b', 'lightspan.yaml'],
      ['knownIssues, too', 'ours', 'LIGHTSPAN_KNOWN_ISSUES'],
    ]);
  });

  it('writes the same as JSON, each with its source', async () => {
    const folder = folderOf({
      'lightspan.yaml':
        'index: x.json\ndeploy: helm\nhelm:\n  values: [a, b]\nfacts: {postgres-major: 15}\nknownIssues: [c]\n' +
        'ignore:\n  - {path: docs/**, reason: none}\naccept:\n  - {issue: i, reason: why, until: 2026-09-06}\n',
    });
    const file = join(folder, 'lightspan.yaml');
    const env = { LIGHTSPAN_INDEX: realIndexFile, LIGHTSPAN_KNOWN_ISSUES: 'ours' };
    const now = new Date('2026-09-07');
    const { stdout, code } = await runCli(['settings', '--settings', file, '--json'], { env, now });
    const answer = JSON.parse(stdout);
    const from = shownPath(file);
    expect(code).toBe(0);
    expect(validatorOf('settings-result.json')(answer)).toBe(true);
    expect(answer).toEqual({
      schemaVersion: '1',
      file: from,
      settings: [
        { key: 'index', value: realIndexFile, from: 'LIGHTSPAN_INDEX' },
        { key: 'to', value: 'latest', from: 'default' },
        { key: 'deploy', value: 'helm', from },
        { key: 'helm.values', value: ['a', 'b'], from },
        { key: 'facts.postgres-major', value: 15, from },
        { key: 'knownIssues', value: ['c'], from },
        { key: 'knownIssues', value: 'ours', from: 'LIGHTSPAN_KNOWN_ISSUES' },
      ],
      ignore: [{ path: 'docs/**', reason: 'none' }],
      accept: [{ name: 'i', state: 'lapsed', reason: 'why', by: null, until: '2026-09-06' }],
    });
    const { stdout: none } = await runCli(['settings', '--no-settings', '--format', 'json']);
    expect(JSON.parse(none)).toMatchObject({ file: null, ignore: [], accept: [] });
  });

  it('shows what is accepted, and what no longer is', async () => {
    const text =
      'to: latest\naccept:\n  - release: 1.2.3\n    reason: why\n    by: us\n    until: 2026-09-06\n';
    const accepted = async (now: string) => (await rowsOf(text, {}, new Date(now))).at(-1);
    const said = '1.2.3 until 2026-09-06 by us: why';
    const from = 'lightspan.yaml';
    expect(await accepted('2026-09-06T23:59:59Z')).toEqual(['accept.1', `Accepted: ${said}`, from]);
    expect(await accepted('2026-09-07T00:00:00Z')).toEqual(['accept.1', `No longer accepted: ${said}`, from]);
  });
});

describe('a pins file', () => {
  const read = (text: string) => readBy(pinsFileSchema, text, { name: 'it', page: 'pin-check' });

  it('is read with a byte order mark', () => {
    expect(read('\uFEFFpins: [a]\n').pins).toEqual(['a']);
  });

  it.each<[string, string, string]>([
    ['nothing', '', '1:1: it is empty'],
    ['no pins', '$schema: x\n', 'pins: missing; expected a list'],
    ['an empty pin', "pins: ['']\n", 'pins[0]: expected a string that is not empty, got ""'],
    ['another key', 'pins: [a]\npin: b\n', 'pin: unknown key; did you mean `pins`?'],
    [
      'many faults',
      'pins: [0, 1, 2, 3, 4, 5]\n',
      [0, 1, 2, 3, 4].map((i) => `it:1:${8 + 3 * i}: pins[${i}]: expected a string, got ${i}`).join('; '),
    ],
  ])('is refused with %s', (_, text, faults) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(faults) }),
    );
  });
});
