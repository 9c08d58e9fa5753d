import { defineConfig } from 'vitest/config';

/** The forecast against migrations that are run for real, on a PostgreSQL of its own: `npm run bench:forecast`. */
export default defineConfig({
  test: {
    include: ['bench/forecast/*.bench.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
