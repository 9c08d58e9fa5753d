import { execFileSync, spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcomeOf, runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { changeOf, type FilesToWrite, gitEnv, Repository, stageSubmodule } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pinned = (version: string, name = 'values.yaml') => ({
  [name]: `image:\n  repository: lightdash/lightdash\n  tag: ${version}\n`,
});
const settings = (text: string) => ({ 'lightspan.yaml': text });
const accepts = (...versions: string[]) =>
  `accept:\n${versions.map((version) => `  - release: ${version}\n    reason: we have looked\n`).join('')}`;
const five = accepts('1.112.0', '1.113.0', '1.113.1', '1.114.0', '1.115.0');
const counts = (n: number): string[] => Array(n).fill('counts');

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { env: { ...gitEnv, ...env } });
  return { code, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

const pinCheck = (folder: string, ...argv: string[]) => run(['pin-check', '--repo', folder, ...argv]);
const byIndex = ['--index', realIndexFile];
const byBase = ['--base', 'main', ...byIndex];

describe('pin-check with settings', () => {
  const ofBase = /lightspan\.yaml of main$/;
  const later = (keys: string, base = 'of main') =>
    new RegExp(`${base}; ${keys} of the change count once it is merged$`);
  it.each<
    [what: string, before: string | null, after: FilesToWrite, code: number, states: string[], said: RegExp]
  >([
    ['of the base', five, {}, 0, counts(5), ofBase],
    ['of the change itself', null, settings(five), 1, [], later('accept', ', which main lacks')],
    ['that the change takes away', five, settings('to: latest\n'), 0, counts(5), later('accept, to')],
    ['of a file that the change deletes', five, { 'lightspan.yaml': null }, 0, counts(5), later('accept')],
    [
      'that the change prolongs',
      `${five}    until: 2020-01-01\n`,
      settings(`${five}    until: 2099-01-01\n`),
      1,
      [...counts(4), 'lapsed'],
      later('accept'),
    ],
    ['of one release too few', accepts('1.112.0', '1.113.0'), {}, 1, counts(2), ofBase],
    ['of no nearer file', accepts('1.112.0'), { 'sub/lightspan.yaml': five }, 1, counts(1), later('accept')],
  ])('accepts verdicts %s', async (_, before, after, code, states, said) => {
    const { folder } = changeOf(
      { ...pinned('1.111.0'), 'sub/x': '', ...(before === null ? {} : settings(before)) },
      { ...pinned('1.115.0'), ...after },
    );
    const outcome = await pinCheck(join(folder, 'sub'), ...byBase, '--pin', 'values.yaml#image.tag');
    expect(outcome.code, outcome.stderr).toBe(code);
    const { safe, judgedBy } = outcome.answer;
    expect(safe).toBe(false);
    expect((judgedBy.accepted ?? []).map(({ state }: { state: string }) => state)).toEqual(states);
    expect(judgedBy.settings).toMatch(said);
  });

  it.each<[what: string, ofHead: string | null, said: RegExp]>([
    ['as in the base', five, ofBase],
    ['of the change', 'to: latest\n', later('accept, to')],
    ['that are gone', null, later('accept')],
  ])('reads settings %s from --head, and not from the working tree', async (_, ofHead, said) => {
    const repository = changeOf(
      { ...pinned('1.111.0'), ...settings(five) },
      { ...pinned('1.115.0'), 'lightspan.yaml': ofHead },
    );
    repository.write(settings('ignore: [{path: x, reason: ours}]\n'));
    const outcome = await pinCheck(repository.folder, ...byBase, '--head', 'change');
    expect(outcome.answer.judgedBy.settings).toMatch(said);
  });

  it('accepts nothing that the base has taken back since', async () => {
    const repository = changeOf({ ...pinned('1.111.0'), ...settings(five) }, pinned('1.115.0'));
    expect((await pinCheck(repository.folder, ...byBase)).code).toBe(0);
    repository.git('switch', '--quiet', 'main');
    repository.commit(settings('to: latest\n'));
    repository.git('switch', '--quiet', 'change');
    expect((await pinCheck(repository.folder, ...byBase)).code).toBe(1);
  });

  const pins = "pins: ['values.yaml#image.tag']\n";
  it.each<[what: string, before: FilesToWrite, after: FilesToWrite, places: string[]]>([
    ['of the base', settings(pins), {}, ['values.yaml']],
    ['that the change takes away', settings(pins), settings('to: latest\n'), ['values.yaml']],
    ['that the change adds', {}, settings(pins), ['values.yaml']],
    ['by their files alone', settings("pins: ['*.yaml']\n"), {}, ['values.yaml']],
    [
      'by path and by file',
      { ...settings("pins: ['values.yaml#image.tag', 'other.yaml']\n"), ...pinned('1.121.0', 'other.yaml') },
      pinned('1.122.0', 'other.yaml'),
      ['other.yaml', 'values.yaml'],
    ],
  ])('judges the pins %s', async (_, before, after, places) => {
    const { folder } = changeOf({ ...pinned('1.121.0'), ...before }, { ...pinned('1.122.0'), ...after });
    const { answer, code } = await pinCheck(folder, ...byBase);
    expect(answer.pins.map(({ file }: { file: string }) => file).sort()).toEqual(places);
    expect(code).toBe(0);
  });

  const two = (own: string, other: string) => ({
    'values.yaml': `image:\n  repository: lightdash/lightdash\n  tag: ${own}\nold:\n  image: lightdash/lightdash-old:${other}\n`,
  });
  const [before, after] = [two('1.121.0', '1.121.0'), two('1.121.0', '1.122.0')];
  const pinsFile = (text: string) => ({ 'lightspan.pins.yaml': text });
  const others = { 'other.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: 1.121.0\n' };
  const ofOthers = "pins: ['other.yaml#image.tag']\n";
  it.each<[what: string, before: FilesToWrite, after: FilesToWrite, places: string[]]>([
    ['in a new file of pins', others, pinsFile(ofOthers), ['values.yaml#old.image']],
    ['in new settings', others, settings(ofOthers), ['values.yaml#old.image']],
    [
      'in longer settings',
      { ...others, ...settings('to: latest\n') },
      settings(`to: latest\n${ofOthers}`),
      ['values.yaml#old.image'],
    ],
    ['of the same file', settings(pins), {}, ['values.yaml#old.image']],
    ['of another file, in the base', { ...others, ...settings(ofOthers) }, {}, []],
  ])('looks for pins beside those %s', async (_, base, change, moved) => {
    const { folder } = changeOf({ ...before, ...base }, { ...after, ...change });
    const { answer, stderr } = await pinCheck(folder, ...byBase);
    const places = answer.pins.filter(({ finding }: Record<string, string>) => finding !== 'unchanged');
    expect(
      places.map(({ file, path }: Record<string, string>) => `${file}#${path}`),
      stderr,
    ).toEqual(moved);
  });

  it('takes nothing of them with --no-settings, and refuses those of the base that have a fault', async () => {
    const moved = (text: string) =>
      changeOf({ ...pinned('1.111.0'), ...settings(text) }, { ...pinned('1.115.0'), ...settings(five) });
    expect((await pinCheck(moved(five).folder, ...byBase, '--no-settings')).code).toBe(1);
    const { code, stderr } = await pinCheck(moved('acept: []\n').folder, ...byBase);
    expect([code, stderr]).toEqual([2, expect.stringContaining('of main:1:1: acept: unknown key')]);
  });

  const small = JSON.stringify(indexOf({ version: '1.121.0' }, { version: '1.122.0' }));
  it.each([
    ['index', 'index: index.json\n', 'index.json', small],
    ['known issues', `index: index.json\nknownIssues: [ours]\n`, 'ours/x.json', '[]'],
  ])('is not judged by its own %s, and needs none where no pin moves', async (_, text, file, content) => {
    const before = { ...pinned('1.121.0'), ...settings(text), 'index.json': small, 'ours/x.json': '[ ]' };
    const of = (after: FilesToWrite) => pinCheck(changeOf(before, after).folder, '--base', 'main');
    const own = { [file]: `${content}\n` };
    expect((await of({ ...own, x: '' })).code).toBe(0);
    expect(await of({ ...own, ...pinned('1.122.0') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} is not as in main`),
    });
  });

  const larger = `${small}\n`;
  it.each<[what: string, text: string, before: FilesToWrite, change: FilesToWrite, said: string]>([
    [
      'a link',
      'index: i.json\n',
      { 'i.json': { link: 'data/x.json' }, 'data/x.json': small },
      { 'data/x.json': larger },
      'data/x.json',
    ],
    [
      'a link that leads elsewhere',
      'index: i.json\n',
      { 'i.json': { link: 'a.json' }, 'a.json': small, 'b.json': larger },
      { 'i.json': { link: 'b.json' } },
      'i.json',
    ],
    [
      'a linked folder',
      'index: near/x.json\n',
      { near: { link: 'data' }, 'data/x.json': small },
      { 'data/x.json': larger },
      'data/x.json',
    ],
    [
      'a folder that becomes a link',
      'index: near/x.json\n',
      { 'near/x.json': small, 'data/x.json': larger },
      { 'near/x.json': null, near: { link: 'data' } },
      'near/x.json',
    ],
    [
      'a link in a folder',
      'index: i.json\nknownIssues: [ours]\n',
      { 'i.json': small, 'ours/x.json': { link: '../y.json' }, 'y.json': '[]' },
      { 'y.json': '[ ]' },
      'y.json',
    ],
    [
      'a name that begins with two dots',
      'index: ..data/x.json\n',
      { '..data/x.json': small },
      { '..data/x.json': larger },
      '..data/x.json',
    ],
    ['a file that is new', 'index: i.json\n', {}, { 'i.json': small }, 'i.json'],
  ])('is not judged by its own index or issues through %s', async (_, text, before, change, said) => {
    // An index names releases: where one comes, or becomes a link, the change is not judged by it, nor without it.
    const ignored = `${text}ignore: [{path: '**/*.json', reason: an index deploys nothing}]\n`;
    const base = { ...pinned('1.121.0'), ...settings(ignored), ...before };
    const of = (after: FilesToWrite) => pinCheck(changeOf(base, after).folder, '--base', 'main');
    expect(await of({ ...change, ...pinned('1.122.0') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${said} is not as in main`),
    });
    expect((await of(pinned('1.122.0'))).stderr).not.toContain('is not as in');
  });

  it.each([
    ['its index', 'index: sub/i.json\n'],
    ['its known issues', 'index: i.json\nknownIssues: [sub/ours]\n'],
    ['known issues around it', 'index: i.json\nknownIssues: [.]\n'],
  ])('is not judged by a submodule: %s', async (_, text) => {
    const repository = new Repository().commit({ ...pinned('1.121.0'), ...settings(text), 'i.json': small });
    const commit = repository.git('rev-parse', 'HEAD');
    stageSubmodule(repository, 'sub', { 'i.json': small, 'ours/x.json': '[]' }, commit);
    repository.git('commit', '--quiet', '--message', 'a submodule');
    repository.git('switch', '--quiet', '--create', 'change');
    repository.write(pinned('1.122.0'));
    repository.git('commit', '--quiet', '--all', '--message', 'a change');
    expect(await pinCheck(repository.folder, '--base', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sub is a submodule'),
    });
  });

  it('is judged by what is outside the repository, and by what the job has put into it', async () => {
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'i.json'), small);
    const linked = {
      ...pinned('1.121.0'),
      ...settings('index: i.json\n'),
      'i.json': { link: join(elsewhere, 'i.json') },
    };
    expect((await pinCheck(changeOf(linked, pinned('1.122.0')).folder, '--base', 'main')).code).toBe(0);
    const ignored = { ...pinned('1.121.0'), ...settings('index: i.json\n'), '.gitignore': 'i.json\n' };
    const { folder } = changeOf(ignored, pinned('1.122.0'));
    writeFileSync(join(folder, 'i.json'), small);
    expect((await pinCheck(folder, '--base', 'main')).code).toBe(0);
  });

  it.each<[what: string, before: FilesToWrite, after: FilesToWrite]>([
    [
      'to a file',
      { 'lightspan.yaml': { link: 'deploy/ours.yaml' }, 'deploy/ours.yaml': five },
      { 'deploy/ours.yaml': 'to: latest\n' },
    ],
    [
      'to a link',
      { 'lightspan.yaml': { link: 'a.yaml' }, 'a.yaml': { link: 'b.yaml' }, 'b.yaml': five },
      { 'b.yaml': 'to: latest\n' },
    ],
    [
      'that the change turns',
      { 'lightspan.yaml': { link: 'a.yaml' }, 'a.yaml': five, 'b.yaml': 'to: latest\n' },
      { 'lightspan.yaml': { link: 'b.yaml' } },
    ],
  ])('takes the settings of the base through a link %s', async (_, before, after) => {
    const { folder } = changeOf({ ...pinned('1.111.0'), ...before }, { ...pinned('1.115.0'), ...after });
    const { code, answer, stderr } = await pinCheck(folder, ...byBase, '--pin', 'values.yaml#image.tag');
    expect(code, stderr).toBe(0);
    expect(answer.judgedBy.settings).toMatch(later('accept, to'));
  });

  it('takes settings that are outside the repository as they are, and those of a submodule not at all', async () => {
    const { folder } = changeOf(pinned('1.111.0'), pinned('1.115.0'));
    const elsewhere = join(temporaryFolder(), 'ours.yaml');
    writeFileSync(elsewhere, five);
    expect((await pinCheck(folder, ...byBase, '--settings', elsewhere)).code).toBe(0);
    const linked = changeOf(
      { ...pinned('1.111.0'), 'lightspan.yaml': { link: elsewhere } },
      pinned('1.115.0'),
    );
    expect((await pinCheck(linked.folder, ...byBase)).code).toBe(0);

    const repository = new Repository().commit(pinned('1.111.0'));
    stageSubmodule(repository, 'sub', { 'ours.yaml': five }, repository.git('rev-parse', 'HEAD'));
    repository.git('commit', '--quiet', '--message', 'a submodule');
    const given = ['--settings', join(repository.folder, 'sub/ours.yaml')];
    expect((await pinCheck(repository.folder, ...byBase, ...given)).code).toBe(2);
  });

  it('accepts nothing of settings for two files, of which nobody knows the base', async () => {
    const folder = temporaryFolder();
    const [before, after] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')];
    writeFileSync(before, pinned('1.111.0')['values.yaml'] ?? '');
    writeFileSync(after, pinned('1.115.0')['values.yaml'] ?? '');
    writeFileSync(join(folder, 'lightspan.yaml'), five);
    const given = [...byIndex, '--settings', join(folder, 'lightspan.yaml')];
    expect((await run(['pin-check', '--before', before, '--after', after, ...given])).code).toBe(1);
  });

  it('takes those of the last commit for what is staged, and none before the first', async () => {
    const repository = new Repository().stage({ ...pinned('1.111.0'), ...settings(five) });
    const hook = () => pinCheck(repository.folder, '--pre-commit', ...byIndex, '--accept', 'added');
    expect((await hook()).answer.judgedBy.accepted).toBeUndefined();
    repository.commit({});
    repository.stage({ ...pinned('1.115.0'), ...settings('to: latest\n') });
    expect((await hook()).code).toBe(0);
  });
});

describe('a change that brings what judges it, named on the command line or in the environment', () => {
  const index = JSON.stringify(indexOf({ version: '1.121.0' }, { version: '1.122.0' }));
  const ours = JSON.stringify(recordOf({ affected: [{ introduced: '9.0.0', fixed: '9.0.1' }] }));
  const facts = (edition: string) =>
    `${JSON.stringify({
      schemaVersion: '1',
      collectedAt: '2026-09-06T18:00:00Z',
      facts: {
        stated: { status: 'seen', value: { edition }, seenAt: '2026-09-06T18:00:00Z', source: 'stated' },
      },
    })}\n`;
  const files = { 'i.json': index, 'ours.json': ours, 'facts.json': facts('community'), x: '1' };
  /** As in the job of a pull request, in a clone of its repository. */
  const judge = ({ folder }: Repository, named: Named, env: Record<string, string> = {}) => {
    const at = (text: string) => text.replaceAll('@', folder);
    const variables = Object.fromEntries(
      Object.entries(named.env ?? {}).map(([name, text]) => [name, at(text)]),
    );
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.122.0', ...(named.argv ?? []).map(at)];
    const event = join(temporaryFolder(), 'event.json');
    const sha = execFileSync('git', ['rev-parse', 'main'], { cwd: folder, encoding: 'utf8' }).trim();
    writeFileSync(event, JSON.stringify({ pull_request: { base: { sha } } }));
    const job = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event };
    return run(argv, { ...job, ...variables, ...env });
  };
  interface Named {
    readonly argv?: readonly string[];
    readonly env?: Record<string, string>;
  }
  const elsewhere = join(temporaryFolder(), 'i.json');
  writeFileSync(elsewhere, index);
  const byOther = ['--index', elsewhere];
  const sources: readonly (readonly [what: string, file: keyof typeof files, named: Named])[] = [
    ['--index', 'i.json', { argv: ['--index', '@/i.json'] }],
    ['LIGHTSPAN_INDEX', 'i.json', { env: { LIGHTSPAN_INDEX: '@/i.json' } }],
    ['--known-issues', 'ours.json', { argv: [...byOther, '--known-issues', '@/ours.json'] }],
    [
      'LIGHTSPAN_KNOWN_ISSUES',
      'ours.json',
      { argv: byOther, env: { LIGHTSPAN_KNOWN_ISSUES: '@/ours.json' } },
    ],
    ['--facts', 'facts.json', { argv: [...byOther, '--facts', '@/facts.json'] }],
    ['--index with --no-settings', 'i.json', { argv: ['--index', '@/i.json', '--no-settings'] }],
  ];

  it.each(sources)('is refused by %s, as by settings', async (_, file, named) => {
    const own = changeOf(files, { [file]: `${files[file]}\n` });
    expect(await judge(own, named)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} is not as in`),
    });
  });

  it.each(sources)('is judged by %s of what it leaves as it is', async (_, __, named) => {
    const { code, stderr } = await judge(changeOf(files, { x: '2' }), named);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('is not as in')]);
  });

  it('is judged by what the job itself fetches, and no commit has', async () => {
    const { 'i.json': _, ...others } = files;
    const own = changeOf(others, { x: '2' });
    own.write({ 'i.json': index });
    expect((await judge(own, { argv: ['--index', '@/i.json'] })).code).toBe(0);
  });

  it('is refused through a link from outside of the repository', async () => {
    const own = changeOf(files, { 'i.json': `${index}\n` });
    const link = join(temporaryFolder(), 'linked.json');
    symlinkSync(join(own.folder, 'i.json'), link);
    expect((await judge(own, { argv: ['--index', link] })).code).toBe(2);
  });

  it('has no answer where the clone lacks what it will be merged into, or the job does not say', async () => {
    const own = changeOf(files, { x: '2' });
    const named = { argv: ['--index', '@/i.json'] };
    const event = join(temporaryFolder(), 'event.json');
    writeFileSync(event, '{}');
    expect((await judge(own, named, { GITHUB_EVENT_PATH: event })).code).toBe(2);
    const sha = '1'.repeat(40);
    writeFileSync(event, JSON.stringify({ pull_request: { base: { sha } } }));
    // Which repository the change is of is then shown by the working folder alone.
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', 'i.json', '--json'];
    const child = spawn(nodeUnderTest, [resolve('bin/lightspan.cjs'), ...argv], {
      cwd: own.folder,
      env: { ...gitEnv, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event },
    });
    expect(await outcomeOf(child)).toMatchObject({ code: 3, stderr: expect.stringContaining(sha) });
  });

  it('decides nothing outside of a job for a change', async () => {
    const { folder } = changeOf(files, { 'i.json': `${index}\n` });
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.122.0', '--index', join(folder, 'i.json')];
    expect((await run(argv)).code).toBe(0);
  });

  it('is refused by pin-check, which knows the base by --base', async () => {
    const own = changeOf(
      { ...files, ...pinned('1.121.0') },
      { ...pinned('1.122.0'), 'i.json': `${index}\n` },
    );
    const outcome = await pinCheck(own.folder, '--base', 'main', '--index', join(own.folder, 'i.json'));
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('i.json is not as in main') });
  });
});

describe('a job for a change', () => {
  const repository = changeOf({ x: '1' }, settings(five));
  const { folder } = repository;
  const [main, change] = [repository.git('rev-parse', 'main'), repository.git('rev-parse', 'change')];
  const event = (name: string, content: object) => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, JSON.stringify(content));
    return { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file };
  };
  const pullRequest = (sha: string) => event('pull_request', { pull_request: { base: { sha } } });
  repository.git('update-ref', 'refs/remotes/origin/done', 'change');

  it('needs no base where nobody has settings', async () => {
    const argv = ['index', 'status', ...byIndex];
    expect((await run(argv, pullRequest('1'.repeat(40)))).code).toBe(0);
  });

  const broken = join(temporaryFolder(), 'broken.json');
  writeFileSync(broken, '{');
  const eventFile = (file: string) => ({ GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: file });

  it.each<[what: string, env: Record<string, string>, code: number]>([
    ['no job', {}, 0],
    ['an event without a pull request', event('pull_request', {}), 2],
    ['an event that says nothing', event('pull_request', { pull_request: { base: null } }), 2],
    ['an event that is no object', event('pull_request', []), 2],
    [
      'an event without a pull request, of a branch',
      { ...event('pull_request', {}), GITHUB_BASE_REF: 'done' },
      0,
    ],
    ['no file of an event', { GITHUB_EVENT_NAME: 'pull_request' }, 2],
    ['a file of an event that is not there', eventFile(join(folder, 'none.json')), 2],
    ['a file of an event that is no JSON', eventFile(broken), 2],
    ['a merge request without a commit', { CI_MERGE_REQUEST_IID: '1' }, 2],
    ['a push', event('push', { before: main }), 0],
    ['a pull request', pullRequest(main), 1],
    ['a pull request to what accepts it', pullRequest(change), 0],
    ['a merge queue', event('merge_group', { merge_group: { base_sha: main } }), 1],
    ['a merge queue on what accepts it', event('merge_group', { merge_group: { base_sha: change } }), 0],
    ['a branch that accepts it', { GITHUB_BASE_REF: 'done' }, 0],
    ['a branch that is not in the clone', { GITHUB_BASE_REF: 'main' }, 3],
    ['a commit that is not in the clone', pullRequest('1'.repeat(40)), 3],
    ['a merge request', { CI_MERGE_REQUEST_DIFF_BASE_SHA: main }, 1],
    [
      'a merge request whose target has gone on',
      { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: main, CI_MERGE_REQUEST_DIFF_BASE_SHA: change },
      1,
    ],
  ])('takes the settings from its base: %s', async (_, env, code) => {
    const argv = ['upgrade-plan', '--from', '1.111.0', '--to', '1.115.0', '--require-rolling', ...byIndex];
    const outcome = await run([...argv, '--settings', join(folder, 'lightspan.yaml')], env);
    expect(outcome.code, outcome.stderr).toBe(code);
  });
});
