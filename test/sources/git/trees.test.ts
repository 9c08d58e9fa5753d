import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ObjectReader, openObjects } from '../../../src/sources/git/trees.js';
import { gitEnv, Repository } from '../../support/repository.js';
import { standIn } from '../../support/stand-in.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Reads with a reader that is closed afterwards. */
async function withObjects<T>(folder: string, env: object, read: (objects: ObjectReader) => Promise<T>) {
  const objects = openObjects({ folder, env: { ...gitEnv, ...env } });
  return read(objects).finally(objects.close);
}

/** The object of some bytes in a repository. */
const store = ({ folder }: Repository, input: string | Uint8Array) =>
  execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder, env: gitEnv, input })
    .toString()
    .trim();

describe('the objects of a repository', () => {
  it('are read as they are, in any order, whatever is in them', async () => {
    const repository = new Repository();
    const contents = [
      '',
      '\n',
      'a',
      'x blob 3\nabc\n',
      `${'0'.repeat(40)} missing\n`,
      'é\0\n'.repeat(100_000),
    ];
    const ids = contents.map((content) => store(repository, content));
    const all = [...ids, ...ids.toReversed()];
    const read = await withObjects(repository.folder, {}, ({ readBlob }) => Promise.all(all.map(readBlob)));
    expect(read.map((bytes) => Buffer.from(bytes).toString())).toEqual([
      ...contents,
      ...contents.toReversed(),
    ]);
  });

  it('are read by one process, which is run at the first and ends with it', async () => {
    const env = standIn(
      'git',
      'echo begins >> "$ASIDE/runs"; while read id; do echo "$id blob 1"; echo x; done; echo ends >> "$ASIDE/runs"',
    );
    const runs = () => execFileSync('sh', ['-c', 'cat "$ASIDE/runs" 2> /dev/null; true'], { env }).toString();
    await withObjects(temporaryFolder(), env, async ({ readBlob }) => {
      expect(runs()).toBe('');
      for (const id of ['1', '2', '3']) expect(Buffer.from(await readBlob(id)).toString()).toBe('x');
      expect(runs()).toBe('begins\n');
    });
    await expect.poll(runs).toBe('begins\nends\n');
  });

  it('may be missing, or no file: the next is read all the same', async () => {
    const repository = new Repository().commit({ a: '1' });
    const none = '1'.repeat(40);
    const commit = repository.git('rev-parse', 'HEAD');
    await withObjects(repository.folder, {}, async ({ readBlob }) => {
      for (const [id, what] of [
        [none, 'missing'],
        [commit, 'commit'],
      ] as const) {
        await expect(readBlob(id)).rejects.toMatchObject({
          code: 'unreadable-source',
          message: `the repository has no file ${id}: it is ${what}`,
          hint: 'A part of it is lost: git fsck says which.',
        });
      }
      expect(Buffer.from(await readBlob(repository.git('rev-parse', 'HEAD:a'))).toString()).toBe('1');
    });
  });

  it.each<[string, string, object]>([
    [
      'says why it ends',
      'echo "fatal: loose object is corrupt" >&2; exit 128',
      { message: 'git cannot read the repository: fatal: loose object is corrupt' },
    ],
    [
      'ends in the middle',
      'echo "1 blob 9"; echo abc',
      { message: 'git cannot read the repository: it failed' },
    ],
    ['is ended by a signal', 'kill -9 $$', { message: 'git was ended by SIGKILL' }],
    [
      'has more than is read',
      'echo "1 blob 268435457"; cat /dev/zero',
      { message: 'git cat-file answers with more than 256 MiB' },
    ],
  ])('are not read by a git that %s, nor is any after it', async (_, script, fault) => {
    await withObjects(temporaryFolder(), standIn('git', script), async ({ readBlob }) => {
      for (const outcome of await Promise.allSettled([readBlob('1'), readBlob('2')])) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreadable-source' } });
      }
      await expect(readBlob('3')).rejects.toMatchObject({ code: 'unreadable-source' });
    });
    const first = withObjects(temporaryFolder(), standIn('git', script), ({ readBlob }) => readBlob('1'));
    await expect(first).rejects.toMatchObject(fault);
  });

  it('are not read without git, or without a folder', async () => {
    for (const [folder, env] of [
      [temporaryFolder(), { PATH: '/nowhere' }],
      [join(temporaryFolder(), 'none'), {}],
    ] as const) {
      await expect(withObjects(folder, env, ({ readBlob }) => readBlob('1'))).rejects.toMatchObject({
        code: 'unreadable-source',
        message: `cannot run git: there is no program of that name, or no folder ${folder}`,
      });
    }
  });
});
