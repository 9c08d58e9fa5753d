import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { envOf, startLightdash } from '../support/lightdash-server.js';
import { mergeQuery } from '../support/merge.js';
import { resultPage, startedMerge } from '../support/merge-responses.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What becomes of the file that `--out` names when the process is killed. */

const page = resultPage([{ day: 'x'.repeat(1000) }], { nextPage: 2 });
const modeOf = (path: string) => statSync(path).mode & 0o777;
const besides = (target: string) =>
  readdirSync(join(target, '..'))
    .map((name) => join(target, '..', name))
    .filter((path) => path !== target && statSync(path).isFile());

/** A process that has written the first page of its result to `--out`, and waits for the second for ever. */
async function writing(target: string): Promise<{ readonly child: ChildProcess; readonly aside: string }> {
  const server = await startLightdash(startedMerge(), page, () => {});
  const argv = ['merge', 'submit', '-', '--wait', '--output', 'csv', '--out', target];
  const child = spawn(nodeUnderTest, [resolve('bin/lightspan.cjs'), ...argv], {
    env: envOf(server),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin?.end(JSON.stringify({ mergeQuery: mergeQuery() }));
  const aside = () => besides(target)[0] ?? '';
  await expect.poll(() => existsSync(aside()) && statSync(aside()).size).toBeGreaterThan(0);
  return { child, aside: aside() };
}

describe.skipIf(process.platform === 'win32')('a result that is being written', () => {
  it.each([
    ['to a new file', undefined],
    ['over a file that others may read', 0o644],
    ['over a file of mode 600', 0o600],
  ])('%s can be read by us alone, also after kill -9', async (_, mode) => {
    const target = join(temporaryFolder(), 'rows.csv');
    if (mode !== undefined) {
      writeFileSync(target, 'the last good one');
      chmodSync(target, mode);
    }
    const { child, aside } = await writing(target);
    expect(modeOf(aside)).toBe(0o600);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(modeOf(aside)).toBe(0o600);
    expect(existsSync(target) && readFileSync(target, 'utf8')).toBe(
      mode !== undefined && 'the last good one',
    );
  });
});
