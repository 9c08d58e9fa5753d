import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../src/instance/rehearsal.js';
import { runCli } from '../support/cli.js';
import { sourcesOf, upgradeTo } from '../support/preflight.js';
import { failedRehearsal, rehearsalEvidence } from '../support/rehearsal-evidence.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const situation = { ...upgradeTo([{ name: '20260901000000_one', tables: [] }]) };
const span = ['--from', '2.0.0', '--to', '2.1.0'];

function fileOf(evidence: Rehearsal): string {
  const file = join(temporaryFolder(), 'rehearsal.json');
  writeFileSync(file, JSON.stringify(evidence));
  return file;
}

async function answer(command: string, evidence: Rehearsal | undefined, more: readonly string[] = []) {
  const { facts: _, ...published } = situation;
  const sources = await sourcesOf(command === 'upgrade-preflight' ? situation : published);
  const rehearsal = evidence === undefined ? [] : ['--rehearsal', fileOf(evidence)];
  return runCli([command, ...span, ...sources, ...rehearsal, ...more], { env: { NO_COLOR: '1' } });
}

describe.each(['upgrade-check', 'upgrade-plan', 'upgrade-report', 'upgrade-preflight'])('%s', (command) => {
  it('is a no where the rehearsal failed, and says why', async () => {
    const without = await answer(command, undefined);
    const failed = await answer(command, failedRehearsal);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('relation "ai_prompt" does not exist (42P01)');
    expect(without.stdout).not.toContain('ai_prompt');
  });

  it('is what it was where the rehearsal went through, or is of another route', async () => {
    const { code } = await answer(command, undefined);
    expect((await answer(command, rehearsalEvidence())).code).toBe(code);
    const other = { ...failedRehearsal, toVersion: '2.2.0' as Rehearsal['toVersion'] };
    expect((await answer(command, other)).code).toBe(code);
  });

  it('refuses one that is too old', async () => {
    const old = rehearsalEvidence({ rehearsedAt: '2026-08-06T18:00:00Z' });
    const { code, stderr } = await answer(command, old);
    expect([code, stderr]).toEqual([3, expect.stringContaining('is older than --max-age allows')]);
    const allowed = await answer(command, old, ['--max-age', '90d']);
    expect(allowed.stderr).not.toContain('is older than');
  });
});

it('makes no span rolling that is not', async () => {
  const { index } = { index: 'fixtures/release-safety-index.json' };
  const evidence = rehearsalEvidence({
    fromVersion: '1.111.0' as Rehearsal['fromVersion'],
    toVersion: '1.115.0' as Rehearsal['toVersion'],
  });
  const argv = ['upgrade-check', '--from', '1.111.0', '--to', '1.115.0', '--index', index];
  const { code } = await runCli([...argv, '--rehearsal', fileOf(evidence)]);
  expect(code).toBe(1);
});
