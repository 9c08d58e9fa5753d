import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { nodeUnderTest } from './support/node-under-test.js';
import { temporaryFolder } from './support/temporary-folder.js';

const flat = Array.from({ length: 100_000 }, (_, i) => `k${i}: v`).join('\n');
const text = (name: string, content: string) => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
};
const check = ['upgrade-check', '--to', '1.0.1'];

// No signal is heard while something is parsed: the answer must come soon, with the signal or without.
it.each<[string, () => string[]]>([
  ['a merge file of 100,000 unknown keys', () => ['merge', 'validate', text('m.yaml', flat)]],
  ['12,000 keys', () => [...check, '--from-file', `${text('v.yaml', flat.slice(0, 110_000))}#image.tag`]],
  ['brackets', () => [...check, '--from-file', `${text('v.yaml', '['.repeat(1024 * 1024))}#image.tag`]],
  ['an index of brackets', () => [...check, '--from', '1.0.0', '--index', text('i.json', '['.repeat(6e6))]],
])('SIGTERM in the middle of %s ends the process at once', (_, argv) => {
  const ended =
    'PATH=/usr/bin:/bin; "$@" > /dev/null 2>&1 & sleep 0.2; kill "$!"; wait "$!"; echo "$?"; times';
  const command = [nodeUnderTest, resolve('bin/lightspan.cjs'), ...argv()];
  const { stdout } = spawnSync('/bin/sh', ['-c', ended, 'sh', ...command], {
    ...{ encoding: 'utf8', env: {}, timeout: 60_000 },
  });
  // Seconds of processor, which another process beside it does not make more: the children stand last.
  const [code, , ...children] = stdout.trim().split('\n');
  const seconds = [...children.join().matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, m, s]) => Number(m) * 60 + Number(s),
  );
  expect([2, 3, 4, 143]).toContain(Number(code));
  expect(seconds).toHaveLength(2);
  expect(seconds.reduce((sum, some) => sum + some)).toBeLessThan(6);
});
