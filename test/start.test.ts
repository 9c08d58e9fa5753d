import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../src/cli/invocation.js';
import { partFor } from '../src/launch/start.js';
import { copyToWrite } from './support/copy.js';
import { nodeUnderTest } from './support/node-under-test.js';
import { realIndexFile } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The program at a place of its own, with what `change` makes of its files. */
function programWith(change: (folder: string) => void): (argv: readonly string[]) => object {
  const place = temporaryFolder();
  copyToWrite('bin', join(place, 'bin'));
  copyToWrite('dist/program', join(place, 'dist', 'program'));
  change(join(place, 'dist', 'program'));
  return (argv) => {
    const bin = join(place, 'bin', 'lightspan.cjs');
    const env = { LIGHTSPAN_CACHE_DIR: temporaryFolder(), TZ: 'UTC' };
    const { status, stdout, stderr } = spawnSync(nodeUnderTest, [bin, ...argv], { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };
}

const withoutMain = programWith((folder) => rmSync(join(folder, 'main.cjs')));
const mainAlone = programWith((folder) => {
  const plain = ['plain.cjs', 'plain-json.cjs', 'plain-url.cjs'];
  for (const part of ['version.cjs', ...plain, 'help.cjs', 'decide.cjs'])
    copyFileSync(join(folder, 'main.cjs'), join(folder, part));
});

const check = (...options: string[]) => ['upgrade-check', '--index', realIndexFile, ...options];
const safe = ['--from', '1.121.0', '--to', '1.156.0'];
const notSafe = ['--from', '1.121.0', '--to', '2.100.0'];

describe('what a check loads', () => {
  it.each([
    [['--version']],
    [['upgrade-check', '--version']],
    [['--help']],
    [['-h']],
    [['help']],
    [[]],
    [['upgrade-check', '--help']],
    [['upgrade-check', 'help']],
    [['upgrade-check', 'upgrade-plan']],
    [['--json', 'upgrade-check']],
    [check(...safe)],
    [check(...safe, '--json')],
    [check(...notSafe, '--verbose')],
    [check(...notSafe, '--format', 'junit')],
    [check(...notSafe, '--format', 'markdown', '--known-issues', 'known-issues')],
    [check(...notSafe, '--format', 'github', '--fact', 'edition=community')],
    [check(...safe, '--verify-artifacts', '--artifact-url', 'fixtures/mirror')],
    [check('--from-file', 'fixtures/values.yaml', '--to', '1.156.0')],
    [check('--from', '1.121.0', '--to', 'one')],
    [check(...safe, '--nonsense')],
    [['upgrade-check', ...safe, '--index', 'no-such-file', '--json']],
    [['upgrade-plan', '--index', realIndexFile, ...notSafe]],
    [['upgrade-plan', '--index', realIndexFile, ...notSafe, '--from-file', 'fixtures/values.yaml', '--json']],
    [['upgrade-plan', '--help']],
    [['upgrade-plan', '--to', 'one']],
  ])('%j: all of it is there, and answers as the whole program does', (argv) => {
    const answer = withoutMain(argv);
    expect(answer).toEqual(mainAlone(argv));
    expect(JSON.stringify(answer)).not.toMatch(/internal|cannot be loaded|main\.cjs/);
  });

  it.each([
    [['--version'], 'version'],
    [['upgrade-check', '-V'], 'version'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json'], 'plain'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--json'], 'plain-json'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--format', 'json'], 'plain-json'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--verbose'], 'decide'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'HTTPS://example.org/index.json'], 'plain-url'],
    [['upgrade-check', '--from', '1.0.0'], 'plain-url'],
    [['upgrade-check', '--from', '1.0.0', '--json'], 'plain-url'],
    [['upgrade-check', '--to', '1.0.0', '--index', 'index.json'], 'decide'],
    [['upgrade-plan', '--from', '1.0.0', '--index', 'index.json'], 'decide'],
    [['upgrade-report', '--from', '1.0.0', '--index', 'index.json'], 'main'],
    [['--version', '--debug'], 'main'],
    [['upgrade-check'], 'decide'],
    [['--json', 'upgrade-check'], 'decide'],
    [['upgrade-plan', 'upgrade-check'], 'decide'],
    [['upgrade-report', 'upgrade-check'], 'main'],
    [['--to', 'upgrade-check'], 'decide'],
    [['help', 'upgrade-check'], 'main'],
    [['upgrade-checks'], 'main'],
    [['--help'], 'help'],
    [[], 'help'],
    [['--help', '--all'], 'main'],
  ])('%j is answered by %s', (argv, part) => {
    expect(partFor(readInvocation(argv))).toBe(part);
  });
});
