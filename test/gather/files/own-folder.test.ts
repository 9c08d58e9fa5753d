import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireOwnFolder } from '../../../src/gather/files/cache-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const other = 4242;

/** A folder to make, with its mode and its owner; or a link, with its target. */
type Made = readonly [path: string, modeOrTarget?: number | string, uid?: number];

function make(below: string, all: readonly Made[]): void {
  for (const [path, mode = 0o755, uid = 0] of all) {
    const at = join(below, path);
    if (typeof mode === 'string') symlinkSync(mode, at);
    else {
      mkdirSync(at);
      chownSync(at, uid, uid);
      chmodSync(at, mode);
    }
  }
}

describe.skipIf(process.getuid?.() !== 0)('a folder of ours alone', () => {
  it.each<[name: string, made: readonly Made[], path: string, message?: RegExp]>([
    ['a folder', [['a']], 'a'],
    ['that its group may write', [['a', 0o775]], 'a', /others may write \S+a /],
    ['that is like /tmp', [['a', 0o1777]], 'a', /others may write \S+a /],
    ['of another user', [['a', 0o700, other]], 'a', /a belongs to another user/],
    ['in one that is like /tmp', [['tmp', 0o1777], ['tmp/a']], 'tmp/a'],
    [
      'below one that others may write',
      [['s', 0o777], ['s/a'], ['s/a/b']],
      's/a/b',
      /others may write \S+s /,
    ],
    ['of another user', [['home', 0o755, other], ['home/a']], 'home/a', /home belongs to another user/],
    ['behind a link to such', [['s', 0o777], ['s/a'], ['link', 's/a']], 'link', /others may write \S+s /],
    ['behind links in a circle', [['link', 'link']], 'link', /ELOOP/],
  ])('%s', (_, made, path, message) => {
    const below = temporaryFolder();
    make(below, made);
    const asked = `${below}/${path}`;
    if (message !== undefined) expect(() => requireOwnFolder(asked)).toThrow(message);
    else {
      expect(requireOwnFolder(asked)).toBe(realpathSync(asked));
      expect(requireOwnFolder(relative('.', asked))).toBe(realpathSync(asked));
    }
  });

  it('accepts a folder of the user inside one of root, and refuses that of another user', () => {
    const below = temporaryFolder();
    chmodSync(below, 0o755);
    make(below, [['a', 0o700, other]]);
    expect(requireOwnFolder(join(below, 'a'), other)).toBe(realpathSync(join(below, 'a')));
    expect(() => requireOwnFolder(join(below, 'a'), other + 1)).toThrow(/a belongs to another user/);
  });
});
