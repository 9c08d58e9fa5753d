import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { temporaryFolder } from './temporary-folder.js';

/** What every measured process gets: nothing of this shell that could slow Node's start (NODE_EXTRA_CA_CERTS, NODE_OPTIONS). */
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  LIGHTSPAN_CACHE_DIR: temporaryFolder(),
};

/**
 * Times commands as whole processes, in turn: one round runs each once, so that a machine that slows down slows them
 * all, in an order by chance, for what comes after a large command starts slower. The first two rounds warm the disk and
 * the compile cache and are not counted.
 *
 * @param {Record<string, string[]>} commands name -> command line
 * @param {{ rounds?: number, exits?: Record<string, number>, env?: (name: string) => Record<string, string> | undefined }}
 *   options `exits`: the exit status that each command must end with, 0 unless it is named; `env`: what it finds beside
 *   the usual
 * @returns {Promise<Record<string, number>>} name -> median milliseconds
 */
export async function timeInTurn(commands, { rounds = 25, exits = {}, env = () => undefined } = {}) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const [name, command] of shuffled(Object.entries(commands))) {
      const elapsed = await timeOnce(command, exits[name] ?? 0, env(name));
      if (round >= 0) times[name].push(elapsed);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, elapsed]) => [name, median(elapsed)]));
}

function shuffled(list) {
  return list
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

function timeOnce([file, ...args], exit, env) {
  return new Promise((done, fail) => {
    const started = performance.now();
    // Pipes, as a pipeline has them, and a reader of what comes.
    const child = spawn(file, args, { env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) output.resume();
    child.on('error', fail);
    child.on('exit', (code) => {
      if (code === exit) done(performance.now() - started);
      else fail(new Error(`${[file, ...args].join(' ')} ended with ${code}, not ${exit}`));
    });
  });
}

/**
 * User and system time of commands as whole processes, in turn, as bash counts it.
 *
 * @param {Record<string, string[]>} commands name -> command line
 * @param {number} rounds
 * @returns {Record<string, number>} name -> milliseconds, the mean: bash counts whole ones
 */
export function processorTime(commands, rounds) {
  const totals = Object.fromEntries(Object.keys(commands).map((name) => [name, 0]));
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>&4; } 4>&2 2>&3';
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      const stdio = ['ignore', 'pipe', 'pipe', 'pipe'];
      const { output } = spawnSync('bash', ['-c', script, 'bash', ...command], { env: environment, stdio });
      const [user, system] = String(output[3]).trim().split(' ').map(Number);
      totals[name] += (user + system) * 1000;
    }
  }
  return Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, total / rounds]));
}

const reporter = join(temporaryFolder(), 'report.cjs');
writeFileSync(
  reporter,
  `process.on('exit', () => {
  const { readFileSync, writeSync } = require('node:fs');
  const peak = process.platform === 'linux'
    ? /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
    : process.resourceUsage().maxRSS;
  writeSync(2, 'max-rss ' + peak);
});`,
);

/**
 * The most memory a Node process held. Linux keeps the highest of this very program; `maxRSS`, which other systems
 * have, begins there with that of the process that started it, and this one has grown:
 * `findings/linux-peak-memory-of-a-child.sh`.
 *
 * @param {string[]} args
 * @param {{ runs?: number, env?: Record<string, string> }} options
 * @returns {number} MiB, the median of the runs
 */
export function peakMemory(args, { runs = 9, env = {} } = {}) {
  const peaks = Array.from({ length: runs }, () => {
    const { stderr } = spawnSync(process.execPath, ['--require', reporter, ...args], {
      env: { ...environment, ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    // No report, no figure: the median is then NaN, and is printed so.
    return Number(/max-rss (\d+)/.exec(stderr)?.[1]) / 1024;
  });
  return median(peaks);
}

export function median(numbers) {
  const ordered = [...numbers].sort((a, b) => a - b);
  const middle = ordered.length >> 1;
  return ordered.length % 2 === 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}
