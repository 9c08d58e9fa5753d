import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, spawnCli } from './cli.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Written when the process ends. Linux keeps the highest of this very program; `maxRSS`, which other systems have,
 * begins there with that of the process that started it.
 */
const report = `
import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const bytes = process.platform === 'linux'
    ? Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
    : process.resourceUsage().maxRSS * 1024;
  writeFileSync(process.env.PEAK_FILE, [bytes, process.cpuUsage().user].join(' '));
});`;

/** Runs the program as a process of its own, and tells the most memory that it held, in MB, and its processor time. */
export async function spawnMeasured(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome & { readonly peakMb: number; readonly seconds: number }> {
  const PEAK_FILE = join(temporaryFolder(), 'peak');
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(report)}`;
  const outcome = await spawnCli(argv, { env: { ...env, NODE_OPTIONS, PEAK_FILE } });
  const [bytes, microseconds] = readFileSync(PEAK_FILE, 'utf8').split(' ').map(Number);
  return { ...outcome, peakMb: Number(bytes) / 1e6, seconds: Number(microseconds) / 1e6 };
}
