import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nineKeys, spawnCli } from './support/cli.js';
import { realIndexFile } from './support/real-index.js';
import { temporaryFolder } from './support/temporary-folder.js';

const ask = (...argv: string[]) => spawnCli(argv, { bin: 'lightdash-upgrade-check' });
const index = ['--index', realIndexFile];

describe('lightdash-upgrade-check', () => {
  it('stands in for one command of the tool, by the script that is shown, and leaves the tool the others', () => {
    const [, script = ''] =
      /^```sh\n(#!\/bin\/sh\n[\s\S]*?)^```$/m.exec(readFileSync('examples/README.md', 'utf8')) ?? [];
    const folder = temporaryFolder();
    const [tool = ''] = script.match(/\/\S+\/lightdash\b/) ?? [];
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
    write('tool', '#!/bin/sh\necho "tool: $*"\n');
    write('lightdash-upgrade-check', '#!/bin/sh\necho "here: $*"\n');
    write('lightdash', script.replaceAll(tool, join(folder, 'tool')));
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
    const say = (line: string) => execFileSync('sh', ['-c', line], { env, encoding: 'utf8' });
    expect(say('lightdash upgrade-check --from 1.0.0')).toBe('here: upgrade-check --from 1.0.0\n');
    expect(say('lightdash deploy')).toBe('tool: deploy\n');
  });

  it.each([
    ['1.121.0', '1.156.0', true, 0],
    ['1.156.0', '1.157.0', false, 1],
    ['1.156.0', '9.9.9', false, 1],
  ])('%s to %s: safe %s, exit %i', async (from, to, safe, code) => {
    const outcome = await ask('upgrade-check', '--from', from, '--to', to, '--json', ...index);
    expect(outcome.code).toBe(code);
    const answer = JSON.parse(outcome.stdout);
    expect(Object.keys(answer)).toEqual(nineKeys);
    expect(answer.safe).toBe(safe);
  });

  it('may be called without the name of the command, and as text', async () => {
    const { code, stdout } = await ask('--from=1.121.0', '--to=1.156.0', ...index);
    expect({ code, said: stdout.includes('Verdict: SAFE') }).toEqual({ code: 0, said: true });
  });

  // Nothing is fetched: a fetch from there would be refused, and say so.
  const nowhere = ['--index', 'http://127.0.0.1:9/index.json', '--json'];
  it.each([
    [['--from', 'latest', '--to', '1.156.0'], '--from must be a release version\n'],
    [['--from', '1.121.0-beta.1', '--to', '1.156.0'], '--from must be a release version\n'],
    [['--from=1.121.0 ', '--to', '1.156.0'], '--from must be a release version\n'],
    [['--to', '1.156.0'], '--from must be a release version\n'],
    [['--from', '1.121.0', '--to', 'latest'], '--to must be a release version\n'],
  ])('%j: exit 1 before anything is fetched', async (argv, stderr) => {
    expect(await ask('upgrade-check', ...argv, ...nowhere)).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each([
    [['--from', '1.156.0', '--to', '1.121.0', '--json', ...index], 'is older than'],
    [['--from', '1.121.0', '--to', '1.156.0', ...nowhere], '127.0.0.1'],
    [['--from', '1.121.0', '--to', '1.156.0', '--json', '--index', 'package.json'], 'package.json'],
    [['--from', '1.121.0', '--from', '1.2.0', '--to', '1.156.0', '--json', ...index], 'given twice'],
    [
      ['deploy', '--from', '1.121.0', '--to', '1.156.0', ...index],
      'answers only upgrade-check, not "deploy"\n',
    ],
    [['deploy'], 'answers only upgrade-check, not "deploy"\n'],
  ])('%j: exit 1, and nothing on standard output', async (argv, message) => {
    const { code, stdout, stderr } = await ask(...argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});
