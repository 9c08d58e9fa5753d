import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Suites of their own: npm run test:faults, npm run test:sea.
    exclude: ['test/faults/**', 'test/sea/**'],
    globalSetup: 'test/support/build-once.ts',
    testTimeout: 20_000,
  },
});
