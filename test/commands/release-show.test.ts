import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
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
    'artifacts/1.201.0.json': JSON.stringify({ ...heavy, version: '1.202.0' }),
    'artifacts/1.202.0.json': JSON.stringify(heavy),
    'artifacts/1.203.0.json': '{}',
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
  it('a real release that changes nothing', async () => {
    const { code, stdout, stderr } = await show('v2.134.2');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Release 2.134.2
Previous version: 2.134.1
Released: 2026-09-06T18:08:42.040Z
Rolling update: true (strategy RollingUpdate)
Minimum previous version: 1.111.0
Required stops: none

Migrations: none
REST API: breaking false, 0 breaking changes, 0 advisories
MCP tools: breaking false, 0 breaking changes, 0 advisories
Environment variables: breaking false, 0 changes
Declared breaks: none
Known issues: none

Source: ${folder}/artifacts/2.134.2.json
`);
  });

  it('as one line of JSON', async () => {
    const { code, stdout } = await show('1.200.0', '--json');
    expect(code).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    const { newTopLevelSection: _, ...artifact } = heavy;
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: '1',
      source: `${folder}/artifacts/1.200.0.json`,
      recommendationContradictsVerdict: false,
      knownIssues: [],
      artifact,
    });
  });

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
    expect(stdout).toContain(`Known issues: 2
  - ai-prompt-table-in-core-migration: A core migration alters a table that only enterprise instances have.
    If: edition is community, table.ai_prompt is absent, migration.20260903120000_add_response_timing_to_ai_prompt is pending
    To do: Land on 2.128.0 or a newer release instead.
  - our-issue: It breaks.
    To do: Mend it first.
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

  it.each([
    ['2.134.1', 3, 'unreadable-source', 'has no artifact'],
    ['1.201.0', 4, 'invalid-artifact', 'is the artifact of 1.202.0'],
    ['1.202.0', 4, 'invalid-artifact', 'is the artifact of 1.200.0'],
    ['1.203.0', 4, 'invalid-artifact', 'schemaVersion is nothing'],
    ['1.2', 2, 'invalid-version', 'is not a release version'],
  ])('%s: exit %i, %s', async (version, code, error, message) => {
    const outcome = await show(version, '--json');
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ safe: false, error: { code: error } });
    expect(outcome.stderr).toContain(message);
  });

  it('shows what its source is called without obeying it', async () => {
    const named = join(folder, 'mirror \u001b[2J');
    await writeTestMirror(named, {
      'release-safety-index.json': realIndexText,
      'artifacts/2.134.2.json': realArtifactText('2.134.2'),
    });
    const { code, stdout, stderr } = await runCli(['release', 'show', '2.134.2', '--artifact-url', named]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('mirror \\u001b[2J');
    expect(stdout).not.toContain('\u001b');
  });
});
