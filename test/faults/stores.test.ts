import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { sumsOf } from '../support/mirror.js';
import { serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { campaign, itFailsClosed } from './campaign.js';
import { bytesOfIndex, checkOf, indexNames } from './documents.js';
import { byteFault } from './mutations.js';

/** What lightspan keeps or was given with digests: there a damaged byte must not even become another answer. */

const folder = temporaryFolder();

it('a damaged cache entry is no answer offline', async () => {
  const { url: origin } = await serve((request, response) => {
    const name = indexNames.find((name) => request.url === `/${name}`) ?? 'safe';
    response.setHeader('cache-control', 'max-age=300');
    response.end(bytesOfIndex(name));
  });

  const stores = new Map<string, { env: Record<string, string>; file: string; entry: Buffer }>();
  for (const name of indexNames) {
    const cache = join(folder, `cache-${name}`);
    const env = { LIGHTSPAN_CACHE_DIR: cache };
    await runCli(checkOf(`${origin}/${name}`), { env });
    const [file = ''] = await readdir(cache);
    stores.set(name, { env, file: join(cache, file), entry: await readFile(join(cache, file)) });
    const offline = await runCli(checkOf(`${origin}/${name}`, '--offline'), { env });
    expect(offline.code).toBe(name === 'safe' ? 0 : 1);
  }
  await campaign(
    'cache entry',
    fc.record({ name: fc.constantFrom(...indexNames), fault: byteFault }),
    async ({ name, fault }) => {
      const { env, file, entry } = stores.get(name) ?? { env: {}, file: '', entry: Buffer.of() };
      const damaged = fault.apply(entry);
      await writeFile(file, damaged);
      const outcome = await runCli(checkOf(`${origin}/${name}`, '--offline'), { env });
      return { kind: fault.kind, damaged, outcome, safeInTruth: name === 'safe' && damaged.equals(entry) };
    },
    { numRuns: 3000 },
  );
});

const mirror = join(folder, 'mirror');

itFailsClosed(
  'mirror folder',
  {
    cases: fc.record({
      name: fc.constantFrom(...indexNames),
      target: fc.constantFrom('release-safety-index.json', 'SHA256SUMS'),
      fault: byteFault,
    }),
    numRuns: 3000,
  },
  async ({ name, target, fault }) => {
    const index = bytesOfIndex(name);
    const files: Record<string, Buffer> = {
      'release-safety-index.json': index,
      SHA256SUMS: Buffer.from(sumsOf({ 'release-safety-index.json': index })),
    };
    const damaged = fault.apply(files[target] ?? Buffer.of());
    await mkdir(mirror, { recursive: true });
    for (const [path, bytes] of Object.entries({ ...files, [target]: damaged })) {
      await writeFile(join(mirror, path), bytes);
    }
    const whole = target === 'SHA256SUMS' || damaged.equals(index);
    const outcome = await runCli(checkOf(mirror, '--offline'));
    return { damaged, outcome, safeInTruth: name === 'safe' && whole };
  },
);
