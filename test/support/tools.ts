import { spawnSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
import { memoize } from '../../src/core/common/memoize.js';
import { findChromium, findDockerCompose, findProgram } from './programs.js';

const registry = 'the registry of npm';
const compose = 'docker compose';

/** What a test file, or every file of a folder, runs beside Node, npm, git and what every shell has. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'test/cluster.test.ts': [registry, 'unzip'],
  'test/commands/completion.test.ts': ['script', 'zsh', 'fish'],
  'test/commands/terminal.test.ts': ['script'],
  'test/commands/waiting.test.ts': ['script'],
  'test/commands/plan-files.test.ts': [registry, 'unzip', compose],
  'test/commands/upgrade-preflight-compose.test.ts': [compose],
  'test/commands/index-status-metrics.test.ts': ['promtool'],
  'test/container/': ['buildah'],
  'test/executable/database.test.ts': ['postgres', 'psql'],
  'test/corporate-networks.test.ts': ['openssl'],
  'test/faults/compose.test.ts': [compose],
  'test/faults/backup.test.ts': ['postgres', 'psql'],
  'test/faults/database.test.ts': ['postgres', 'psql'],
  'test/faults/files-of-deployment.test.ts': [compose],
  'test/gates.test.ts': [registry, 'pre-commit', 'rsync'],
  'test/install.test.ts': [registry],
  'test/jq.test.ts': ['jq'],
  'test/man-page.test.ts': ['mandoc'],
  'test/kubernetes.test.ts': [registry, 'unzip'],
  'test/steps/rehearsal.test.ts': [registry, 'unzip'],
  'test/other-readers.test.ts': [registry, 'unzip', compose],
  'test/postgres/': ['postgres', 'psql', 'pgbouncer'],
  'test/postgres/connection.test.ts': ['openssl'],
  'test/postgres/newer-servers.test.ts': [registry],
  'test/steps/bench/': ['script', 'postgres', 'psql', compose, 'curl', 'dash', 'bash', 'zsh', 'busybox'],
  'test/steps/bench/backup-job.test.ts': [registry, 'unzip'],
  'test/steps/hop-block.test.ts': ['script', 'zsh', 'dash', 'busybox', 'shellcheck'],
  'test/answer/formats/html.test.ts': ['chromium'],
  'test/page/page.test.ts': ['chromium'],
  'test/page/speed.test.ts': ['chromium'],
  'test/rehearsal/containers.test.ts': [registry, 'postgres', 'psql'],
  'test/rehearsal/dumps.test.ts': [registry, 'postgres', 'psql'],
  'test/rehearsal/killed.test.ts': [registry, 'postgres', 'psql'],
  'test/rehearsal/machines.test.ts': [registry, 'postgres', 'psql'],
  'test/rehearsal/rehearse.test.ts': [registry, 'postgres', 'psql'],
  'test/renovate.test.ts': [registry],
  'test/watch-examples.test.ts': ['curl'],
  'test/gather/deployment/as-docker-compose.test.ts': [compose],
  'test/gather/deployment/kept-data-compose.test.ts': [compose],
};

const isFault = (path: string) => path.startsWith('test/faults/');
/** The files among them that are no suite of their own. */
export const filesWithTools = Object.keys(needed)
  .filter((path) => !isFault(path) && !/^test\/(container\/|executable\/|page\/speed)/.test(path))
  .map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path));
/** Those of the fault campaign. */
export const faultsWithTools = Object.keys(needed).filter(isFault);

/**
 * Where tools of a test file are missing, the file is one test that is skipped, and names them; under CI it fails.
 *
 * @param postgres the major version of a server, if it comes from npm
 */
export function skipWithoutTools(postgres?: string): Plugin {
  return {
    name: 'skip-without-tools',
    enforce: 'pre',
    transform(_, id) {
      const file = relative('.', id).replaceAll(sep, '/');
      if (!file.endsWith('.test.ts')) return undefined;
      const ofFile = Object.entries(needed).flatMap(([path, tools]) => (file.startsWith(path) ? tools : []));
      const missing = ofFile
        .map((tool) => (tool === 'postgres' && postgres !== undefined ? registry : tool))
        .filter((tool) => !isThere(tool));
      if (missing.length === 0) return undefined;
      const title = `${file} needs ${missing.join(', ')}: .ci/tools installs programs (Debian, Ubuntu)`;
      process.stderr.write(`skipped: ${title}\n`);
      const test = process.env.CI === 'true' ? 'it' : 'it.skip';
      return `import { it } from 'vitest';
${test}(${JSON.stringify(title)}, () => { throw new Error('CI runs every test'); });`;
    },
  };
}

/** Asked once for all files: the registry takes a second to answer, in which no file is loaded. */
const isThere = memoize((tool) => {
  if (tool === registry) {
    // Where its absence fails a run, one answer that does not come is none; elsewhere, nobody waits for it.
    const retries = process.env.CI === 'true' ? 4 : 0;
    return spawnSync('npm', ['view', 'npm', 'version', `--fetch-retries=${retries}`]).status === 0;
  }
  if (tool === compose) return findDockerCompose() !== undefined;
  return (tool === 'chromium' ? findChromium() : findProgram(tool)) !== undefined;
});
