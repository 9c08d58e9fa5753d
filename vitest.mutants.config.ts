import { defineConfig } from 'vitest/config';

/**
 * The tests that mutants are held to (`npm run test:mutants`): those of the pure folders, which start no process
 * and open no socket. Properties have a fixed seed there, so that one mutant has one fate, and a tenth of their cases.
 */
export default defineConfig({
  test: {
    include: [
      'test/release-safety/**/*.test.ts',
      'test/known-issues/**/*.test.ts',
      'test/merge-query/**/*.test.ts',
      'test/shared/json-keys.test.ts',
    ],
    env: { LIGHTSPAN_PROPERTY_SHARE: '0.1' },
    setupFiles: 'test/support/fixed-seed.ts',
    testTimeout: 20_000,
  },
});
