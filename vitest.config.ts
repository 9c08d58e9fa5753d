import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Suites of their own: npm run test:faults, npm run test:sea.
    exclude: ['test/faults/**', 'test/sea/**'],
    globalSetup: 'test/support/build-once.ts',
    testTimeout: 20_000,
    coverage: {
      include: ['src/**/*.ts'],
      // Run as processes of their own alone, which are not counted: test/main, compile-cache and action hold them.
      exclude: ['src/{main,start,compile-cache,action}.ts'],
      reporter: ['text-summary', 'json-summary'],
      // Beside what the mutation run leaves there: the folder is emptied first.
      reportsDirectory: 'coverage/tests',
      thresholds: {
        // Of every file: none passes because others of its folder are tested well.
        perFile: true,
        'src/{release-safety,shared,http,lightdash-api}/**': { lines: 85, functions: 75 },
        'src/merge-query/**': { lines: 60, functions: 75 },
        // What spawned processes run of these is not counted. No file passes that no test runs.
        'src/{sources,render,commands}/**': { lines: 1 },
      },
    },
  },
});
