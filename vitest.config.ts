import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Suites of their own: npm run test:faults, test:sea, test:container.
    exclude: ['test/faults/**', 'test/sea/**', 'test/container/**'],
    globalSetup: 'test/support/build-once.ts',
    testTimeout: 20_000,
    coverage: {
      include: ['src/**/*.ts'],
      // Run as processes of their own alone, which are not counted: test/main,
      // compile-cache, action and commands/standard-stream hold them.
      exclude: ['src/{main,start,compile-cache,action,commands/standard-stream}.ts'],
      reporter: ['text-summary', 'json-summary'],
      // Beside what the mutation run leaves there: the folder is emptied first.
      reportsDirectory: 'coverage/tests',
      thresholds: {
        // Of every file: none passes because others of its folder are tested well.
        perFile: true,
        'src/{release-safety,merge-query,shared,http,lightdash-api}/**': { lines: 90, functions: 85 },
        'src/{sources,render}/**': { lines: 70, functions: 65 },
        // What spawned processes run of these is not counted.
        'src/{commands/**,*.ts}': { lines: 70, functions: 50 },
      },
    },
  },
});
