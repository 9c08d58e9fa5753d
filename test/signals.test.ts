import { spawn } from 'node:child_process';
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
])('SIGTERM in the middle of %s ends the process at once', async (_, argv) => {
  const child = spawn(nodeUnderTest, [resolve('bin/lightspan.cjs'), ...argv()], { env: {}, stdio: 'ignore' });
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) =>
    child.on('close', (code, signal) => done({ code, signal })),
  );
  await new Promise((done) => setTimeout(done, 200));
  const started = performance.now();
  child.kill('SIGTERM');
  const { code, signal } = await ended;
  expect(signal === 'SIGTERM' || [2, 3, 4, 143].includes(code ?? 0), `ended by ${code ?? signal}`).toBe(true);
  expect(performance.now() - started).toBeLessThan(8000);
});
