import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellWord } from '../../src/core/text/quoted-words.js';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('a report begins with the nearest releases of a version that the index lacks', async () => {
  const argv = ['upgrade-report', '--from', '1.121.7', '--to', '1.123.0', '--index', realIndexFile];
  const { stdout } = await runCli(argv);
  expect(stdout.split('\n').slice(0, 4)).toContain(
    'Version: 1.121.7 is not a release; nearest: 1.121.1, 1.122.0',
  );
});

it('a preflight does, too', async () => {
  const folder = temporaryFolder();
  await writeSituation(folder, upgradeTo([]));
  const sources = ['--index', folder, '--facts', join(folder, 'facts.json')];
  const { code, stdout } = await runCli([
    'upgrade-preflight',
    '--from',
    '2.0.7',
    '--to',
    '2.1.0',
    ...sources,
  ]);
  expect(code).not.toBe(0);
  expect(stdout.split('\n').slice(0, 4)).toContain('Version: 2.0.7 is not a release; nearest: 2.0.0, 2.1.0');
});

it('a check names the newest release that is proven to roll, where the target is not', async () => {
  const evidence = ['--index', realIndexFile, '--fact', 'edition=community', '--publisher-only'];
  const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.160.0', ...evidence];
  const { code, stdout } = await runCli([...argv, '--verbose']);
  expect(code).toBe(1);
  const next = argv.with(4, '1.156.0');
  expect(stdout).toContain(
    `Next: 1.156.0 is proven to roll in one step: lightspan ${next.map(shellWord).join(' ')}; or, for 1.160.0, `,
  );
  expect((await runCli(next)).code).toBe(0);
});

it('what to do about a known issue is proposed with the sources of the request', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'our issues.json');
  const record = recordOf({ id: 'ours', affected: [{ introduced: '1.123.0', fixed: '1.124.0' }] });
  writeFileSync(file, formatKnownIssues([record]));
  const span = ['--from', '1.121.0', '--to', '1.123.0', '--index', realIndexFile];
  const { stdout } = await runCli(['upgrade-check', ...span, `--known-issues=${file}`, '--max-age', '9000d']);
  const given = `--index ${realIndexFile} '--known-issues=${file}'`;
  expect(stdout).toContain(`lightspan known-issues show ours ${given}; `);
  expect(stdout).toContain(
    `lightspan upgrade-plan ${span.join(' ')} '--known-issues=${file}' --max-age 9000d\n`,
  );
});

it.each(['upgrade-check', 'upgrade-plan'])(
  '%s proposes a whole command, with the index that was given',
  async (command) => {
    const argv = [command, '--from', '1.121.0', '--to', '9.9.9', '--index', realIndexFile];
    const { stdout } = await runCli(argv);
    expect(stdout).toContain(`: lightspan ${argv.with(4, '2.134.2').join(' ')}\n`);
  },
);

it.each(['upgrade-check', 'upgrade-plan'])(
  '%s proposes no later start: releases in between may not have been installed',
  async (command) => {
    const argv = [command, '--from', '1.121.7', '--to', '1.122.0', '--index', realIndexFile];
    const { stdout } = await runCli(argv);
    expect(stdout).toContain(`: lightspan ${argv.with(2, '1.121.1').join(' ')}\n`);
  },
);
