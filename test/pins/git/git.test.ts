import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../src/core/lightspan-error.js';
import {
  blobReader,
  findCommit,
  findRenames,
  findStart,
  type Repository,
  readGit,
  treeOfCommit,
  treeOfIndex,
} from '../../../src/pins/git/git.js';
import { gitEnv, Repository as RealRepository } from '../../support/repository.js';
import { standIn } from '../../support/stand-in.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a git that fails', () => {
  const repositoryOf = (script: string) => ({ folder: temporaryFolder(), env: standIn('git', script) });
  const elsewhere = 'Run this in a clone of the repository, or name one with --repo.';
  const commit = (id: string) => ({ ref: 'main', id });
  const [first, second] = ['1', '2'].map((digit) => commit(digit.repeat(40)));

  const faultOf = (error: unknown) =>
    error instanceof LightspanError ? [error.code, error.message, error.hint] : error;

  it.each([
    ['is none', 'echo "fatal: not a git repository: .git" >&2; echo more >&2; exit 128'],
    ['belongs to another', `echo "fatal: detected dubious ownership in repository at '/x'" >&2; exit 128`],
    // A name is a commit only where git says so, and says which.
    ['has another exit', `echo ${'a'.repeat(40)}; exit 1`],
    ['names part of one', `echo ${'a'.repeat(39)}`],
    ['is cut off', 'case $* in *--is-shallow-repository) echo true;; *) exit 1;; esac'],
    ['cannot say that', 'case $* in *--is-shallow-repository) echo true; exit 1;; *) exit 1;; esac'],
  ])('finds no commit: %s', async (_, script) => {
    expect(await findCommit(repositoryOf(script), 'main').catch(faultOf)).toMatchSnapshot();
  });

  it.each(['origin/main', 'origin/a b', '0'.repeat(40)])('says what to fetch for %s', async (ref) => {
    expect(await findCommit(repositoryOf('exit 1'), ref).catch(faultOf)).toMatchSnapshot();
  });

  it.each([
    ['SHA-1', 40],
    ['SHA-256', 64],
  ])('finds a commit by %s, whatever white space is around it', async (_, length) => {
    const id = 'a'.repeat(length);
    expect(await findCommit(repositoryOf(`echo; echo " ${id}"; echo`), 'main')).toEqual({ ref: 'main', id });
  });

  it.each([
    ['what git says', 'echo "fatal: bad object" >&2; exit 128'],
    ['nothing', 'exit 128'],
    ['that there is nothing in common', 'exit 1'],
  ])('finds no beginning of a change: %s', async (_, script) => {
    if (first === undefined || second === undefined) throw new Error('two commits');
    expect(await findStart(repositoryOf(script), first, second).catch(faultOf)).toMatchSnapshot();
  });

  it.each([
    ['no program', () => ({ folder: temporaryFolder(), env: { PATH: '/nowhere' } })],
    ['no folder', () => ({ folder: join(temporaryFolder(), 'none'), env: standIn('git', 'exit 0') })],
  ])('may not be there: %s', async (_, repository) => {
    const one = repository();
    await expect(readGit(one, ['status'])).rejects.toMatchObject({
      code: 'unreadable-source',
      message: `cannot run git: there is no such program, or no folder ${one.folder}`,
      hint: 'Install git, and run this in the repository (or name it with --repo).',
    });
  });

  it('answers nothing where it does not end with 0', async () => {
    const asked = readGit(repositoryOf('echo all; echo " of it" >&2; echo more >&2; exit 1'), ['x']);
    await expect(asked).rejects.toMatchObject({
      message: 'git cannot read the repository: of it',
      hint: elsewhere,
    });
  });

  it.each([
    ['is ended by a signal', 'kill -9 $$', 'cannot run git: Command failed: git --no-pager'],
    ['answers with more than is read', 'head -c 268435457 /dev/zero', 'cannot run git: stdout maxBuffer'],
  ])('shows nothing where it %s', async (_, script, message) => {
    await expect(readGit(repositoryOf(script), ['status'])).rejects.toMatchObject({
      code: 'unreadable-source',
      message: expect.stringContaining(message),
    });
  });

  it('is run in its folder, and sees nothing that leads it elsewhere', async () => {
    const repository = repositoryOf('pwd; echo "$@"; env | grep -E "^(GIT|LC)_" | sort; echo "$MINE"');
    const env = {
      ...{ GIT_DIR: '/x', GIT_WORK_TREE: '/x', GIT_EXTERNAL_DIFF: 'x', GIT_PAGER: 'x', XGIT_CONFIG_A: '1' },
      ...{ GIT_CONFIG_COUNT: '0', GIT_INDEX_FILE: 'kept', GIT_ALLOW_PROTOCOL: 'ssh', GIT_NO_LAZY_FETCH: '0' },
      ...{ GIT_OBJECT_DIRECTORY: 'kept', GIT_QUARANTINE_PATH: 'kept', GIT_CEILING_DIRECTORIES: 'kept' },
      ...{ GIT_ALTERNATE_OBJECT_DIRECTORIES: 'kept', GIT_DISCOVERY_ACROSS_FILESYSTEM: 'kept' },
      ...{ LC_ALL: 'de_DE', MINE: 'kept', GIT_NO_REPLACE_OBJECTS: '0' },
    };
    const said = await readGit({ ...repository, env: { ...env, ...repository.env } }, ['status']);
    expect(said.toString().trim().split('\n')).toEqual([
      realpathSync(repository.folder),
      '--no-pager --no-optional-locks -c core.fsmonitor= status',
      'GIT_ALLOW_PROTOCOL=',
      'GIT_ALTERNATE_OBJECT_DIRECTORIES=kept',
      'GIT_CEILING_DIRECTORIES=kept',
      'GIT_CONFIG_COUNT=0',
      'GIT_DISCOVERY_ACROSS_FILESYSTEM=kept',
      'GIT_INDEX_FILE=kept',
      'GIT_NO_LAZY_FETCH=1',
      'GIT_NO_REPLACE_OBJECTS=1',
      'GIT_OBJECT_DIRECTORY=kept',
      'GIT_QUARANTINE_PATH=kept',
      'LC_ALL=C',
      'kept',
    ]);
  });
});

describe('the files of a commit', () => {
  it.each([
    ['100644', 'file'],
    ['100755', 'file'],
    ['120000', 'link'],
    ['160000', 'submodule'],
  ])('are told apart: mode %s is a %s', async (mode, kind) => {
    const env = standIn('git', `printf '${mode} blob 1234 \\ta b.yaml\\0\\tnameless\\0'`);
    const { files } = await treeOfCommit({ folder: temporaryFolder(), env }, 'x');
    expect([...files]).toEqual([['a b.yaml', { id: '1234', kind }]]);
  });

  it.each([
    ['0', 'file'],
    ['1', 'unmerged'],
    ['2', 'unmerged'],
  ])('that are staged are told apart: stage %s is %s', async (stage, kind) => {
    const env = standIn('git', `printf '100644 1234 ${stage}\\tv.yaml\\0'`);
    const { files } = await treeOfIndex({ folder: temporaryFolder(), env });
    expect([...files]).toEqual([['v.yaml', { id: '1234', kind }]]);
  });

  it.each([
    ['bytes that are not UTF-8', '\\377/v.yaml', '\ufffd/v.yaml', 'file'],
    ['two that read alike', '\\377\\0a b 2\\t\\376', '\ufffd', 'unnamed'],
    ['one that reads like another', '\\357\\277\\275\\0a b 2\\t\\376', '\ufffd', 'unnamed'],
    ['UTF-8', '\\303\\251', '\u00e9', 'file'],
  ])('are named by %s', async (_, bytes, path, kind) => {
    const env = standIn('git', `printf '100644 blob 1234\\t${bytes}\\0'`);
    const { files } = await treeOfCommit({ folder: temporaryFolder(), env }, 'x');
    expect([...files].map(([name, file]) => [name, file.kind])).toEqual([[path, kind]]);
  });

  it('are read as they are, whatever is in them, in any order', async () => {
    const contents = { a: '', b: '\n', c: 'x blob 3\nabc\n', d: 'é\0\n'.repeat(100_000), e: '\n' };
    const repository = new RealRepository().commit(contents);
    const { files, read } = await treeOfCommit({ folder: repository.folder, env: gitEnv }, 'HEAD');
    const all = [...files.values(), ...[...files.values()].toReversed()];
    const bytes = await Promise.all(all.map(read));
    const texts = Object.values(contents);
    expect(bytes.map((one) => Buffer.from(one).toString())).toEqual([...texts, ...texts.toReversed()]);
  });

  it('are read by one process as long as they are asked for, and by another after a pause', async () => {
    const env = standIn(
      'git',
      'echo begins >> "$ASIDE/runs"; while read id; do echo "$id blob 1"; echo x; done; echo ends >> "$ASIDE/runs"',
    );
    const read = blobReader({ folder: temporaryFolder(), env });
    const runs = () => readFileSync(join(env.ASIDE, 'runs'), 'utf8');
    for (const said of ['begins\nends\n', 'begins\nends\nbegins\nends\n']) {
      for (const id of ['1', '2', '3']) expect(Buffer.from(await read(id)).toString()).toBe('x');
      await expect.poll(runs).toBe(said);
    }
  });

  it('hold up the end of the program only while they are read', async () => {
    const script = 'while read id; do sleep 0.1; echo "$id blob 1"; echo x; done';
    const read = blobReader({ folder: temporaryFolder(), env: standIn('git', script) });
    const kinds = /^(?:ProcessWrap|PipeWrap)$/;
    const holding = () => process.getActiveResourcesInfo().filter((kind) => kinds.test(kind)).length;
    const before = holding();
    for (const id of ['1', '2']) {
      const reading = read(id);
      expect(holding()).toBe(before + 4);
      await reading;
      expect(holding()).toBe(before);
    }
  });

  it('may be missing, or no file: the next is read all the same', async () => {
    const repository = new RealRepository().commit({ a: '1' });
    const read = blobReader({ folder: repository.folder, env: gitEnv });
    const commit = repository.git('rev-parse', 'HEAD');
    const asked = [read('1'.repeat(40)), read(commit), read(repository.git('rev-parse', 'HEAD:a'))];
    const lost = (id: string, what: string) => ({
      status: 'rejected',
      reason: { code: 'unreadable-source', message: `the repository has no file ${id}: it is ${what}` },
    });
    expect(await Promise.allSettled(asked)).toMatchObject([
      lost('1'.repeat(40), 'missing'),
      lost(commit, 'commit'),
      { status: 'fulfilled', value: Buffer.from('1') },
    ]);
  });

  it.each([
    [
      'says why it ends',
      'echo "fatal: loose object is corrupt" >&2; exit 128',
      'git cannot read the repository: fatal: loose object is corrupt',
    ],
    ['ends in the middle', 'echo "1 blob 9"; echo abc', 'git cannot read the repository: it failed'],
    ['has more than is read', 'echo "1 blob 268435457"; cat /dev/zero', 'git answers with more than 256 MiB'],
  ])('are not read by a git that %s', async (_, script, message) => {
    const read = blobReader({ folder: temporaryFolder(), env: standIn('git', script) });
    for (const outcome of await Promise.allSettled([read('1'), read('2')])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreadable-source', message } });
    }
    await expect(read('3')).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it('are not read without git', async () => {
    const folder = temporaryFolder();
    await expect(blobReader({ folder, env: { PATH: '/nowhere' } })('1')).rejects.toMatchObject({
      message: `cannot run git: there is no such program, or no folder ${folder}`,
    });
  });

  it('may have moved: what git says of each', async () => {
    const said = ['M', 'a', 'R090', 'b', 'c', 'A', 'Rx', ''].join('\\0');
    const env = standIn('git', `printf '${said}'`);
    const change = { from: 'x', to: undefined };
    expect([...(await findRenames({ folder: temporaryFolder(), env }, change))]).toEqual([['b', 'c']]);
  });
});

describe('what git is asked', () => {
  const [base, head] = [
    { ref: 'main', id: '1'.repeat(40) },
    { ref: 'HEAD', id: '2'.repeat(40) },
  ];
  it.each<[string, (repository: Repository) => Promise<unknown>]>([
    ['the commit of a name', (repository) => findCommit(repository, 'v1')],
    ['where a change began', (repository) => findStart(repository, base, head)],
    ['the files of a commit', (repository) => treeOfCommit(repository, 'x')],
    ['what is staged', treeOfIndex],
    ['renames between commits', (repository) => findRenames(repository, { from: 'a', to: 'b' })],
    ['renames of what is staged', (repository) => findRenames(repository, { from: 'a', to: undefined })],
  ])('for %s', async (_, ask) => {
    const env = standIn('git', 'echo "$*" >> "$ASIDE/asked"');
    await ask({ folder: temporaryFolder(), env }).catch(() => undefined);
    expect(readFileSync(join(env.ASIDE, 'asked'), 'utf8').trim().split('\n')).toMatchSnapshot();
  });

  const start = (...ids: string[]) => {
    const env = standIn('git', `case $* in *merge-base*) printf '${ids.join('\\n')}\\n';; esac`);
    return findStart({ folder: temporaryFolder(), env }, base, head);
  };
  const third = '3'.repeat(40);

  it('is where a change began: the base, the one commit in common, or of several the base', async () => {
    expect(await start(base.id)).toBe(base);
    expect(await start(base.id, third)).toBe(base);
    expect(await start(third)).toEqual({ ref: 'main', id: third });
    expect(await start(third, head.id)).toBe(base);
  });
});
