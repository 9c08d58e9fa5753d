import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { copyToWrite } from './support/copy.js';
import { realIndexFile } from './support/real-index.js';
import { changeOf, gitEnv } from './support/repository.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { copyTree } from './support/tree.js';

/** A clone of what is in the working tree, built. */
function cloneOfTree(): string {
  const folder = copyTree(join(temporaryFolder(), 'clone'));
  mkdirSync(join(folder, 'dist'));
  copyToWrite('dist/action', join(folder, 'dist/action'));
  copyToWrite('dist/THIRD-PARTY-LICENSES.txt', join(folder, 'dist/THIRD-PARTY-LICENSES.txt'));
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'all');
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

describe('a release', () => {
  it('puts the bundle of the action on the tag, where it runs; main stays without', () => {
    const folder = cloneOfTree();
    const { status, stderr } = spawnSync('scripts/tag-release.sh', ['v9.8.7'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(git(folder, 'rev-parse', 'v9.8.7^{commit}~1')).toBe(git(folder, 'rev-parse', 'main'));
    expect(git(folder, 'ls-tree', '-r', '--name-only', 'main', 'dist')).toBe('');

    const action = join(temporaryFolder(), 'action');
    git(folder, 'clone', '--quiet', '--branch', 'v9.8.7', folder, action);
    const { runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'));
    const outcome = spawnSync(process.execPath, [join(action, runs.main)], {
      encoding: 'utf8',
      env: { INPUT_FROM: '1.121.0', INPUT_TO: '1.156.0', INPUT_INDEX: resolve(realIndexFile) },
    });
    expect(outcome).toMatchObject({ status: 0, stdout: expect.stringContaining('Verdict: SAFE') });
    const tag = (version: string) => ({ 'values.yaml': `image: {tag: ${version}}\n` });
    const pins = spawnSync(process.execPath, [join(action, runs.main)], {
      encoding: 'utf8',
      cwd: changeOf(tag('1.121.0'), tag('1.156.0')).folder,
      env: {
        ...gitEnv,
        INPUT_MODE: 'pin-check',
        INPUT_BASE: 'main',
        INPUT_PIN: 'values.yaml#image.tag',
        INPUT_INDEX: resolve(realIndexFile),
      },
    });
    expect(pins).toMatchObject({ status: 0, stdout: expect.stringContaining('Answer: yes') });
  });

  it.each([
    ['no tag', []],
    ['a branch', ['main']],
  ])('is not made of %s', (_, args) => {
    expect(spawnSync('scripts/tag-release.sh', args, { encoding: 'utf8' }).status).not.toBe(0);
  });

  it('is refused while the addresses of the project are placeholders, and for what is not prepared', () => {
    const folder = cloneOfTree();
    const check = (version: string) =>
      spawnSync(process.execPath, ['scripts/release-check.js', version], { cwd: folder, encoding: 'utf8' });
    const { status, stdout, stderr } = check('9.8.7');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/package\.json#repository is .*, a placeholder/);
    expect(stderr).toMatch(/package\.json is version .*/);
    const examples = [
      'examples/argo-cd/presync-gate.yaml',
      'examples/github-actions/gate.yml',
      'examples/github-actions/with-the-action.yml',
      'examples/helm/upgrade-gate.yaml.tpl',
      'examples/kubernetes/watch-cronjob.yaml',
    ];
    expect([...stderr.matchAll(/(examples\/.*) names a placeholder/g)].map(([, file]) => file)).toEqual(
      examples,
    );
    expect(stderr).toMatch(/CHANGELOG\.md has no section "## \[9\.8\.7\]/);

    for (const file of ['package.json', 'package-lock.json']) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8').replaceAll('example.invalid', 'forge.example.com');
      writeFileSync(path, JSON.stringify({ ...JSON.parse(text), version: '9.8.7' }));
    }
    for (const file of examples) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8').replace('OWNER/', 'someone/');
      writeFileSync(path, text.replace('example.invalid/', 'registry.example.com/'));
    }
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## [9.8.7] - 2026-12-01\n\n### Added\n\n- a thing\n\n## [0.1.0] - 2026-01-01\n\nold\n',
    );
    expect(spawnSync(process.execPath, ['scripts/released-schemas.js'], { cwd: folder }).status).toBe(0);
    expect(check('9.8.7')).toMatchObject({ status: 0, stdout: '### Added\n\n- a thing\n', stderr: '' });

    writeFileSync(join(folder, 'schemas/failure.json'), '{}');
    expect(check('9.8.7')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/: test\/released-schemas\.jsonl .*\n$/),
    });
  });
});
