import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deploymentOf } from '../../../src/instance/deployment.js';
import { libraryFor } from '../../../src/steps/hop-block.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Runs of one hop that begin at the same time, where a run that was ended has left its lock. */
const shells = ['dash', 'bash', 'zsh', 'busybox sh'];

/** A number that no process has: Linux gives none that high. */
const nobody = String(2 ** 22 + 1);

/** A hop that takes its lock, and leaves it, as one that is killed does. */
const hop = `[ -z "\${ZSH_VERSION:-}" ] || emulate sh
set -euC
. ./lib.sh
from=1.111.0 to=1.115.0 place=here
open_state
say held
exec true
`;

/** The removal of a run that is slow: it has read what the lock was, and removes it when the other run is through. */
const slowRemoval = `#!/bin/sh
[ -z "\${SLOW:-}" ] || { : > began; until [ -e through ]; do /bin/sleep 0.05; done; }
exec /bin/rm "$@"
`;

function folderWithLockOf(pid: string) {
  const folder = temporaryFolder();
  const lock = join(folder, 'here', 'hop-1.111.0-to-1.115.0.state.lock');
  mkdirSync(join(folder, 'here'));
  symlinkSync(pid, lock);
  writeFileSync(join(folder, 'lib.sh'), libraryFor(deploymentOf({}).compose).text);
  writeFileSync(join(folder, 'hop.sh'), hop);
  writeFileSync(join(folder, 'rm'), slowRemoval, { mode: 0o755 });
  const run = (shell: string, env: Record<string, string> = {}) => {
    const child = spawn('sh', ['-c', `exec ${shell} hop.sh`], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, LIGHTSPAN_BACKUPS: folder, ...env },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        out += data;
      });
    }
    return new Promise<{ out: string; pid: string }>((resolve) =>
      child.on('close', () => resolve({ out, pid: String(child.pid) })),
    );
  };
  return { folder, lock, run };
}

it.each(shells)('%s: one of two takes over the lock of a run that has ended', async (shell) => {
  const { folder, lock, run } = folderWithLockOf(nobody);
  const slow = run(shell, { SLOW: 'yes' });
  await expect.poll(() => existsSync(join(folder, 'began'))).toBe(true);
  const goOn = () => writeFileSync(join(folder, 'through'), '');
  onTestFinished(goOn);
  const second = await run(shell);
  goOn();
  const first = await slow;
  expect([first, second].filter(({ out }) => out.includes('held'))).toHaveLength(1);
  expect(second.out).toContain(`Another run removes ${lock}`);
  expect(readlinkSync(lock)).toBe(first.pid);
  // Both have ended: the next one is held up by nothing.
  expect((await run(shell)).out).toBe('held\n');
});

it('the lock of a run that is at work stays', async () => {
  const { lock, run } = folderWithLockOf(String(process.pid));
  expect((await run('sh')).out).toContain(`This hop is run by ${process.pid}`);
  expect(readlinkSync(lock)).toBe(String(process.pid));
});
