import { spawn } from 'node:child_process';
import { LightspanError } from '../../errors.js';
import type { PinTree, TreeFile } from '../pin-tree.js';
import {
  cannotRun,
  endedBy,
  gitFault,
  invocationOf,
  maxOutputBytes,
  type Repository,
  readGit,
  tooMuch,
} from './git.js';

/**
 * The files of a commit, or of a tree.
 *
 * @throws {LightspanError} `unreadable-source`
 */
export async function treeOfCommit(
  repository: Repository,
  id: string,
  objects: ObjectReader,
): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-tree', '-r', '-z', '--full-tree', id]);
  return treeOf(objects, listed, (meta) => {
    const [mode = '', , object = ''] = meta.split(' ');
    return { id: object, kind: kindOf(mode) };
  });
}

/**
 * The files that are staged for the next commit.
 *
 * @throws {LightspanError} `unreadable-source`
 */
export async function treeOfIndex(repository: Repository, objects: ObjectReader): Promise<PinTree> {
  const listed = await readGit(repository, ['ls-files', '--stage', '-z', '--full-name', '--', ':/']);
  return treeOf(objects, listed, (meta) => {
    const [mode = '', object = '', stage = ''] = meta.split(' ');
    return { id: object, kind: stage === '0' ? kindOf(mode) : 'unmerged' };
  });
}

function treeOf({ readBlob }: ObjectReader, listed: Buffer, fileOf: (meta: string) => TreeFile): PinTree {
  const files = new Map<string, TreeFile>();
  // git has bytes for a path: two of them that are not UTF-8 may become the same text.
  for (const record of listed.toString('latin1').split('\0')) {
    const tab = record.indexOf('\t');
    if (tab <= 0) continue;
    const bytes = Buffer.from(record.slice(tab + 1), 'latin1');
    const path = bytes.toString();
    const file = fileOf(record.slice(0, tab));
    const isPath = Buffer.from(path).equals(bytes) && files.get(path)?.kind !== 'unnamed';
    files.set(path, isPath ? file : { ...file, kind: 'unnamed' });
  }
  return { files, read: ({ id }) => readBlob(id) };
}

function kindOf(mode: string): TreeFile['kind'] {
  return mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
}

/** The names of one side's files on the other side. */
export interface FileMoves {
  /** The new name of each file that has one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** For each new file that is a copy, the file it was copied from. */
  readonly copied: ReadonlyMap<string, string>;
}

/**
 * Renames and copies between a commit and another, or the staged state.
 *
 * @param to undefined for what is staged
 * @throws {LightspanError} `unreadable-source`
 */
export async function findMoves(
  repository: Repository,
  { from, to }: { readonly from: string; readonly to: string | undefined },
): Promise<FileMoves> {
  const how = ['-z', '-r', '-M', '-C', '--find-copies-harder', '-l1000', '--name-status'];
  const safe = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const listed = await readGit(
    repository,
    to === undefined
      ? ['diff-index', '--cached', ...how, ...safe, from, '--']
      : ['diff-tree', ...how, ...safe, from, to, '--'],
  );
  const renamed = new Map<string, string>();
  const copied = new Map<string, string>();
  const parts = listed.toString('utf8').split('\0').values();
  for (const status of parts) {
    const file = parts.next().value ?? '';
    if (!/^[RC]/.test(status)) continue;
    const newName = parts.next().value;
    if (newName === undefined) {
      throw new LightspanError('unreadable-source', 'git listed a rename without its new name');
    }
    if (status.startsWith('R')) renamed.set(file, newName);
    else copied.set(newName, file);
  }
  return { renamed, copied };
}

/** Reads the objects of a repository, all with one process of git: one each would take most of the time. */
export interface ObjectReader {
  /**
   * The bytes of a file as they are committed: no filter and no textconv is applied.
   *
   * @throws {LightspanError} `unreadable-source` if the repository does not have them
   */
  readonly readBlob: (id: string) => Promise<Uint8Array>;
  readonly close: () => void;
}

/** Begins to read objects; git is run at the first. */
export function openObjects(repository: Repository): ObjectReader {
  let running: ObjectReader | undefined;
  return {
    readBlob: (id) => {
      running ??= start(repository);
      return running.readBlob(id);
    },
    close: () => running?.close(),
  };
}

const catFile = ['cat-file', '--batch'];

function start(repository: Repository): ObjectReader {
  const { args, options } = invocationOf(repository, catFile);
  const git = spawn('git', args, options);
  let stderr = '';
  git.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // If git has ended, its exit says why.
  git.stdin.on('error', () => {});
  const fault = new Promise<LightspanError>((done) => {
    git.on('error', (error) => done(cannotRun(repository, error)));
    git.on('close', (_, signal) => done(signal === null ? gitFault(stderr) : endedBy(signal)));
  });
  const answers = answersOf(git.stdout);
  return {
    readBlob: async (id) => {
      // What is asked for at the same time is one write.
      git.stdin.cork();
      process.nextTick(() => git.stdin.uncork());
      git.stdin.write(`${id}\n`);
      // git answers in order, and so does a generator.
      const { value: answer } = await answers.next();
      if (answer === undefined) throw await fault;
      if (answer.type === 'blob') return answer.content;
      throw new LightspanError(
        'unreadable-source',
        `the repository has no file ${id}: it is ${answer.type}`,
        {
          hint: 'A part of it is lost: git fsck says which.',
        },
      );
    },
    close: () => {
      git.stdin.end();
      git.stdout.destroy();
    },
  };
}

interface Answer {
  /** `missing` if there is no such object. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** The answers of `git cat-file --batch`: `<id> <type> <size>`, the content and a line break, or `<id> missing`. */
async function* answersOf(stdout: AsyncIterable<Buffer>): AsyncGenerator<Answer, undefined> {
  let line = '';
  let type = '';
  let content: Buffer | undefined;
  let filled = 0;
  for await (const chunk of stdout) {
    for (let at = 0; at < chunk.length; ) {
      if (content === undefined) {
        const end = chunk.indexOf('\n', at);
        line += chunk.toString('latin1', at, end < 0 ? undefined : end);
        if (end < 0) break;
        at = end + 1;
        const [, kind = '', size] = line.split(' ');
        if (Number(size) > maxOutputBytes) throw tooMuch(catFile);
        [line, type, filled] = ['', kind, 0];
        if (size === undefined) yield { type, content: new Uint8Array() };
        else content = Buffer.alloc(Number(size) + 1);
      } else {
        const copied = chunk.copy(content, filled, at);
        at += copied;
        filled += copied;
        if (filled < content.length) continue;
        yield { type, content: content.subarray(0, -1) };
        content = undefined;
      }
    }
  }
  return undefined;
}
