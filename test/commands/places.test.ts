import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { changeOf, gitEnv } from '../support/repository.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Files = Readonly<Record<string, string>>;

const image = 'lightdash/lightdash';
const compose = (tag: string) =>
  `services:\n  lightdash:\n    image: ${image}:${tag}\n  worker:\n    image: ${image}:${tag}\n  db:\n    image: postgres:16.1.0\n`;
const byName: Files = {
  'docker-compose.yml': compose(`\${LIGHTDASH_VERSION}`),
  '.env': 'PGPASSWORD=x\nLIGHTDASH_VERSION=1.121.0 # ours\n',
};
const byOwnName: Files = { 'compose.yaml': compose('$V'), '.env': 'V="1.121.0"\n' };
const byDefault: Files = { 'compose.yaml': compose(`\${V:-1.121.0}`).replace(/ {2}worker:\n.*\n/, '') };
const script: Files = {
  'deploy.sh': `PORT=1.0.0\ndocker run ${image}:1.121.0 --port 8080\n`,
};
const marked: Files = { 'deploy.sh': '# lightspan: pin\nTAG=v1.121.0\nOTHER=1.0.0\n' };

function folderWith(files: Files): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A place, as a command line names it; what an answer calls it, and the file in which the version is written. */
const places: readonly [what: string, files: Files, place: string, name: string, file: string][] = [
  ['compose, with its .env', byName, 'docker-compose.yml', '.env#LIGHTDASH_VERSION', '.env'],
  [
    'a service, with its .env',
    byName,
    'docker-compose.yml#services.worker.image',
    '.env#LIGHTDASH_VERSION',
    '.env',
  ],
  ['.env', byName, '.env', '.env#LIGHTDASH_VERSION', '.env'],
  ['a variable of .env', byName, '.env#LIGHTDASH_VERSION', '.env#LIGHTDASH_VERSION', '.env'],
  ['.env, as compose uses it', byOwnName, '.env', '.env#V', '.env'],
  ['a default', byDefault, 'compose.yaml', 'compose.yaml#services.lightdash.image', 'compose.yaml'],
  ['an expression', script, `deploy.sh#/lightdash:(\\S+)/`, `deploy.sh#/lightdash:(\\S+)/`, 'deploy.sh'],
  ['a comment', marked, 'deploy.sh', 'deploy.sh#TAG', 'deploy.sh'],
  ['a comment by its name', marked, 'deploy.sh#TAG', 'deploy.sh#TAG', 'deploy.sh'],
  [
    'a Dockerfile',
    { Dockerfile: `ARG V=1.121.0\nFROM ${image}:$V\n` },
    'Dockerfile',
    'Dockerfile#V',
    'Dockerfile',
  ],
  [
    'Terraform',
    { 'prod.tfvars': 'lightdash_tag = "1.121.0"\n' },
    'prod.tfvars',
    'prod.tfvars#lightdash_tag',
    'prod.tfvars',
  ],
];

describe('a place that pins', () => {
  it.each(places)('is moved by upgrade-bump, and read again: %s', async (_, files, place, name, file) => {
    const folder = folderWith(files);
    const pin = ['upgrade-bump', '--file', join(folder, place), '--to', '1.122.0'];
    const argv = [...pin, '--json', '--index', realIndexFile];
    const { code, stderr } = await runCli(argv);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`${join(folder, name)} moved from 1.121.0 to 1.122.0`),
    });
    const now = (one: string) => readFileSync(join(folder, one), 'utf8');
    for (const [one, text] of Object.entries(files)) {
      expect(now(one)).toBe(one === file ? text.replaceAll('1.121.0', '1.122.0') : text);
    }
    expect(await runCli(argv)).toMatchObject({ code: 0, stderr: expect.stringContaining('1.122.0') });
  });

  it.each(places)('is the running version with --from-file: %s', async (_, files, place) => {
    const folder = folderWith(files);
    const argv = [
      'upgrade-check',
      '--from-file',
      join(folder, place),
      '--to',
      '1.122.0',
      '--index',
      realIndexFile,
    ];
    const { stdout, stderr } = await runCli([...argv, '--json']);
    expect(JSON.parse(stdout).fromVersion, stderr).toBe('1.121.0');
  });

  const byPath = places.filter(([, , place]) => place.includes('#'));
  it.each(byPath)('is judged by pin-check: %s', async (_, files, place) => {
    const after = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, text.replaceAll('1.121.0', '1.122.0')]),
    );
    const { folder } = changeOf(files, after);
    const argv = ['pin-check', '--repo', folder, '--base', 'main', '--pin', place, '--index', realIndexFile];
    const { code, stdout, stderr } = await runCli([...argv, '--json'], { env: gitEnv });
    const moved = JSON.parse(stdout).pins.map((pin: Record<string, string>) => [
      pin.fromVersion,
      pin.toVersion,
    ]);
    // Another service of the same file moves with it.
    expect({ code, moved: [...new Set(moved.map(String))] }, stderr).toEqual({
      code: 0,
      moved: ['1.121.0,1.122.0'],
    });
  });

  it('moves with the other stages of the same image, or not at all', async () => {
    const stages = `FROM ${image}:1.121.0 AS app\nFROM other/lightdash:1.100.0\nFROM ${image}:1.121.0\n`;
    const folder = folderWith({ Dockerfile: stages });
    const file = join(folder, 'Dockerfile');
    const to = ['--to', '1.122.0', '--index', realIndexFile];
    const bump = () => runCli(['upgrade-bump', '--file', `${file}#FROM.app`, ...to]);
    expect(await bump()).toMatchObject({ code: 0, stdout: expect.stringContaining('With it: FROM.2.') });
    expect(readFileSync(file, 'utf8')).toBe(stages.replaceAll('1.121.0', '1.122.0'));

    for (const [tag, why] of [
      ['1.120.0', 'it is 1.121.0 here, but 1.120.0 elsewhere in the file'],
      ['latest', 'FROM.2 in the same file: '],
    ] as const) {
      const differing = `${stages.slice(0, stages.lastIndexOf(':'))}:${tag}\n`;
      writeFileSync(file, differing);
      expect(await bump()).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
      const check = await runCli(['upgrade-check', '--from-file', `${file}#FROM.app`, ...to]);
      expect(check).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
      expect(readFileSync(file, 'utf8')).toBe(differing);
    }
  });

  it('is read from the settings', async () => {
    const folder = folderWith({ ...script, 'lightspan.yaml': "pins: ['deploy.sh#/lightdash:(\\S+)/']\n" });
    const argv = ['upgrade-plan', '--to', '1.122.0', '--settings', join(folder, 'lightspan.yaml')];
    const { stdout, stderr } = await runCli([...argv, '--index', realIndexFile, '--json']);
    expect(JSON.parse(stdout).fromVersion, stderr).toBe('1.121.0');
  });

  it.each<[what: string, text: string, place: string, code: number, said: string]>([
    ['is nowhere', 'x\n', '#/lightdash:(\\S+)/', 2, 'there is nothing at that place'],
    ['has no group', 'x\n', '#/lightdash:\\S+/', 2, 'it has 0 groups, but needs one'],
    ['has two', 'x\n', '#/(l):(\\S+)/', 2, 'it has 2 groups, but needs one'],
    ['is no expression', 'x\n', '#/(/', 2, 'missing closing )'],
    ['looks around', 'x\n', '#/(?=x)(x)/', 2, 'invalid or unsupported Perl syntax'],
    ['pins two', 'l:1.2.0\nl:1.3.0\n', '#/l:(\\S+)/', 2, 'it is 1.2.0 here, but 1.3.0 elsewhere'],
    ['pins no release', 'l:latest\n', '#/l:(\\S+)/', 2, '"latest" does not name a release'],
    [
      'marks two',
      'A=1.2.0 # lightspan: pin\nB=1.2.0 # lightspan: pin\n',
      '',
      2,
      'pins Lightdash in 2 places',
    ],
    ['marks none', 'A=1.2.0\n', '', 2, 'deploy.sh'],
  ])('%s', async (_, text, place, code, said) => {
    const file = join(folderWith({ 'deploy.sh': text }), `deploy.sh${place}`);
    const argv = ['upgrade-bump', '--file', file, '--to', '1.122.0', '--json', '--index', realIndexFile];
    expect(await runCli(argv)).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });

  it('takes time in proportion to the text, whatever the expression', async () => {
    const file = folderWith({ 'deploy.sh': `${'a'.repeat(200_000)}\n` });
    const argv = [
      'upgrade-bump',
      '--file',
      `${join(file, 'deploy.sh')}#/(?:a+)+b(c)/`,
      '--index',
      realIndexFile,
    ];
    expect((await runCli(argv)).code).toBe(2);
  });
});
