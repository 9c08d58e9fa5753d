import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, startLightdash } from '../support/lightdash-server.js';
import { mergeQuery } from '../support/merge.js';
import { resultPage, startedMerge } from '../support/merge-responses.js';
import { nodeUnderTest } from '../support/node-under-test.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Owners and modes, links and kills: what becomes of the file that `--out` or `upgrade-bump --file` names. */

const page = resultPage([{ day: 'x'.repeat(1000) }], { nextPage: 2 });
const lastPage = resultPage([{ day: 'y' }], { nextPage: null });
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
  await expect
    .poll(() => existsSync(aside()) && statSync(aside()).size, { timeout: 15_000 })
    .toBeGreaterThan(0);
  return { child, aside: aside() };
}

async function submitTo(target: string) {
  const server = await startLightdash(startedMerge(), lastPage);
  const argv = ['merge', 'submit', '-', '--wait', '--output', 'csv', '--out', target];
  return runCli(argv, { env: envOf(server), stdin: JSON.stringify({ mergeQuery: mergeQuery() }) });
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

  it('that was killed is swept away by a later run, a day after', async () => {
    const target = join(temporaryFolder(), 'rows.csv');
    const { child, aside } = await writing(target);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await submitTo(target);
    expect(besides(target)).toEqual([aside]);
    const old = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(aside, old, old);
    const other = join(target, '..', '.rows.csv.swp');
    writeFileSync(other, 'of an editor');
    utimesSync(other, old, old);
    await submitTo(target);
    expect(besides(target)).toEqual([other]);
  });
});

describe.skipIf(process.platform === 'win32')('a file that was written', () => {
  it.each([
    ['a link', ['link -> real/rows.csv'], true],
    ['a link to a link', ['link -> other', 'other -> real/rows.csv'], true],
    ['a link to what is not there yet', ['link -> real/rows.csv'], false],
    ['a link through a link to what is not there yet', ['link -> other', 'other -> real/rows.csv'], false],
    ['a link by way of a linked folder', ['link -> folder/rows.csv', 'folder -> real'], false],
  ])('through %s stands where that leads, and the link stays', async (_, links, isThere) => {
    const folder = temporaryFolder();
    const target = join(folder, 'real', 'rows.csv');
    mkdirSync(join(folder, 'real'));
    if (isThere) writeFileSync(target, 'old');
    for (const link of links) {
      const [name = '', to = ''] = link.split(' -> ');
      symlinkSync(to, join(folder, name));
    }
    expect(await submitTo(join(folder, 'link'))).toMatchObject({ code: 0 });
    expect(lstatSync(target).isFile()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('y');
    for (const link of links) {
      const [name = '', to = ''] = link.split(' -> ');
      expect(readlinkSync(join(folder, name))).toBe(to);
    }
    expect(besides(target)).toEqual([]);
  });
});
