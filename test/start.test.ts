import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../src/door/invocation.js';
import { partOf } from '../src/launch/start.js';
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

const asBuilt = programWith(() => {});
const mainAlone = programWith((folder) => {
  for (const part of ['version.cjs', 'plain.cjs', 'help.cjs'])
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
    const answer = asBuilt(argv);
    expect(answer).toEqual(mainAlone(argv));
    expect(JSON.stringify(answer)).not.toMatch(/internal|cannot be loaded|main\.cjs/);
  });

  it.each([
    [['--version'], 'version'],
    [['upgrade-check', '-V'], 'version'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json'], 'plain'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--json'], 'plain'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--format', 'json'], 'plain'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'index.json', '--verbose'], 'main'],
    [['upgrade-check', '--from', '1.0.0', '--index', 'HTTPS://example.org/index.json'], 'plain'],
    [['upgrade-check', '--from', '1.0.0'], 'plain'],
    [['upgrade-check', '--from', '1.0.0', '--json'], 'plain'],
    [['upgrade-check', '--to', '1.0.0', '--index', 'index.json'], 'main'],
    [['upgrade-plan', '--from', '1.0.0', '--index', 'index.json'], 'main'],
    [['upgrade-report', '--from', '1.0.0', '--index', 'index.json'], 'main'],
    [['--version', '--debug'], 'main'],
    [['upgrade-check'], 'main'],
    [['--json', 'upgrade-check'], 'main'],
    [['upgrade-plan', 'upgrade-check'], 'main'],
    [['upgrade-report', 'upgrade-check'], 'main'],
    [['--to', 'upgrade-check'], 'main'],
    [['help', 'upgrade-check'], 'main'],
    [['upgrade-checks'], 'main'],
    [['--help'], 'help'],
    [[], 'help'],
    [['--help', '--all'], 'main'],
  ])('%j is answered by %s', (argv, part) => {
    expect(partOf(readInvocation(argv))).toBe(part);
  });
});
