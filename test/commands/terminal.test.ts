import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nodeUnderTest } from '../support/node-under-test.js';
import { realIndexFile } from '../support/real-index.js';

it('a terminal gets its colours, and a file on the way to it none', () => {
  const argv = `${nodeUnderTest} bin/lightspan.cjs upgrade-check --from 1.121.0 --to 1.123.0 --index ${realIndexFile}`;
  const { PATH = '' } = process.env;
  const typed = (line: string) =>
    spawnSync('script', ['-qfec', line, '/dev/null'], { env: { PATH, TERM: 'xterm' } }).stdout.toString();
  expect(typed(argv)).toContain('\u001b[');
  const piped = typed(`${argv} | cat`);
  expect(piped).toContain('Release safety check');
  expect(piped).not.toContain('\u001b[');
});
