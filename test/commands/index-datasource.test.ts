import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const argvFrom = (from: string, ...more: string[]) => {
  return ['index', 'datasource', '--from', from, '--index', realIndexFile, ...more];
};
const versionsIn = (text: string): string[] =>
  JSON.parse(text).releases.map(({ version }: { version: string }) => version);

describe('index datasource', () => {
  it('says which release a file pins, and where', async () => {
    const file = join(temporaryFolder(), 'values.yaml');
    writeFileSync(file, 'image: {tag: 1.154.0}\n');
    const argv = ['index', 'datasource', '--from-file', `${file}#image.tag`, '--index', realIndexFile];
    expect((await runCli(argv)).stderr).toBe(
      `Current version: 1.154.0, from ${file}#image.tag\nFrom 1.154.0: 4 proven targets, the newest 1.156.0.\n`,
    );
  });

  it.each([
    ['1.121.99', 'the index does not know it'],
    ['0.1.0', 'it is below the floor'],
  ])('holds %s alone where %s', async (from) => {
    const { code, stdout, stderr } = await runCli(argvFrom(from));
    expect({ code, versions: versionsIn(stdout) }).toEqual({ code: 0, versions: [from] });
    expect(stderr).toBe(
      `Nothing is proven from ${from}: lightspan upgrade-plan --from ${from} --to latest ` +
        `--index ${realIndexFile} shows what blocks it.\n`,
    );
  });

  it.each<[string, string[], string[], string | undefined]>([
    ['1.121.0', [], ['1.121.0', '…', '1.156.0'], undefined],
    ['1.156.0', ['--fail-on', 'major'], ['1.156.0', '2.134.2'], 'upgrade-hold'],
    ['1.156.0', [], ['1.156.0', '2.134.2'], 'upgrade-hold'],
    ['1.121.99', [], ['1.121.99'], undefined],
  ])('with --allow-recreate, of %s %j, is %j, marked %s', async (from, more, expected, mark) => {
    const { code, stdout, stderr } = await runCli(argvFrom(from, '--allow-recreate', ...more));
    const versions = versionsIn(stdout);
    const shown = versions.length > 2 ? [versions[0], '…', versions.at(-1)] : versions;
    expect({ code, shown, mark: JSON.parse(stdout).sourceDirectory }).toEqual({
      code: 0,
      shown: expected,
      mark,
    });
    expect(stderr.includes('Held, with downtime: 2.134.2.')).toBe(mark !== undefined);
  });

  it('leaves out a stop and what is behind it, and a release that a known issue avoids', async () => {
    const folder = temporaryFolder();
    const index = join(folder, 'index.json');
    writeFileSync(
      index,
      JSON.stringify(
        indexOf(
          { version: '1.0.0' },
          { version: '1.1.0' },
          { version: '1.2.0' },
          { version: '1.3.0', requiredStops: ['1.3.0'] },
          { version: '1.4.0' },
        ),
      ),
    );
    const avoided = recordOf({
      affected: [{ introduced: '1.1.0', fixed: '1.2.0' }],
      effect: { kind: 'avoid-landing' },
    });
    const issues = join(folder, 'issue.json');
    writeFileSync(issues, JSON.stringify(avoided));
    const argv = ['index', 'datasource', '--from', '1.0.0', '--index', index];
    expect(versionsIn((await runCli(argv)).stdout)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
    const held = await runCli([...argv, '--known-issues', issues]);
    expect(versionsIn(held.stdout)).toEqual(['1.0.0', '1.2.0']);
  });

  it('writes a file whole, and leaves it as it was without an answer', async () => {
    const folder = temporaryFolder();
    const out = join(folder, '1.121.0.json');
    const { code, stdout, stderr } = await runCli(argvFrom('1.121.0', '--out', out));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Written to ${out}.\n`);
    const written = readFileSync(out, 'utf8');
    const argv = argvFrom('1.121.0', '--out', out);
    expect(await runCli(argv.with(5, 'package.json'))).toMatchObject({ code: 4, stdout: '' });
    expect(await runCli(argv.with(5, 'none.json'))).toMatchObject({ code: 3 });
    expect(readFileSync(out, 'utf8')).toBe(written);
    expect(readdirSync(folder)).toEqual(['1.121.0.json']);
  });
});
