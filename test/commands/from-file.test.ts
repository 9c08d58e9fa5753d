import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinFindingWords } from '../../src/words/pin-changes.js';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const compose = (worker: string) =>
  `services: {lightdash: {image: "lightdash/lightdash:1.121.0"}, worker: {image: "${worker}"}}`;

async function fromFiles(texts: readonly (readonly [text: string, path: string])[]): Promise<string[]> {
  return Promise.all(
    texts.map(async ([text, path], i) => {
      const file = join(folder, `${i}.yaml`);
      await writeFile(file, text);
      return `--from-file=${file}#${path}`;
    }),
  );
}

const commands: readonly (readonly string[])[] = [
  ['upgrade-check', '--json'],
  ['upgrade-plan', '--json'],
  ['upgrade-report', '--json', '--artifact-url', 'fixtures'],
];

describe('a file without a path', () => {
  const one: Readonly<Record<string, string>> = {
    'values.yaml': '#image.tag',
    'docker-compose.yml': '#services.lightdash.image',
  };
  const textOf: Readonly<Record<string, string>> = {
    'values.yaml': 'image: {repository: lightdash/lightdash, tag: 1.121.0}\nredis: {image: {tag: 7.0.0}}',
    'docker-compose.yml':
      'services: {lightdash: {image: "lightdash/lightdash:1.121.0"}, db: {image: "postgres:16.1.0"}}',
  };
  const pathOf = async (name: string, text = textOf[name]) => {
    const file = join(folder, name);
    await writeFile(file, text ?? '');
    return file;
  };

  it.each(commands.flatMap((command) => Object.keys(one).map((name) => [name, command] as const)))(
    '%s is the one place that pins Lightdash: %j',
    async (name, command) => {
      const file = await pathOf(name);
      const run = (place: string) =>
        runCli([...command, '--from-file', place, '--to', '1.156.0', '--index', realIndexFile]);
      const outcome = await run(file);
      expect(JSON.parse(outcome.stdout).error).toBeUndefined();
      const named = await run(`${file}${one[name]}`);
      expect({ code: outcome.code, stdout: outcome.stdout.replaceAll(/"elapsedMs":\d+/g, '') }).toEqual({
        code: named.code,
        stdout: named.stdout.replaceAll(/"elapsedMs":\d+/g, ''),
      });
      expect(outcome.stderr).toBe(named.stderr);
    },
  );

  it('may be the target, too', async () => {
    const argv = ['--from', '1.121.0', '--to-file', await pathOf('values.yaml'), '--index', realIndexFile];
    expect(await runCli(['upgrade-check', ...argv])).toMatchObject({ code: 0 });
  });

  it('may be standard input', async () => {
    const argv = ['upgrade-check', '--from-file', '-', '--to', '1.156.0', '--index', realIndexFile];
    expect(await runCli(argv, { stdin: textOf['docker-compose.yml'] ?? '' })).toMatchObject({ code: 0 });
  });

  it.each(['--from-file', '--to-file'])('two places are a question: %s', async (option) => {
    const file = await pathOf(
      'two.yml',
      compose('lightdash/lightdash:1.121.0').replace('lightdash/', 'own/'),
    );
    const from = option === '--from-file' ? [] : ['--from', '1.121.0'];
    const argv = ['upgrade-check', ...from, option, file, '--index', realIndexFile];
    const { code, stdout, stderr } = await runCli(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `lightspan: ${file} pins Lightdash in 2 places\n` +
        `Name one of them: ${option} '${file}#services.lightdash.image' or ${option} '${file}#services.worker.image'\n`,
    );
  });

  it.each([
    [
      'lightdash/lightdash:1.121.0-acme',
      'If -acme is the suffix of your own images, pass --tag-suffix -acme.',
    ],
    [
      'lightdash/lightdash:1.121.0-rc.1',
      'If -rc.1 is the suffix of your own images, pass --tag-suffix -rc.1.',
    ],
  ])('a suffix is named with its option: %s', async (image, hint) => {
    const file = await pathOf('suffix.yml', `services: {lightdash: {image: "${image}"}}`);
    const { code, stderr } = await runCli(['upgrade-check', '--from-file', file, '--index', realIndexFile]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
  });

  it('two places that are written alike are no question: the first says why it names no release', async () => {
    const file = await pathOf(
      'floating.yml',
      compose('lightdash/lightdash:latest').replace(':1.121.0', ':latest'),
    );
    const argv = ['upgrade-check', '--from-file', file, '--index', realIndexFile];
    const { code, stderr } = await runCli(argv);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('"latest" does not name a release\nThe version comes'),
    ]);
  });
});

describe('a file that names no release', () => {
  it.each([
    [
      'an empty tag',
      'values.yaml',
      'image: {repository: lightdash/lightdash, tag: ""}',
      '#image.tag: it is empty',
    ],
    ['no tag', 'values.yaml', 'image: {repository: lightdash/lightdash}', '#image.tag: the image has no tag'],
    [
      'latest',
      'compose.yaml',
      'services: {web: {image: "lightdash/lightdash:latest"}}',
      '"latest" does not name',
    ],
    ['no image at all', 'values.yaml', 'service: {type: ClusterIP}', 'does not show where it pins'],
  ])('says where its version comes from: %s', async (_, name, text, said) => {
    const file = join(folder, name);
    await writeFile(file, text);
    const { code, stderr } = await runCli(['upgrade-check', '--from-file', file, '--index', realIndexFile]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).toContain(
      'The version comes from the instance: pass --instance <url> or --from <version>',
    );
    const target = await runCli([
      'upgrade-check',
      '--from',
      '1.121.0',
      '--to-file',
      file,
      '--index',
      realIndexFile,
    ]);
    expect(target.code).toBe(2);
    expect(target.stderr).not.toContain('comes from the instance');
  });
});

describe('upgrade-check --to-file', () => {
  const run = async (from: readonly string[], to: string, world = {}) => {
    const file = join(folder, 'to.yaml');
    await writeFile(file, to);
    const argv = ['upgrade-check', '--json', ...from, '--to-file', `${file}#image.tag`];
    return runCli([...argv, '--index', realIndexFile], world);
  };
  const base = (text: string) => fromFiles([[text, 'image.tag']]);

  it.each<[string, () => Promise<string[]>, string, number]>([
    ['a proven step', () => base('image: {tag: 1.121.0}'), 'image: {tag: v1.156.0}', 0],
    ['a step that is not', () => base('image: {tag: 1.156.0}'), 'image: {tag: 1.157.0}', 1],
    ['beside --from', async () => ['--from', '1.121.0'], 'image: {repository: a/b, tag: 1.156.0}', 0],
    ['a suffix', async () => ['--from', '1.121.0', '--tag-suffix=-x'], 'image: {tag: 1.156.0-x}', 0],
    ['another repository', () => base('image: {tag: 1.121.0}'), 'image: {repository: a/b, tag: 1.121.0}', 2],
    ['a digest alone', () => base('image: {tag: 1.121.0}'), `image: {tag: 1.121.0@${digest}}`, 2],
    ['a digest beside', () => base('image: {tag: 1.121.0}'), `image: {tag: 1.156.0, digest: ${digest}}`, 2],
    ['what is no release', () => base('image: {tag: 1.121.0}'), 'image: {tag: latest}', 2],
    ['and --to', async () => ['--from', '1.121.0', '--to', '1.156.0'], 'image: {tag: 1.156.0}', 2],
  ])('%s', async (_, from, to, code) => {
    const outcome = await run(await from(), to);
    expect(outcome).toMatchObject({ code });
    expect(JSON.parse(outcome.stdout).safe).toBe(code === 0);
  });

  it('is of the same image as every place that pins what runs', async () => {
    const places = (other: string) =>
      fromFiles([
        ['image: {repository: a/b, tag: 1.121.0}', 'image.tag'],
        [`image: {repository: ${other}, tag: 1.121.0}`, 'image.tag'],
      ]);
    const target = 'image: {repository: a/b, tag: 1.156.0}';
    expect(await run(await places('a/b'), target)).toMatchObject({ code: 0 });
    const { code, stderr } = await run(await places('c/d'), target);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `lightspan: ${join(folder, 'to.yaml')}#image.tag: the image also changes, from c/d to a/b
${pinFindingWords['image-changed'].remedy}
`,
    });
  });
});

it('names the values that may be meant where none is known to be that of Lightdash', async () => {
  const file = join(folder, 'prod.yaml');
  await writeFile(file, 'ld:\n  image: {tag: 1.150.1}\nweb:\n  image: {tag: 1.27.0}\nport: 8080\n');
  const argv = ['upgrade-check', '--to', '1.156.0', '--index', realIndexFile, '--from-file'];
  const { code, stderr } = await runCli([...argv, file]);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    `such as --from-file '${file}#ld.image.tag' or --from-file '${file}#web.image.tag'. If it names none`,
  );
  expect(await runCli([...argv, `${file}#ld.image.tag`])).toMatchObject({ code: 0 });
});
