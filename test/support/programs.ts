import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { findBun } from '../../scripts/find-bun.js';

/** Where a program is. Debian keeps those of PostgreSQL and PgBouncer out of the path. */
export function findProgram(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/sbin',
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** The browser that `CHROMIUM` names, or one that is installed. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env;
  return CHROMIUM ?? findProgram('chromium') ?? findProgram('google-chrome');
}

/** How docker compose, from 2 on, is run here. It needs no daemon to read files. */
export function findDockerCompose(): readonly [program: string, ...words: string[]] | undefined {
  return ([['docker', 'compose'], ['docker-compose']] as const).find(([program, ...words]) => {
    const { status, stdout } = spawnSync(program, [...words, 'version', '--short'], { encoding: 'utf8' });
    return status === 0 && /^v?[2-9]/.test(stdout.trim());
  });
}

/** What a shell becomes a stand-in by, which may start a hundred times: Bun starts in a third of the time that Node takes. */
export function executeStandIn(script: string): string {
  // Otherwise it keeps what it has compiled in the home of whoever runs it.
  const kept = `BUN_RUNTIME_TRANSPILER_CACHE_PATH='${join(tmpdir(), 'bun')}'`;
  return `${kept} exec '${resolve(findBun())}' '${resolve(script)}'`;
}

/** The plugin as a program of its own: `docker compose` first starts it to ask what it is called. */
export function findComposePlugin(): string | undefined {
  const folders = ['local/lib', 'local/libexec', 'lib', 'libexec'].map(
    (name) => `/usr/${name}/docker/cli-plugins`,
  );
  return (
    folders.map((folder) => join(folder, 'docker-compose')).find(existsSync) ?? findProgram('docker-compose')
  );
}
