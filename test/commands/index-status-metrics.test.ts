import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, testNow } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The metrics of `index status`, read by the programs of Prometheus themselves. */

const folder = temporaryFolder();

async function metrics(...more: readonly string[]): Promise<string> {
  const argv = [
    'index',
    'status',
    '--index',
    realIndexFile,
    '--format',
    'openmetrics',
    '--no-settings',
    ...more,
  ];
  const { code, stdout, stderr } = await runCli(argv);
  expect(code, stderr).toBe(0);
  return stdout;
}

const cases: Readonly<Record<string, readonly string[]>> = {
  'behind the newest': ['--from', '2.120.0'],
  'the newest': ['--from', '2.134.2'],
  'far behind': ['--from', '1.111.0'],
  'not in the index': ['--from', '9.9.9'],
  'without records': ['--from', '2.120.0', '--publisher-only'],
};

it.each(Object.entries(cases))(
  'promtool finds nothing against the metrics of a release %s',
  async (_, argv) => {
    const text = await metrics(...argv);
    const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    expect({ status, said: `${stdout}${stderr}` }, text).toEqual({ status: 0, said: '' });
  },
);

it('the parser of OpenMetrics takes them, with a time', async () => {
  const records = join(folder, 'records.json');
  const issue = recordOf({
    id: 'broken',
    affected: [{ introduced: '2.100.0', fixed: '2.130.0' }],
    published: '2026-09-01T00:00:00Z',
    modified: '2026-09-01T00:00:00Z',
  });
  writeFileSync(records, JSON.stringify(issue));
  const settings = join(folder, 'lightspan.yaml');
  writeFileSync(
    settings,
    'accept:\n  - { issue: elsewhere, reason: "a \\"quoted\\" one", until: 2026-09-20 }\n',
  );
  const argv = ['index', 'status', '--from', '2.120.0', '--index', realIndexFile, '--format', 'openmetrics'];
  const { stdout, stderr } = await runCli([...argv, '--known-issues', records, '--settings', settings]);
  expect(stdout, stderr).toContain('lightspan_running_release_known_issue_info{id="broken"} 1\n');
  expect(stdout).toContain('lightspan_acceptance_end_timestamp_seconds{name="elsewhere"} 1789948800\n');
  const seconds = Math.floor(testNow.getTime() / 1000);
  const file = join(folder, 'metrics.txt');
  writeFileSync(file, stdout.replaceAll(/^(lightspan_.*)$/gm, `$1 ${seconds}`));
  const made = spawnSync(
    'promtool',
    ['tsdb', 'create-blocks-from', 'openmetrics', file, join(folder, 'blocks')],
    { encoding: 'utf8' },
  );
  expect(made.status, made.stderr).toBe(0);
  // What an empty database lacks beside its blocks.
  mkdirSync(join(folder, 'blocks', 'wal'));
  const dumped = spawnSync('promtool', ['tsdb', 'dump', join(folder, 'blocks')], { encoding: 'utf8' });
  const samples = stdout.split('\n').filter((line) => /^lightspan_/.test(line));
  expect(dumped.stdout.split('\n').filter((line) => line.includes('__name__="lightspan_'))).toHaveLength(
    samples.length,
  );
});
