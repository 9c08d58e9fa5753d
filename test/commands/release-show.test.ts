import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { formatKnownIssues } from '../../src/known-issues/join-records.js';
import { inventedArtifact, inventedHeavySections, realArtifactText } from '../support/artifacts.js';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { writeTestMirror } from '../support/mirror.js';
import { realIndexText } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const heavy = inventedArtifact(
  {
    version: '1.200.0',
    previousVersion: '1.199.0',
    rollingUpdateSafe: false,
    requiredStops: ['1.200.0'],
    minPreviousVersion: '1.111.0',
  },
  inventedHeavySections,
);

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await writeTestMirror(folder, {
    'release-safety-index.json': realIndexText,
    'artifacts/2.134.2.json': realArtifactText('2.134.2'),
    'artifacts/1.200.0.json': JSON.stringify(heavy),
    'artifacts/1.204.0.json': JSON.stringify({
      ...heavy,
      version: '1.204.0',
      migrations: undefined,
      api: undefined,
      config: undefined,
      declaredBreaks: [{ reason: '\u001b[2Jwiped \u202e', file: 'a.ts', requiredStop: true }],
      declaredAdvisories: [{ reason: 'harmless \u202e', requiredStop: true }],
      compatibility: { rollingUpdateSafe: 'unknown', recommendedStrategy: 'RollingUpdate' },
    }),
  });
});

const show = (version: string, ...more: string[]) =>
  runCli(['release', 'show', version, '--artifact-url', folder, ...more]);

describe('release show', () => {
  it.each([
    ['1.200.0', false],
    ['1.204.0', true],
  ])('tells of %s whether it recommends what its verdict does not mean: %s', async (version, contradicts) => {
    const { stdout } = await show(version, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ recommendationContradictsVerdict: contradicts });
  });

  it("with what came to light of it, built in or the operator's own, and nothing that was withdrawn", async () => {
    await writeTestMirror(folder, {
      'release-safety-index.json': realIndexText,
      'artifacts/2.127.0.json': JSON.stringify({ ...heavy, version: '2.127.0' }),
    });
    const ours = recordOf({ id: 'our-issue', affected: [{ introduced: '2.127.0' }] });
    const withdrawn = { ...ours, id: 'not-so', withdrawn: ours.modified };
    const own = join(folder, 'ours.yaml');
    await writeFile(own, formatKnownIssues([ours, withdrawn]));
    const { code, stdout } = await show('2.127.0', '--known-issues', own);
    expect(code).toBe(0);
    const { remedy } =
      builtInKnownIssues.records.find(({ id }) => id === 'ai-prompt-table-in-core-migration') ?? {};
    expect(stdout).toContain(`Known issues: 2
  - ai-prompt-table-in-core-migration: A core migration alters a table that only enterprise instances have. If: edition is community, table.ai_prompt is absent, migration.20260903120000_add_response_timing_to_ai_prompt is pending. To do: ${remedy}
  - our-issue: It breaks. To do: Fix it first.
`);
    const json = await show('2.127.0', '--known-issues', own, '--json');
    expect(JSON.parse(json.stdout).knownIssues.map(({ id }: { id: string }) => id)).toEqual([
      'ai-prompt-table-in-core-migration',
      'our-issue',
    ]);
    expect(await show('2.127.0', '--known-issues', join(folder, 'none.yaml'))).toMatchObject({
      code: 3,
      stdout: '',
    });
  });
});
