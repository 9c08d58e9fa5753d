import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * Where an import of a test file fails, the file has no tests, and a run of mutants (`npm run suite -- mutants`) takes that
 * for none that failed. So each module is imported within a test, too.
 */
const modules = readdirSync('src/core', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

it.each(modules)('%s can be loaded', async (name) => {
  expect(await import(`../../src/core/${name}`)).toBeDefined();
});
