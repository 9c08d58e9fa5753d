import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { realIndexFile, realIndexText } from '../support/real-index.js';
import { startRegistry } from '../support/registry-server.js';
import { serve } from '../support/server.js';
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

const bumpOf = (place: string, ...rest: string[]) => {
  const to = rest.includes('--to') ? [] : ['--to', 'latest-rolling'];
  return ['upgrade-bump', '--file', place, '--index', realIndexFile, '--json', ...to, ...rest];
};
const bump = (...rest: string[]) => bumpOf(`${file}#image.tag`, ...rest);

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

  it.each([
    [['--to', '1.157.0'], 1],
    [['--to', 'latest'], 1],
    [['--to', 'latest', '--allow-recreate', '--check'], 0],
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

  describe('with --require-image', () => {
    const of = (registry: string, tag: string) =>
      `image:\n  registry: ${registry}\n  repository: lightdash/lightdash\n  tag: ${tag}\n`;

    it.each([
      ['lightdash/lightdash:1.156.0', '1.121.0', [], 0],
      ['lightdash/lightdash:v1.156.0-acme', 'v1.121.0-acme', ['--tag-suffix', '-acme'], 0],
      ['lightdash/lightdash:1.156.0', 'v1.121.0-acme', ['--tag-suffix', '-acme'], 1],
      ['lightdash/lightdash:1.121.0', '1.121.0', [], 1],
      ['lightdash/lightdash:1.121.0', '1.121.0', ['--check'], 1],
    ])('where the registry has %s, %s moves as that allows: %j, exit %i', async (image, tag, flags, code) => {
      const { host, asked } = await startRegistry({ images: [image], wants: 'token' });
      await writeFile(file, of(host, tag));
      const outcome = await runCli(bump('--require-image', ...flags));
      expect(outcome.code).toBe(code);
      expect(await readFile(file, 'utf8')).toBe(
        of(host, code === 0 ? tag.replace('1.121.0', '1.156.0') : tag),
      );
      expect(
        asked.map((line) => line.split('?')[0]).filter((line) => !/^(HEAD|GET) \//.test(line ?? '')),
      ).toEqual([]);
      if (code === 0) return;
      expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: 'image-absent' } });
      expect(outcome.stderr).toContain(`the registry has no image ${host}/lightdash/lightdash:`);
    });

    it('is exit 3 where the registry gives no answer, and asks nothing where nothing moves', async () => {
      await writeFile(file, of('localhost:1', '1.121.0'));
      const outcome = await runCli(bump('--require-image', '--timeout', '2s'));
      expect(outcome).toMatchObject({ code: 3, stdout: expect.stringContaining('"safe":false') });
      expect(await readFile(file, 'utf8')).toBe(of('localhost:1', '1.121.0'));
      expect(await runCli(bump('--require-image', '--to', '1.121.0'))).toMatchObject({ code: 0 });
      expect(await runCli(bump('--require-image', '--offline'))).toMatchObject({ code: 2 });
    });

    it('asks for the image of every place that moves', async () => {
      const { host } = await startRegistry({ images: ['lightdash/lightdash:1.156.0'] });
      const worker = await startRegistry({ images: [] });
      const text = `a:\n  image: ${host}/lightdash/lightdash:1.121.0\nb:\n  image: ${worker.host}/lightdash/lightdash:1.121.0\n`;
      await writeFile(file, text);
      const outcome = await runCli(bumpOf(`${file}#a.image`, '--require-image'));
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(worker.host) });
      expect(await readFile(file, 'utf8')).toBe(text);
    });
  });

  it('pins a Recreate hop where that is allowed, marked so', async () => {
    const { code, stdout, stderr } = await runCli(bump('--to', '1.157.0', '--allow-recreate'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).safe).toBe(false);
    expect(stderr).toMatch(/moved from 1\.121\.0 to 1\.157\.0 \(RECREATE, .*downtime/);
    expect(await readFile(file, 'utf8')).toBe(values('"1.157.0"'));
  });

  it('finds the one place that pins Lightdash, and asks where there are two', async () => {
    const text = (version: string) => `${values(version)}redis:\n  image:\n    tag: 7.0.0\n`;
    await writeFile(file, text('"1.121.0"'));
    const argv = bumpOf(file);
    expect(await runCli(argv)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${file}#image.tag moved from 1.121.0 to 1.156.0 `),
    });
    expect(await readFile(file, 'utf8')).toBe(text('"1.156.0"'));
  });

  it.each([
    ['moved', '"v1.156.0-custom"'],
    ['would move', '"v1.121.0-custom"', '--check'],
  ])('%s: a tag with the suffix of --tag-suffix', async (said, tag, ...rest) => {
    await writeFile(file, values('"v1.121.0-custom"'));
    const { code, stderr } = await runCli(bump('--tag-suffix', '-custom', ...rest));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(`${file}#image.tag ${said} from 1.121.0 to 1.156.0 (`);
    expect(await readFile(file, 'utf8')).toBe(values(tag));
  });

  it.each([
    ['no file', () => `${file}.missing#image.tag`, 3, 'unreadable-source'],
    ['a file that never ends', () => '/dev/zero#x', 3, 'too-large'],
  ])('refuses %s', async (_, place, code, error) => {
    const outcome = await runCli(bumpOf(place()));
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: error } });
  });

  it('changes nothing where the index cannot be trusted', async () => {
    const argv = ['upgrade-bump', '--file', `${file}#image.tag`, '--index', 'package.json'];
    expect(await runCli(argv)).toMatchObject({ code: 4 });
    expect(await readFile(file, 'utf8')).toBe(values('"1.121.0"'));
  });

  it('is no yes where the file cannot be replaced', async () => {
    // A name so long that none can stand beside it.
    const long = join(folder, 'deep', 'v'.repeat(250));
    await mkdir(join(folder, 'deep'));
    await writeFile(long, values('1.121.0'));
    const argv = bumpOf(`${long}#image.tag`);
    const { code, stdout } = await runCli(argv);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'unwritable-output' } });
    expect(await readFile(long, 'utf8')).toBe(values('1.121.0'));
    expect(await readdir(join(folder, 'deep'))).toHaveLength(1);
  });
});

describe('a file that changes while the index is fetched', () => {
  /** A server that holds the index back until `edit` is done. */
  async function bumpDuring(edit: () => Promise<void>, ...rest: string[]) {
    let edited: Promise<void> | undefined;
    const server = await serve(async (_, response) => {
      // Once, even if the request is sent again.
      edited ??= edit();
      await edited;
      response.end(realIndexText);
    });
    const argv = bump('--no-cache', ...rest).with(4, `${server.url}/i`);
    return spawnCli(argv);
  }

  it.each<[string, () => Promise<void>, string | undefined]>([
    ['an edit elsewhere', () => appendFile(file, 'replicas: 3\r\n'), `${values('"1.121.0"')}replicas: 3\r\n`],
    ['a pin that is moved', () => writeFile(file, values('"1.156.0"')), values('"1.156.0"')],
    ['a file that is no text any more', () => writeFile(file, Uint8Array.of(0xff)), '\uFFFD'],
    ['a file that is removed', () => rm(file), undefined],
  ])('is left as it is now, and that is no yes: %s', async (_, edit, now) => {
    const { code, stdout, stderr } = await bumpDuring(edit);
    expect({ code, stderr }).toMatchObject({ code: 3 });
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'changed-meanwhile' } });
    expect(stderr).toContain(`${file} was changed by another program in the meantime`);
    expect(stderr).not.toContain('moved');
    expect(await readFile(file, 'utf8').catch(() => undefined)).toBe(now);
    expect(await readdir(folder)).toEqual(now === undefined ? [] : ['values.yaml']);
  });

  it('may be written with the same bytes', async () => {
    expect(await bumpDuring(() => writeFile(file, values('"1.121.0"')))).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(values('"1.156.0"'));
  });
});

describe('an image that stands in more than one place', () => {
  const image = 'lightdash/lightdash';
  const compose = (main: string, worker: string) =>
    `services:\n  lightdash:\n    image: ${image}:${main}\n  worker:\n    image: "${image}:${worker}"\n`;

  it('moves everywhere', async () => {
    await writeFile(file, compose('1.121.0', '1.121.0'));
    const stderr = expect.stringContaining('to 1.156.0. With it: services.worker.image');
    expect(await runCli(bumpOf(`${file}#services.lightdash.image`))).toMatchObject({ code: 0, stderr });
    expect(await readFile(file, 'utf8')).toBe(compose('1.156.0', '1.156.0'));
  });

  it('stays where it is if one place is written in another form', async () => {
    const text = compose('1.121.0', '1.121\\x2e0');
    await writeFile(file, text);
    const { code, stdout } = await runCli(bumpOf(`${file}#services.lightdash.image`));
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'invalid-pin' } });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('has nothing to move where a digest stands at the target', async () => {
    await writeFile(file, `image: {tag: 1.121.0@sha256:${'0123456789abcdef'.repeat(4)}}`);
    expect(await runCli(bump('--to', '1.121.0'))).toMatchObject({ code: 0 });
  });
});

describe('several places of one image in one compose file', () => {
  const services = (web: string, worker: string) =>
    `services:\n  lightdash: {image: "lightdash/lightdash:${web}"}\n  worker: {image: "lightdash/lightdash:${worker}"}\n`;

  it.each<[what: string, web: string, worker: string, env: string | undefined]>([
    ['equal releases', '1.121.0', '1.121.0', undefined],
    ['equal defaults of one variable', `\${T:-1.121.0}`, `\${T:-1.121.0}`, undefined],
    ['the two kinds of default', `\${T-1.121.0}`, `\${T:-1.121.0}`, 'OTHER=1\n'],
  ])('%s move together, and need no choice', async (_, web, worker, env) => {
    const compose = join(folder, 'compose.yaml');
    await writeFile(compose, services(web, worker));
    if (env !== undefined) await writeFile(join(folder, '.env'), env);
    expect(await runCli(bumpOf(compose))).toMatchObject({ code: 0 });
    expect(await readFile(compose, 'utf8')).toBe(services(web, worker).replaceAll('1.121.0', '1.156.0'));
  });

  it.each<[what: string, web: string, worker: string]>([
    ['a default and a release', `\${T:-1.121.0}`, '1.121.0'],
    ['the defaults of two variables', `\${T:-1.121.0}`, `\${U:-1.121.0}`],
  ])('%s move together where one is named', async (_, web, worker) => {
    const compose = join(folder, 'compose.yaml');
    await writeFile(compose, services(web, worker));
    const outcome = await runCli(bumpOf(`${compose}#services.lightdash.image`));
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    expect(await readFile(compose, 'utf8')).toBe(services(web, worker).replaceAll('1.121.0', '1.156.0'));
  });

  it.each<[what: string, web: string, worker: string, env: string]>([
    ['a variable that is set and a release', `\${T}`, '1.121.0', 'T=1.121.0\n'],
    ['a default and a variable that is set', `\${T:-1.121.0}`, `\${U:-1.120.0}`, 'U=1.121.0\n'],
  ])('%s are refused: they stand in two files', async (_, web, worker, env) => {
    const compose = join(folder, 'compose.yaml');
    await writeFile(compose, services(web, worker));
    await writeFile(join(folder, '.env'), env);
    const outcome = await runCli(bumpOf(`${compose}#services.lightdash.image`));
    expect(outcome.stderr).toContain('its value comes from several places');
    expect(outcome.stderr).not.toContain('1.156.0, and');
    expect(outcome.code).toBe(2);
    expect(await readFile(compose, 'utf8')).toBe(services(web, worker));
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(env);
  });

  it('different images with equal tags are a choice', async () => {
    const compose = join(folder, 'compose.yaml');
    await writeFile(
      compose,
      services('1.121.0', '1.121.0').replace('lightdash/lightdash', 'own/lightdash-web'),
    );
    const outcome = await runCli(bumpOf(compose));
    expect(outcome.stderr).toContain('pins Lightdash in 2 places');
    expect(outcome.code).toBe(2);
  });
});

describe('the pins of settings', () => {
  const image = 'lightdash/lightdash';
  const inFolder = (name: string) => join(folder, name);
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) await writeFile(inFolder(name), text);
  };
  const bumpBySettings = (...more: string[]) =>
    runCli([
      ...['upgrade-bump', '--settings', inFolder('lightspan.yaml'), '--to', 'latest-rolling'],
      ...['--index', realIndexFile, '--json', ...more],
    ]);
  const services = (worker: string) =>
    `services:\n  lightdash: {image: "${image}:$V"}\n  worker: {image: "${image}:${worker}"}\n`;
  const pins = 'pins: ["compose.yaml#services.lightdash.image", "compose.yaml#services.worker.image"]\n';

  it('move once the variable that fills in both', async () => {
    await write({ 'compose.yaml': services('$V'), '.env': 'V=1.121.0\n', 'lightspan.yaml': pins });
    const { code, stderr } = await bumpBySettings();
    expect(code).toBe(0);
    expect(stderr).toContain('.env#V moved from 1.121.0 to 1.156.0');
    expect(await readFile(inFolder('.env'), 'utf8')).toBe('V=1.156.0\n');
    expect(await readFile(inFolder('compose.yaml'), 'utf8')).toBe(services('$V'));
  });

  it('move together, in several files and in one', async () => {
    const two = (one: string, other: string) =>
      `a: {image: "x/lightdash:${one}"}\nb: {image: "y/ld:${other}"}\n`;
    const more = 'pins: ["two.yaml#a.image", "two.yaml#b.image", "values.yaml#image.tag"]\n';
    await write({ 'two.yaml': two('1.121.0', '1.121.0'), 'lightspan.yaml': more });
    const read = () =>
      Promise.all(['two.yaml', 'values.yaml'].map((name) => readFile(inFolder(name), 'utf8')));
    const before = await read();
    expect(await bumpBySettings('--check')).toMatchObject({ code: 0 });
    expect(await read()).toEqual(before);
    const { code, stderr } = await bumpBySettings();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /two\.yaml#a\.image, \S*two\.yaml#b\.image, \S*values\.yaml#image\.tag moved from/,
    );
    expect(await read()).toEqual([two('1.156.0', '1.156.0'), values('"1.156.0"')]);
  });

  it('are not moved if they do not agree', async () => {
    await write({ 'compose.yaml': services('1.122.0'), '.env': 'V=1.121.0\n', 'lightspan.yaml': pins });
    const { code, stdout } = await bumpBySettings();
    expect([code, JSON.parse(stdout).error.code]).toEqual([2, 'invalid-pin']);
    expect(await readFile(inFolder('.env'), 'utf8')).toBe('V=1.121.0\n');
  });
});

describe('two at once', () => {
  it('lose no move: the second says that the file has changed', async () => {
    const two = (first: string, second: string) =>
      `a: {image: "x/lightdash:${first}"}\nb: {image: "y/lightdash-b:${second}"}\n`;
    await writeFile(file, two('1.121.0', '1.121.0'));
    const outcomes = await Promise.all(
      ['a', 'b'].map((key) => spawnCli(bumpOf(`${file}#${key}.image`, '--to', '1.122.0'))),
    );
    const codes = outcomes.map(({ code }) => code);
    const moved = codes.map((code) => (code === 0 ? '1.122.0' : '1.121.0'));
    expect(await readFile(file, 'utf8')).toBe(two(moved[0] ?? '', moved[1] ?? ''));
    for (const { code, stdout } of outcomes.filter((one) => one.code !== 0)) {
      expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'changed-meanwhile']);
    }
    expect(codes).toContain(0);
    expect(await readdir(folder)).toEqual(['values.yaml']);
  });

  it('are held apart while one writes, and not by one that was killed', async () => {
    const lock = join(folder, '.values.yaml.lightspan.lock');
    await writeFile(lock, '');
    expect(await runCli(bump())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was changed by another program in the meantime'),
    });
    expect(await readFile(file, 'utf8')).toBe(values('"1.121.0"'));
    await utimes(lock, 0, 0);
    expect((await runCli(bump())).code).toBe(0);
    expect(await readdir(folder)).toEqual(['values.yaml']);
  });
});
