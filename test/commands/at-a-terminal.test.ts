import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Which text follows the terminal, its width and that it has colours; and which says more with --verbose. */

const folder = temporaryFolder();
const [before, after] = ['before.yaml', 'after.yaml'].map((name) => join(folder, name)) as [string, string];
beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  writeFileSync(before, 'image: {tag: 1.111.0}\nold: {tag: 1.111.0}\n');
  writeFileSync(after, 'image: {tag: 1.115.0}\nold: {tag: 1.111.0}\n');
});

const span = ['--from', '1.121.0', '--to', '1.156.0', '--index', realIndexFile];

it.each<[name: string, argv: () => string[], follows: readonly ('width' | 'colours' | 'verbose')[]]>([
  ['upgrade-check', () => span, ['width', 'colours', 'verbose']],
  [
    'upgrade-plan',
    () => ['--from', '1.111.0', '--to', '1.115.0', '--index', realIndexFile],
    ['width', 'colours', 'verbose'],
  ],
  ['upgrade-report', () => [...span, '--offline', '--no-cache'], ['width', 'colours', 'verbose']],
  [
    'upgrade-preflight',
    () => [
      ...['--from', '2.0.0', '--to', '2.1.0'],
      ...['--index', folder, '--facts', join(folder, 'facts.json')],
    ],
    ['width', 'colours', 'verbose'],
  ],
  [
    'pin-check',
    () => [
      ...['--before', before, '--after', after, '--index', realIndexFile],
      ...['--pin', 'after.yaml#image.tag', '--pin', 'after.yaml#old.tag'],
    ],
    ['width', 'colours', 'verbose'],
  ],
  ['index status', () => ['--index', realIndexFile], ['colours']],
  ['index verify', () => ['--index', realIndexFile], ['colours']],
  ['release show', () => ['900.0.0', '--artifact-url', 'fixtures/mirror'], ['colours']],
  ['known-issues list', () => [], ['width']],
  ['known-issues show', () => ['start-check-refuses-skips'], ['width']],
  ['explain', () => [], ['width']],
  ['explain rolling', () => [], ['width']],
])('%s', async (name, argvOf, follows) => {
  const argv = [...name.split(' '), ...argvOf()];
  const wide = await runCli(argv);
  const narrow = await runCli(argv, { columns: 50, env: { NO_COLOR: '1' } });
  const coloured = await runCli(argv, { env: { FORCE_COLOR: '1' } });
  const verbose = await runCli([...argv, '--verbose']);
  if (follows.includes('colours')) {
    const { stdout } = await runCli([...argv, '--no-color'], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toBe(wide.stdout);
  }
  expect(wide.stdout, wide.stderr).not.toBe('');
  expect(wide.stdout).not.toContain('\u001b');
  expect({
    width: narrow.stdout !== wide.stdout,
    colours: coloured.stdout.includes('\u001b['),
    verbose: verbose.code === wide.code && verbose.stdout !== wide.stdout,
  }).toEqual(
    Object.fromEntries(
      ['width', 'colours', 'verbose'].map((name) => [name, follows.includes(name as 'width')]),
    ),
  );
});
