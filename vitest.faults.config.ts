import { defineConfig } from 'vitest/config';

/** The fault campaign: `npm run test:faults`. It takes minutes, and so is a suite of its own. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 300_000,
    reporters: ['verbose'],
  },
});
