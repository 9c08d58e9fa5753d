import { describe, expect, it } from 'vitest';
import { readInvocation, shortNames } from '../../src/door/invocation.js';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';

const names = Object.entries(shortNames).map(([short, long = '']) => [short, long] as const);

describe('a short name', () => {
  it.each(names)('%s is %s: its help, its errors and its completion', async (short, long) => {
    for (const words of [['--help'], ['--nonsense'], []]) {
      expect(await runCli([short, ...words])).toEqual(await runCli([long, ...words]));
    }
    expect(await runCli(['help', short])).toEqual(await runCli([long, '--help']));
    const completed = (name: string) => runCli(['__complete', name, '--']);
    expect(await completed(short)).toEqual(await completed(long));
    expect((await runCli(['__complete', ''])).stdout).toContain(`\n${short}\t`);
    expect((await runCli(['--help'])).stdout).toContain(`${long}, ${short} `);
  });

  it('is answered as its long name, in every way in which that decides', async () => {
    const asked = ['--from', '1.121.0', '--to', '1.123.0', '--index', realIndexFile, '--json'];
    expect(await runCli(['check', ...asked])).toEqual(await runCli(['upgrade-check', ...asked]));
    for (const [short, long] of names)
      expect(readInvocation([short, 'x'])).toEqual(readInvocation([long, 'x']));
    // The value of an option, and what stands behind a command, is no command.
    expect(readInvocation(['explain', 'check']).argv).toEqual(['explain', 'check']);
    expect(readInvocation(['index', 'verify']).argv).toEqual(['index', 'verify']);
    expect(readInvocation(['__complete', 'plan']).completed).toEqual(['plan']);
  });
});

describe('a word that is no command', () => {
  it.each([
    ['pln', 'plan'],
    ['chekc', 'check'],
    ['upgrade-plna', 'upgrade-plan'],
    ['mirror', 'index mirror'],
    ['validat', 'merge validate'],
    ['statu', 'status'],
    ['upgrade-statu', 'upgrade-status'],
    ['mirorr', 'index mirror'],
    ['valdate', 'merge validate'],
    ['submt', 'merge submit'],
    ['metircs', 'catalog metrics'],
    ['upgrade', 'upgrade-check or upgrade-plan or upgrade-report'],
  ])('%s is near to %s', async (word, near) => {
    const { code, stderr } = await runCli([word]);
    expect(code).toBe(2);
    expect(stderr).toContain(`unknown command '${word}' (Did you mean ${near}`);
  });

  it.each(['nonsense', 'x', ''])('%j is near to none', async (word) => {
    expect((await runCli([word])).stderr).not.toContain('Did you mean');
  });
});
