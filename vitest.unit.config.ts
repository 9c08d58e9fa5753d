import { defineConfig } from 'vitest/config';

/** What needs no build, and no program beside Node: `npm run test:unit -- <file>` answers in seconds, on every system. */
export default defineConfig({
  test: {
    include: [
      'test/{release-safety,known-issues,preflight,verify,facts,merge-query,shared,render,http,sources,lightdash-api}/**/*.test.ts',
      'test/structure.test.ts',
    ],
    // A browser looks at the one, shells run the other: npx vitest run <file>.
    exclude: ['test/render/html/upgrade-report.test.ts', 'test/render/deployment/hop-block.test.ts'],
    globalSetup: 'test/support/run-folder.ts',
    testTimeout: 20_000,
  },
});
