import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const values = (tag: string) =>
  `# production\r\nimage:\r\n  repository: lightdash/lightdash\r\n  tag: ${tag} # pinned\r\n`;
const nineKeys =
  /^\{"fromVersion":"[^"]+","toVersion":"[^"]+","direction":"[^"]+","safe":(true|false),"verdict":[^,]+,"requiredStops":\[.*\],"minPreviousVersion":[^,]+,"coveredVersions":\[.*\],"missingRanges":\[.*\]\}\n$/;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'values.yaml');
  await writeFile(file, values('"1.121.0"'));
});

const bump = (...rest: string[]) => [
  'upgrade-bump',
  '--file',
  `${file}#image.tag`,
  '--index',
  realIndexFile,
  ...rest,
];

describe('upgrade-bump', () => {
  it('moves the pin to the newest release that rolls, and prints the verdict', async () => {
    const { code, stdout, stderr } = await spawnCli(bump());
    expect(code).toBe(0);
    expect(stdout).toMatch(nineKeys);
    expect(JSON.parse(stdout)).toMatchObject({ fromVersion: '1.121.0', toVersion: '1.156.0', safe: true });
    expect(stderr).toContain(`${file}#image.tag moved from 1.121.0 to 1.156.0 (RollingUpdate`);
    expect(await readFile(file, 'utf8')).toBe(values('"1.156.0"'));
    expect(await readdir(folder)).toEqual(['values.yaml']);
  });

  it('asks the same question as upgrade-check', async () => {
    const { stdout } = await runCli(bump('--check', '--to', '1.157.0'));
    const check = [
      'upgrade-check',
      '--from',
      '1.121.0',
      '--to',
      '1.157.0',
      '--index',
      realIndexFile,
      '--json',
    ];
    expect(stdout).toBe((await runCli(check)).stdout);
  });

  it.each([
    [['--to', '1.157.0'], 1],
    [['--to', 'next-hop'], 1],
    [['--to', '9.9.9', '--allow-recreate'], 1],
    [['--check'], 0],
    [['--check', '--to', '1.157.0'], 1],
    [['--check', '--to', '1.157.0', '--allow-recreate'], 0],
    [['--to', '1.121.0'], 0],
    [['--to', '1.120.0'], 2],
    [['--to', '1.x'], 2],
    [['--nope'], 2],
  ])('%j changes nothing and exits %i', async (rest, code) => {
    const before = await stat(file);
    const { code: exitCode, stdout } = await runCli(bump(...rest));
    expect(exitCode).toBe(code);
    expect(await readFile(file, 'utf8')).toBe(values('"1.121.0"'));
    expect((await stat(file)).ino).toBe(before.ino);
    expect(stdout).toMatch(code === 2 ? /^\{"safe":false,"error":\{.*\}\}\n$/ : nineKeys);
  });

  it('pins a Recreate hop where that is allowed, marked so', async () => {
    const { code, stdout, stderr } = await runCli(bump('--to', '1.157.0', '--allow-recreate'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).safe).toBe(false);
    expect(stderr).toMatch(/moved from 1\.121\.0 to 1\.157\.0 \(RECREATE, .*short downtime/);
    expect(await readFile(file, 'utf8')).toBe(values('"1.157.0"'));
  });

  it('says why it stays', async () => {
    const { stderr } = await runCli(bump('--to', '1.157.0'));
    expect(stderr).toMatch(/stays at 1\.121\.0: 1\.157\.0 is not proven .*\n {2}- 1\.157\.0 is unknown, /);
    expect(stderr).not.toMatch(/\bsafe\b/i);
  });

  it('moves the image of docker compose', async () => {
    const compose = join(folder, 'docker-compose.yml');
    const text = (version: string) => `services:\n  lightdash:\n    image: lightdash/lightdash:${version}\n`;
    await writeFile(compose, text('1.121.0'));
    const argv = ['upgrade-bump', '--file', `${compose}#services.lightdash.image`, '--index', realIndexFile];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
    expect(await readFile(compose, 'utf8')).toBe(text('1.156.0'));
  });

  it.each([
    ['a template', '{{ .Values.tag }}', /template/],
    ['a template in quotes', '"{{ .Values.tag }}"', /template/],
    ['an alias', '*tag', /alias/],
    ['a digest', 'sha256@sha256:0123', /digest/],
    ['latest', 'latest', /latest/],
    ['a number', '1.10', /no text: YAML reads 1\.10 as 1\.1/],
    ['nothing', '', /empty/],
    ['a variable', '$TAG', /environment/],
    ['another suffix', '1.121.0-custom', /1\.121\.0-custom/],
  ])('refuses %s', async (_, tag, message) => {
    const text = `first: &tag 1.121.0\nimage:\n  tag: ${tag}\n`;
    await writeFile(file, text);
    const { code, stdout, stderr } = await runCli(bump());
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'invalid-pin' } });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('--from ');
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.each([
    ['a path that is not there', '#image.nope', 2],
    ['no path', '', 2],
    ['no file', '.missing#image.tag', 3],
  ])('refuses %s', async (_, behind, code) => {
    const argv = ['upgrade-bump', '--file', `${file}${behind}`, '--index', realIndexFile];
    const { code: exitCode, stdout } = await runCli(argv);
    expect(exitCode).toBe(code);
    expect(JSON.parse(stdout).safe).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('refuses a file that never ends', async () => {
    const argv = ['upgrade-bump', '--file', '/dev/zero#x', '--index', realIndexFile];
    const { code, stdout } = await runCli(argv);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'too-large' } });
  });

  it('refuses a file that is no text', async () => {
    await writeFile(file, Uint8Array.of(0xff, 0xfe, 0x00));
    const { code, stderr } = await runCli(bump());
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is not UTF-8 text') });
  });

  it('changes nothing where the index cannot be trusted', async () => {
    const argv = ['upgrade-bump', '--file', `${file}#image.tag`, '--index', 'package.json'];
    expect(await runCli(argv)).toMatchObject({ code: 4 });
    expect(await readFile(file, 'utf8')).toBe(values('"1.121.0"'));
  });

  it('keeps permissions, and a link stays a link', async () => {
    await chmod(file, 0o640);
    const link = join(folder, 'link.yaml');
    await symlink('values.yaml', link);
    const argv = ['upgrade-bump', '--file', `${link}#image.tag`, '--index', realIndexFile];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readFile(file, 'utf8')).toBe(values('"1.156.0"'));
  });

  it('is no yes where the file cannot be replaced', async () => {
    // A name so long that none can stand beside it.
    const long = join(folder, 'deep', 'v'.repeat(250));
    await mkdir(join(folder, 'deep'));
    await writeFile(long, values('1.121.0'));
    const argv = ['upgrade-bump', '--file', `${long}#image.tag`, '--index', realIndexFile];
    const { code, stdout } = await runCli(argv);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'unwritable-output' } });
    expect(await readFile(long, 'utf8')).toBe(values('1.121.0'));
    expect(await readdir(join(folder, 'deep'))).toHaveLength(1);
  });
});
