import { spawnSync } from 'node:child_process';

const programs = [['docker', 'compose'], ['docker-compose']] as const;

/** How docker compose, from 2 on, is run here; undefined where it is not. It needs no daemon to read files. */
export const dockerCompose = programs.find(([program, ...words]) => {
  const { status, stdout } = spawnSync(program, [...words, 'version', '--short'], { encoding: 'utf8' });
  return status === 0 && /^v?[2-9]/.test(stdout.trim());
});
