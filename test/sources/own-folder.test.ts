import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireOwnFolder } from '../../src/sources/cache-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const other = 4242;

/** A folder to ask for: what is made below the folder given, by which path it is asked for, what is said of it. */
type Case = readonly [name: string, make: (below: string) => void, path: string, message?: RegExp];

const folder = (path: string, mode = 0o755, uid = 0) => {
  mkdirSync(path);
  chownSync(path, uid, uid);
  chmodSync(path, mode);
};

const cases: readonly Case[] = [
  ['a folder', (below) => folder(join(below, 'a')), 'a'],
  ['that its group may write', (below) => folder(join(below, 'a'), 0o775), 'a', /others may write \S+a /],
  ['that is like /tmp', (below) => folder(join(below, 'a'), 0o1777), 'a', /others may write \S+a /],
  ['of another user', (below) => folder(join(below, 'a'), 0o700, other), 'a', /a belongs to another user/],
  [
    'in one that is like /tmp',
    (below) => {
      folder(join(below, 'tmp'), 0o1777);
      folder(join(below, 'tmp', 'a'));
    },
    'tmp/a',
  ],
  [
    'far below one that others may write',
    (below) => {
      folder(join(below, 'shared'), 0o777);
      folder(join(below, 'shared', 'a'));
      folder(join(below, 'shared', 'a', 'b'));
    },
    'shared/a/b',
    /others may write \S+shared /,
  ],
  [
    'in one of another user',
    (below) => {
      folder(join(below, 'home'), 0o755, other);
      folder(join(below, 'home', 'a'));
    },
    'home/a',
    /home belongs to another user/,
  ],
  [
    'behind a link out of ours, into one that others may write',
    (below) => {
      folder(join(below, 'shared'), 0o777);
      folder(join(below, 'shared', 'a'));
      symlinkSync('shared/a', join(below, 'link'));
    },
    'link',
    /others may write \S+shared /,
  ],
  ['behind links in a circle', (below) => symlinkSync('link', join(below, 'link')), 'link', /ELOOP/],
];

describe.skipIf(process.getuid?.() !== 0)('a folder of ours alone', () => {
  it.each(cases.map(([name, make, path, message]) => ({ name, make, path, message })))(
    '$name',
    ({ make, path, message }) => {
      const below = temporaryFolder();
      make(below);
      const asked = `${below}/${path}`;
      if (message !== undefined) expect(() => requireOwnFolder(asked)).toThrow(message);
      else {
        expect(requireOwnFolder(asked)).toBe(realpathSync(asked));
        expect(requireOwnFolder(relative('.', asked))).toBe(realpathSync(asked));
      }
    },
  );

  it('is also one of a user who is not root, in what root has, and not that of a third', () => {
    const below = temporaryFolder();
    chmodSync(below, 0o755);
    folder(join(below, 'a'), 0o700, other);
    expect(requireOwnFolder(join(below, 'a'), other)).toBe(realpathSync(join(below, 'a')));
    expect(() => requireOwnFolder(join(below, 'a'), other + 1)).toThrow(/a belongs to another user/);
  });
});
