import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { comparePin } from '../../src/core/pins.js';
import { lookAtChange } from '../../src/pins/change.js';
import { pairPins } from '../../src/pins/compare/pairs.js';
import { blobReader, findRenames, treeOfCommit } from '../../src/pins/git/git.js';
import type { PinTree, TreeFile } from '../../src/pins/pin-tree.js';
import type { SeenReferrers } from '../../src/pins/uses.js';
import { gitEnv } from '../support/repository.js';

const repository = { folder: process.cwd(), env: gitEnv };
/**
 * What `ignore:` would name in a repository about releases of Lightdash, and no rule tells from what is deployed:
 * knowledge of them, the commands of a plan, tables and transcripts of tests, what looks at tools, and how all of it is
 * built and run.
 */
const ownData =
  /^(?:src\/(?:known-issues|pins|steps|core|checks)|known-issues|test|findings|bench|fixtures|examples|\.ci)\/|^package\.json$/;

const git = (...args: readonly string[]) => {
  try {
    return execFileSync('git', args, {
      cwd: repository.folder,
      encoding: 'utf8',
      env: gitEnv,
      stdio: 'pipe',
    });
  } catch {
    return '';
  }
};
/** From the last one; the oldest has nothing before it here. */
const commits = git('rev-list', '--first-parent', '-n', '201', 'HEAD').split('\n').filter(Boolean);
const count = commits.length - 1;

/** Files of many commits, each of which is read once, and by one process of git. */
function readOnce(): (tree: PinTree) => PinTree {
  const blob = blobReader(repository);
  const read = new Map<string, Promise<Uint8Array>>();
  const words = new Map<string, boolean>();
  return (tree) => {
    const bytesOf = (file: TreeFile) => {
      const bytes = read.get(file.id) ?? blob(file.id);
      read.set(file.id, bytes);
      return bytes;
    };
    const hasWord = async (file: TreeFile) => {
      if (!words.has(file.id)) {
        words.set(file.id, /lightdash/i.test(new TextDecoder().decode(await bytesOf(file))));
      }
      return words.get(file.id);
    };
    const filesWith = async () => {
      const files: string[] = [];
      for (const [name, file] of tree.files) {
        if (file.kind === 'file' && (await hasWord(file))) files.push(name);
      }
      return files;
    };
    return { files: tree.files, read: bytesOf, filesWith };
  };
}

// A copy without history, or with the last commit alone, has nothing to replay.
it.skipIf(count < 1)(
  `the last ${count} commits of this repository move no Lightdash, and none is stopped`,
  { timeout: 240_000 },
  async () => {
    const [once, seen, stopped]: [ReturnType<typeof readOnce>, SeenReferrers, string[]] = [
      readOnce(),
      new Map(),
      [],
    ];
    let is = once(await treeOfCommit(repository, commits[0] ?? ''));
    for (const [i, base] of commits.slice(1).entries()) {
      const head = commits[i] ?? '';
      const was = once(await treeOfCommit(repository, base));
      const hasGone = [...was.files.keys()].some((file) => !is.files.has(file));
      const renamed = hasGone ? await findRenames(repository, { from: base, to: head }) : new Map();
      const ignoredBy = (file: string) => (ownData.test(file) ? 'knowledge' : undefined);
      const look = await lookAtChange(was, is, { tagSuffix: undefined, renamed, seen, ignoredBy });
      const pairs = pairPins(look.before, look.after, renamed, look.patterns);
      const kinds = pairs.map((pair) => comparePin(pair.before, pair.after, pair.facts).kind);
      if (kinds.some((kind) => kind !== 'unchanged' && kind !== 'untouched'))
        stopped.push(`${head}: ${kinds}`);
      stopped.push(
        ...look.unexplained.map((one) => `${head}: ${one.file}:${one.line}: ${one.before} -> ${one.after}`),
      );
      is = was;
    }
    expect(stopped).toEqual([]);
  },
);

it.runIf(process.env.CI !== undefined && git('rev-parse', '--is-shallow-repository').trim() === 'false')(
  'the history of a full clone is replayed',
  () => expect(count).toBeGreaterThan(0),
);
