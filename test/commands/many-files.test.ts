import { expect, it } from 'vitest';
import { spawnMeasured } from '../support/peak-memory.js';
import { realIndexFile } from '../support/real-index.js';
import { gitEnv, Repository } from '../support/repository.js';

/** Source of a program, as a formatter of all of it changes it. */
const sources = (version: number) =>
  Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [
      `src/m${i % 100}/f${i}.ts`,
      `export const version = '${version}.0.0';\n${`export const x${version} = f('of some length', ${i});\n`.repeat(20)}`,
    ]),
  );

it('looks at 5,000 files of a change in little time and memory', async () => {
  const own = { 'compose.yaml': 'services: {bi: {image: "lightdash/lightdash:1.121.0"}}\n' };
  const repository = new Repository().commit({ ...own, ...sources(1) });
  repository.commit(sources(2));
  const argv = ['pin-check', '--repo', repository.folder, '--base', 'HEAD~1'];
  const env = { ...gitEnv, LIGHTSPAN_INDEX: realIndexFile };
  const { stdout, code, peakMb, seconds } = await spawnMeasured(argv, env);
  expect(stdout).toContain('Looked at: 5,000 files');
  expect(code).toBe(0);
  expect(peakMb).toBeLessThan(120);
  // Of its processor: 0.5 s where nothing else runs.
  expect(seconds).toBeLessThan(1.5);
});
