import { expect, it } from 'vitest';

/** For a mutation run: a test file that cannot be loaded has no test that fails, and what broke it would count as alive. */
it.each([
  ['the checks', () => import('../../src/checks/checks.js')],
  ['those of upgrade-verify', () => import('../../src/checks/after-upgrade/checks.js')],
  ['the library', () => import('../../src/library/library.js')],
])('%s can be loaded', async (_, load) => {
  expect(await load()).toBeTypeOf('object');
});
