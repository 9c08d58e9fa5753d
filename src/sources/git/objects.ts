import { spawn } from 'node:child_process';
import { LightspanError } from '../../errors.js';
import {
  cannotRun,
  endedBy,
  gitFault,
  invocationOf,
  maxOutputBytes,
  type Repository,
  tooMuch,
} from './git.js';

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
