import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndexText } from '../src/core/index/parse-index.js';
import { inventedArtifact, type LooseArtifact } from './support/artifacts.js';
import { runCli } from './support/cli.js';
import { sumsOf } from './support/mirror.js';
import { indexOf } from './support/real-index.js';
import { checkSums } from './support/sha256sum.js';

/** No release of Lightdash has such a number, and both documents say that they are invented. */
const note = 'Invented, to show what a mirror and a report look like. No release of Lightdash.';

const rows = [
  { version: '900.0.0' },
  { version: '900.0.1' },
  { version: '900.1.0', rollingUpdateSafe: false },
  { version: '900.1.1' },
];
const index = { note, ...indexOf(...rows.map((row) => ({ minPreviousVersion: '900.0.0', ...row }))) };
index.entries[0] = { ...index.entries[0], minPreviousVersion: null, syntheticRequiredStop: true };

const changes: LooseArtifact = {
  migrations: {
    present: true,
    count: 2,
    coreCount: 2,
    eeCount: 0,
    files: [
      {
        name: '20260901000000_add_index_to_saved_queries.ts',
        edition: 'core',
        tables: ['saved_queries'],
        heaviness: { locksTable: true, rewritesTable: false, scansTable: true },
      },
      {
        name: '20260902000000_drop_column_slug.ts',
        edition: 'core',
        tables: ['dashboards'],
        heaviness: { locksTable: false, rewritesTable: false, scansTable: false },
      },
    ],
  },
  api: {
    rest: {
      checked: true,
      breaking: true,
      changes: ['GET /api/v1/dashboards: response lost `slug`'],
      breakingCount: 1,
      advisories: [],
      advisoryCount: 0,
    },
    mcp: { checked: true, breaking: false, changes: [], breakingCount: 0, advisories: [], advisoryCount: 0 },
  },
  config: {
    checked: true,
    breaking: true,
    changes: [
      { type: 'renamed', name: 'EE_NEW_NAME', previousName: 'EE_OLD_NAME', defaultValue: null },
      { type: 'defaultChanged', name: 'LIGHTDASH_QUERY_LIMIT', previousDefault: 5000, defaultValue: 500 },
    ],
  },
};

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const files: Record<string, string> = { 'release-safety-index.json': pretty(index) };
for (const entry of parseReleaseSafetyIndexText(pretty(index)).entries) {
  const fields = entry.version === '900.1.0' ? changes : {};
  files[`artifacts/${entry.version}.json`] = pretty({ note, ...inventedArtifact(entry, fields) });
}

/** `npx vitest run test/fixture-mirror.test.ts --update` updates it. */
describe('fixtures/mirror', () => {
  it.each(Object.entries({ ...files, SHA256SUMS: sumsOf(files) }))('holds %s', async (path, text) => {
    await expect(text).toMatchFileSnapshot(`../fixtures/mirror/${path}`);
  });

  it('is whole', async () => {
    await checkSums('fixtures/mirror');
    expect(await runCli(['index', 'verify', '--index', 'fixtures/mirror'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['900.0.0', '900.0.1', 0],
    ['900.0.0', '900.1.1', 1],
  ])('confirms its index: %s -> %s', async (from, to, code) => {
    const argv = ['upgrade-check', '--from', from, '--to', to, '--index', 'fixtures/mirror'];
    const { stderr, ...outcome } = await runCli([...argv, '--offline', '--verify-artifacts']);
    expect({ stderr, outcome }).toMatchObject({ stderr: '', outcome: { code } });
    expect(outcome.stdout).toContain('\nArtifact disagreements: none\n');
  });
});
