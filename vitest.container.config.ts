import { defineConfig } from 'vitest/config';

/** The container image: `npm run test:container`. It holds the single executable, which is built first. Linux alone. */
export default defineConfig({
  test: {
    include: ['test/container/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
