import { readFileSync } from 'node:fs';
import { parseReleaseSafetyIndex } from '../src/core/index/parse-index.js';
import { reportHorizon } from './horizon.js';

/**
 * Opens an issue if releases are newer than the known issues by 30 days (.github/workflows/known-issues.yml):
 * `tsx scripts/horizon-issue.ts <index>`. Exits 0 if that is done or not due, 3 if it could not be found out.
 */
const {
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_TOKEN: token,
  GITHUB_REPOSITORY: repository,
} = process.env;
try {
  const { knownThrough } = JSON.parse(readFileSync('src/known-issues/built-in.json', 'utf8'));
  if (!knownThrough?.version || !token || !repository) {
    throw new Error('knownThrough, GITHUB_TOKEN and GITHUB_REPOSITORY are needed');
  }
  const index = parseReleaseSafetyIndex(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
  process.stdout.write(`${await reportHorizon(index, knownThrough, { api, token, repository })}\n`);
} catch (error) {
  process.stderr.write(`Not done: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 3;
}
