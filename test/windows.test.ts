import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli, spawnCli } from './support/cli.js';
import { mergeQuery } from './support/merge.js';
import { realIndexJson, realIndexText } from './support/real-index.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** What editors and tools of Windows write: a byte order mark, and CR LF. */
const asOnWindows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  const files = {
    'index.json': JSON.stringify(realIndexJson(), undefined, 2),
    'values.yaml': 'image:\n  repository: lightdash/lightdash\n  tag: "1.121.0"\n',
    'merge.json': JSON.stringify({ mergeQuery: mergeQuery() }, undefined, 2),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), asOnWindows(text));
});

describe('files written on Windows', () => {
  it('an index, and a values file that pins the version', async () => {
    const pin = ['--from-file', `${file('values.yaml')}#image.tag`];
    const argv = ['upgrade-check', ...pin, '--to', '1.156.0', '--index', file('index.json')];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
  });

  it('a merge file', async () => {
    expect(await runCli(['merge', 'validate', file('merge.json')])).toMatchObject({ code: 0 });
  });
});

it.each(['C:\\data\\index.json', 'C:/data/index.json', 'C://data/index.json', '\\\\host\\share\\index.json'])(
  '%s is a file, not a URL',
  async (path) => {
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', path];
    const { code, stderr } = await runCli(argv);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('there is no such file') });
  },
);

it('where there are neither owners nor modes, answers are cached and files replaced all the same', async () => {
  const preload = file('no-owners.cjs');
  await writeFile(preload, 'delete process.getuid; delete process.geteuid;');
  const cache = file('cache');
  await mkdir(cache);
  await chmod(cache, 0o777);
  const { url, requests } = await serve((_, response) =>
    response.setHeader('cache-control', 'max-age=300').end(realIndexText),
  );
  const env = { NODE_OPTIONS: `--require "${preload}"`, LIGHTSPAN_CACHE_DIR: cache };
  const argv = [
    ...['upgrade-check', '--from', '1.121.0', '--to', '1.156.0', '--index', url, '--max-age', '9999d'],
  ];
  expect(await spawnCli(argv, { env })).toMatchObject({ code: 0, stderr: '' });
  expect(await spawnCli([...argv, '--offline'], { env })).toMatchObject({ code: 0 });
  expect(requests).toHaveLength(1);

  await writeFile(file('compose.yaml'), 'image: "lightdash/lightdash:1.121.0"\n');
  const pin = `${file('compose.yaml')}#image`;
  expect(
    await spawnCli(['upgrade-bump', '--file', pin, '--to', 'latest-rolling', '--index', url], { env }),
  ).toMatchObject({ code: 0 });
  expect(await readFile(file('compose.yaml'), 'utf8')).toBe('image: "lightdash/lightdash:1.156.0"\n');
});
