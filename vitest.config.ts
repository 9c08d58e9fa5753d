import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A suite of its own: npm run test:faults.
    exclude: ['test/faults/**'],
    globalSetup: 'test/support/build-once.ts',
    testTimeout: 20_000,
  },
});
