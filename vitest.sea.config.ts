import { defineConfig } from 'vitest/config';

/** The single executable: `npm run test:sea`. It is built first, of 100 MB, and so is a suite of its own. */
export default defineConfig({
  test: {
    include: ['test/sea/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
