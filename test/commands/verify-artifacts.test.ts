import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, type ArtifactServer, startArtifactServer } from '../support/artifact-server.js';
import { inventedArtifact } from '../support/artifacts.js';
import { nineKeys, runCli } from '../support/cli.js';
import type { Plain } from '../support/plain.js';
import { ranRelease, sourcesOf, upgradeTo } from '../support/preflight.js';
import { realIndex, realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: ArtifactServer | undefined;

const entryOf = (version: string) => {
  const entry = realIndex().entries.find((entry) => entry.version === version);
  if (entry === undefined) throw new Error(`${version} is not in the real index`);
  return entry;
};

/** An artifact that confirms the real index. */
const good = (version: string) => JSON.stringify(inventedArtifact(entryOf(version)));

async function argv(from: string, to: string, answer: (version: string) => Answer, ...more: string[]) {
  server = await startArtifactServer(answer);
  const source = ['--index', realIndexFile, '--artifact-url', server.template];
  return ['upgrade-check', '--from', from, '--to', to, ...source, '--verify-artifacts', ...more];
}

describe('upgrade-check --verify-artifacts', () => {
  it('is green where index and artifacts agree', async () => {
    const { code, stdout, stderr } = await runCli(await argv('1.121.0', '1.156.0', good));
    // On a machine that is busy, it says that it waits.
    expect({ code, stderr: stderr.replaceAll(/^Waiting: .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Verdict: SAFE');
    expect(stdout).toContain('Artifact disagreements: none');
    expect(server?.requests).toHaveLength(60);
  });

  const change = (version: string, fields: Partial<Plain<ReturnType<typeof entryOf>>>) => (asked: string) =>
    asked === version ? JSON.stringify(inventedArtifact({ ...entryOf(asked), ...fields })) : good(asked);

  it('the artifact says false: exit 1, named', async () => {
    const answer = change('1.130.0', { rollingUpdateSafe: false });
    const text = await runCli(await argv('1.121.0', '1.156.0', answer));
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('Verdict: UNSAFE');
    expect(text.stdout).toContain('Artifact disagreements: 1\n');
    expect(text.stdout).toContain('1.130.0: rollingUpdateSafe is true in the index, false in the artifact');
    expect(text.stdout).toContain('strategy Recreate');
    expect(text.stdout).not.toContain('\u001b');

    const json = await runCli(await argv('1.121.0', '1.156.0', answer, '--json'));
    expect(json.code).toBe(1);
    const result = JSON.parse(json.stdout);
    expect(Object.keys(result)).toEqual(nineKeys);
    expect(result).toMatchObject({ safe: false, verdict: false });
  });

  it('an artifact is missing: exit 3, named', async () => {
    const answer = (version: string) => (version === '1.130.0' ? 404 : good(version));
    const { code, stdout, stderr } = await runCli(await argv('1.121.0', '1.156.0', answer));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(
      '1 of 60 could not be read; the first: 1.130.0: no artifact, there is none at http://127.0.0.1',
    );
    expect(stderr).toContain('Without --verify-artifacts, the index alone decides');
    expect(stderr).toContain('lightspan index mirror --out ./mirror --from 1.121.0 --to 1.156.0');

    const json = await runCli(await argv('1.121.0', '1.156.0', answer, '--json'));
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ safe: false, error: { code: 'unread-artifacts' } });
  });

  it('an artifact is missing, beside facts of an instance that stop nothing: exit 3', async () => {
    const releases = [ranRelease, { version: '2.1.0', artifact: 'missing' as const }];
    const span = ['upgrade-check', '--from', '2.0.0', '--to', '2.1.0', '--json'];
    const argv = [...span, ...(await sourcesOf({ ...upgradeTo([]), releases }))];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
    const { code, stdout } = await runCli([...argv, '--verify-artifacts']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 3, error: { code: 'unread-artifacts' } });
  });

  it('an artifact says no beside one that is missing: exit 1, both named', async () => {
    const no = change('1.130.0', { rollingUpdateSafe: false });
    const answer = (version: string) => (version === '1.131.0' ? 404 : no(version));
    const { code, stdout } = await runCli(await argv('1.121.0', '1.156.0', answer));
    expect(code).toBe(1);
    expect(stdout).toMatch(/Artifact disagreements: 2\n {2}- 1\.130\.0: .*\n {2}- 1\.131\.0: no artifact/);
  });

  it('requests nothing with --offline: an artifact that is not cached proves nothing', async () => {
    const { code, stderr } = await runCli(await argv('1.121.0', '1.122.0', good, '--offline'));
    expect(code).toBe(3);
    expect(stderr).toContain('is unavailable');
    expect(server?.requests).toEqual([]);
  });

  it('wants the artifacts of the publisher where no other place is named', async () => {
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '1.122.0', '--index', realIndexFile];
    const { code, stdout } = await runCli([...argv, '--verify-artifacts', '--offline', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ safe: false, error: { code: 'unread-artifacts' } });
  });

  it('names no hop to a pipeline where index and artifacts disagree', async () => {
    const file = join(temporaryFolder(), 'output');
    const argvOf = await argv(
      '1.121.0',
      '1.156.0',
      change('1.130.0', { requiredStops: ['1.100.0'] }),
      '--format',
      'github',
    );
    const { code, stdout } = await runCli(argvOf, { env: { GITHUB_OUTPUT: file } });
    expect(code).toBe(1);
    expect(stdout).toContain('1.130.0');
    const outputs = await readFile(file, 'utf8');
    expect(outputs).toContain('strategy=Recreate');
    expect(outputs).not.toContain('RollingUpdate');
  });
});
