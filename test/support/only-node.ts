import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findProgram } from './programs.js';

/** What a shell of any system has beside it. */
const usual =
  'awk basename bash cat chmod cp cut date dirname env expr find grep gzip head id kill ln ls mkdir mkfifo mktemp mv od printf ps pwd readlink rm rmdir sed seq sh sha256sum shasum sleep sort stat tail tar tee test timeout touch tr true uname uniq wc which xargs yes';

/** Leaves nothing on the path of the tests but Node, npm, git and what every shell has: `npm test` needs no more. */
export default function leaveOnlyNode({ config }: TestProject): void {
  if (process.platform === 'win32') return;
  const folder = join(config.env.TMPDIR ?? '', 'bin');
  mkdirSync(folder);
  for (const name of ['npm', 'npx', 'git', ...usual.split(' ')]) {
    const found = findProgram(name);
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  symlinkSync(process.execPath, join(folder, 'node'));
  config.env = { ...config.env, PATH: folder };
}
