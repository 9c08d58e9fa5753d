import { defineConfig } from 'vitest/config';
import { folders } from './scripts/mutant-folders.js';

const { LIGHTSPAN_MUTANTS_OF: folder } = process.env;

/**
 * The tests that mutants are held to (`npm run suite -- mutants`): those of the folder, which start no program of ours.
 * Properties have a fixed seed there, so that one mutant has one fate, and a tenth of their cases.
 */
export default defineConfig({
  test: {
    include: [
      'test/support/loading.mutants.ts',
      ...Object.entries(folders).flatMap(([name, { tests }]) =>
        folder === undefined || folder === name ? tests : [],
      ),
    ],
    exclude: ['test/answer/html.test.ts'],
    env: { LIGHTSPAN_PROPERTY_SHARE: '0.1' },
    setupFiles: 'test/support/fixed-seed.ts',
    globalSetup: 'test/support/run-folder.ts',
    // Each run begins in a worker of its own, so what a mutant changes while modules are loaded is seen all the same.
    isolate: false,
    testTimeout: 20_000,
  },
});
