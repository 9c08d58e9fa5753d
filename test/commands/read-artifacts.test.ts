import { expect, it } from 'vitest';
import { withProgress } from '../../src/commands/read-artifacts.js';

async function progressOn(isTTY: boolean, work: () => Promise<unknown> = async () => {}) {
  let written = '';
  const stderr = {
    isTTY,
    write: (text: string) => {
      written += text;
    },
  };
  const outcome = await withProgress('Artifacts', { stderr, env: {} }, async (onProgress) => {
    onProgress(1, 2);
    onProgress(2, 2);
    await work();
    return 'done';
  }).catch(() => 'failed');
  return { outcome, written };
}

it('says on a terminal how far it is, on one line, and takes the line away', async () => {
  const { outcome, written } = await progressOn(true);
  expect(outcome).toBe('done');
  expect(written).toContain('1/2');
  expect(written).toContain('2/2');
  expect(written).not.toContain('\n');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
});

it('takes the line away where the work fails', async () => {
  const { outcome, written } = await progressOn(true, () => Promise.reject(new Error('broken')));
  expect(outcome).toBe('failed');
  expect(written.endsWith('\r\u001b[K')).toBe(true);
});

it('says nothing where stderr is no terminal', async () => {
  expect(await progressOn(false)).toEqual({ outcome: 'done', written: '' });
});
