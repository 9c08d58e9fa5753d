import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/** Files and links by their path; null takes one away. */
export type FilesToWrite = Readonly<Record<string, string | { readonly link: string } | null>>;

/** What git needs of the environment, and nothing of the person who runs the tests. */
export const gitEnv = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: temporaryFolder(),
  GIT_CONFIG_NOSYSTEM: '1',
};

/** A git repository on the branch main, in a folder of its own. */
export class Repository {
  readonly folder: string;

  constructor(folder = temporaryFolder()) {
    this.folder = folder;
    this.git('init', '--quiet', '--initial-branch=main', '--template=');
    appendFileSync(
      join(folder, '.git/config'),
      '[user]\nname = somebody\nemail = somebody@localhost\n[maintenance]\nauto = false\n',
    );
  }

  git(...args: readonly string[]): string {
    return this.#run('git', args);
  }

  #run(program: string, args: readonly string[]): string {
    return execFileSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: gitEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  write(files: FilesToWrite): this {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      if (text === null) {
        rmSync(path);
        continue;
      }
      mkdirSync(dirname(path), { recursive: true });
      if (typeof text === 'string') writeFileSync(path, text);
      else {
        rmSync(path, { recursive: true, force: true });
        symlinkSync(text.link, path);
      }
    }
    return this;
  }

  stage(files: FilesToWrite): this {
    this.write(files);
    this.git('add', '--all');
    return this;
  }

  commit(files: FilesToWrite, message = 'a change'): this {
    this.write(files);
    const commit = 'git add --all && git commit --quiet --no-verify --allow-empty --message "$1"';
    this.#run('sh', ['-c', commit, 'sh', message]);
    return this;
  }
}

/** Stages a submodule at a commit, with what it has there. */
export function stageSubmodule(
  repository: Repository,
  name: string,
  files: FilesToWrite,
  commit: string,
): void {
  repository.write(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text])),
  );
  repository.git('update-index', '--add', '--cacheinfo', `160000,${commit},${name}`);
}

/** A repository whose main holds some files, and whose branch `change`, which is checked out, changes them. */
export function changeOf(before: FilesToWrite, after: FilesToWrite): Repository {
  const repository = new Repository().commit(before);
  repository.git('switch', '--quiet', '--create', 'change');
  return repository.commit(after);
}
