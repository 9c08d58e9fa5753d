import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { runCli } from '../support/cli.js';
import { evaluateNaively } from '../support/naive-evaluator.js';
import type { LooseIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { bytesOfIndex, documentFault } from './documents.js';

const folder = temporaryFolder();
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const image = 'lightdash/lightdash';

const compose = (worker: string) => ({
  services: {
    lightdash: { image: `${image}:1.1.0`, restart: 'always' },
    worker: { image: worker },
    db: { image: 'pgvector/pgvector:pg15' },
  },
});
const values = (more: object, job = '1.1.0') => ({
  image: { repository: image, tag: '1.1.0', pullPolicy: 'IfNotPresent', ...more },
  migrationJob: { enabled: true, image: { repository: image, tag: job } },
  postgresql: { image: { repository: 'pgvector/pgvector', tag: 'pg16' } },
});

/** Files that pin 1.1.0: from each that stands for one release the span to 1.4.0 is safe. */
const files = [
  { name: 'compose', path: 'services.lightdash.image', file: compose(`ghcr.io/${image}:1.1.0`), safe: true },
  { name: 'values', path: 'image.tag', file: values({ digest: '' }), safe: true },
  {
    name: 'a digest',
    path: 'image.tag',
    file: values({ tag: `1.1.0@${digest}` }, `1.1.0@${digest}`),
    safe: true,
  },
  {
    name: 'another service',
    path: 'services.lightdash.image',
    file: compose(`ghcr.io/${image}:1.0.0`),
    safe: false,
  },
  { name: 'another part', path: 'image.tag', file: values({}, '1.0.0'), safe: false },
  { name: 'a digest beside', path: 'image.tag', file: values({ digest }), safe: false },
] as const;

const bytesOf = (file: object, pretty = true) =>
  Buffer.from(JSON.stringify(file, null, pretty ? 2 : undefined));

const check = async (damaged: Buffer, path: string) => {
  const file = join(folder, 'pin.yaml');
  await writeFile(file, damaged);
  const argv = ['upgrade-check', '--json', '--from-file', `${file}#${path}`, '--to', '1.4.0', '--index', '-'];
  return runCli(argv, { stdin: bytesOfIndex('safe') });
};

interface Part {
  readonly name: string | undefined;
  readonly ref: string;
  readonly digestBeside: boolean;
}

/** Every image of a value, as a person would list them: its name without folders, and all that pins it. */
function imagesOf(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const map: Record<string, unknown> = { ...value };
  const { image, repository, tag, digest } = map;
  const inner = Object.values(map).flatMap(imagesOf);
  const lastOf = (text: string) => text.split('/').at(-1) ?? '';
  const digestBeside = digest !== undefined && digest !== null && digest !== '';
  if (typeof image === 'string') {
    const [name, ...ref] = lastOf(image.replace(/@.*/s, '')).split(':');
    const [, behind = ''] = image.split(/@(.*)/s);
    inner.push({ name, ref: `${ref.join(':')}@${behind}`, digestBeside });
  }
  if (typeof tag === 'string' && typeof repository === 'string') {
    inner.push({ name: lastOf(repository), ref: tag.includes('@') ? tag : `${tag}@`, digestBeside });
  }
  return inner;
}

/** Whether the file, read as a person would, stands for one release, and the span from it is proven. */
function safeInTruth(damaged: Buffer, path: string): boolean {
  const document = parseDocument(damaged.toString('utf8'), { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.length > 0) return false;
  let whole: unknown;
  try {
    whole = document.toJS();
  } catch {
    return false;
  }
  const pinned: unknown = path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
      whole,
    );
  const [, version] = /(?:^|:)v?(\d+\.\d+\.\d+)(?:@sha\d+:[0-9a-f]+)?$/.exec(String(pinned)) ?? [];
  if (version === undefined || /\b0\d/.test(version)) return false;
  const pin = String(pinned).replace(/^.*[/:](?=v?[\d.]+(@|$))/, '');
  const ref = pin.includes('@') ? pin : `${pin}@`;
  const images = imagesOf(whole);
  const own = images.find((one) => one.ref === ref)?.name;
  const same = images.filter(({ name }) => name === own);
  if (same.some((one) => one.ref !== ref || one.digestBeside)) return false;
  const index: LooseIndex = JSON.parse(bytesOfIndex('safe').toString());
  return evaluateNaively(index, version, '1.4.0').safe;
}

describe('before any fault', () => {
  it.each(files)('$name is what it is called', async ({ file, path, safe }) => {
    const { code } = await check(bytesOf(file), path);
    expect(code).toBe(safe ? 0 : 2);
    expect(safeInTruth(bytesOf(file), path)).toBe(safe);
  });
});

const cases = fc.record({ file: fc.constantFrom(...files), pretty: fc.boolean(), fault: documentFault });

// What is damaged is part of the question: the answer may be that the question is wrong.
itFailsClosed(
  'pinned version in a file',
  { cases, numRuns: 3000, exitCodes: [0, 1, 2, 3, 4] },
  async ({ file: { file, path }, pretty, fault }) => {
    const damaged = fault.apply(bytesOf(file, pretty));
    const outcome = await check(damaged, path);
    return { damaged, outcome, safeInTruth: safeInTruth(damaged, path) };
  },
);
