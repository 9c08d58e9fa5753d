import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { curlJqCheck, isInstalled, jqCheck, startInstance } from './commands.js';
import { everyCommand, metricQuery, uuid } from './every-command.js';
import { publishedIndex, repeatedIndex, trueIndex, writeText } from './indexes.js';
import { writeMirror } from './mirror.js';
import { median, peakMemory, processorTime, timeInTurn } from './processes.js';
import { serveFile } from './server.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * Measures an installed package on the Node that runs this: how it starts, and all else unless `--starts` asks for no
 * more. The rows go to standard output as JSON, and as they come to standard error.
 */
const [installed, extent] = process.argv.slice(2);
const isStartsOnly = extent === '--starts';
const { evaluateSpan, parseReleaseSafetyIndexText, planRoute } = await import(
  pathToFileURL(join(installed, 'dist/esm/index.js'))
);

const node = process.execPath;
const lightspan = join(installed, 'bin/lightspan.cjs');
const rows = [];

/** The span of the benchmark is not green, so its check exits 1; a run that ends otherwise is no measurement. */
const check = (index, from, to) => [lightspan, 'upgrade-check', '--from', from, '--to', to, '--index', index];
const exits = { 1: 1, 10: 1, 30: 1 };

const span = ['1.121.0', '2.134.2'];
const realCheck = check(publishedIndex, ...span);
const plan = (from, to) => [lightspan, 'upgrade-plan', '--from', from, '--to', to, '--index', publishedIndex];
const jq = isInstalled('jq');
const gojq = isInstalled('gojq');
const executable = buildExecutable();
const large = repeatedIndex(10);
const largeCheck = check(large.file, large.near, large.to);
const largestCheck = check(large.file, large.from, large.to);
const unkept = await serveFile(publishedIndex, { 'cache-control': 'no-store' });
const published = await serveFile(publishedIndex, { etag: '"a"' });

/** A cache that holds an index, for the one command that is to find its own there: a cache that holds another costs 4 ms. */
const filled = { LIGHTSPAN_CACHE_DIR: temporaryFolder() };

/** Of each figure: its command line, what it must end with, and what it finds in the environment beside the usual. */
const asked = {
  floor: [[node, '-e', '0'], 0],
  version: [[node, lightspan, '--version'], 0],
  help: [[node, lightspan, '--help'], 0],
  json: [[node, ...realCheck, '--json'], 1],
  ...(jq ? { jq: [jqCheck(publishedIndex, ...span), 1] } : {}),
  text: [[node, ...realCheck], 1],
  issue: [[node, ...check(publishedIndex, '2.125.0', '2.127.0'), '--json'], 1],
  latest: [[node, ...check(publishedIndex, '1.121.0', 'latest'), '--json'], 1],
  executable: [[executable, ...realCheck.slice(1), '--json'], 1],
  ...(gojq ? { gojq: [jqCheck(publishedIndex, ...span, 'gojq'), 1] } : {}),
  request: [[node, ...check(unkept.url, ...span), '--json'], 1],
  ...(jq && isInstalled('curl') ? { curl: [curlJqCheck(unkept.url, ...span), 1] } : {}),
  unchanged: [[node, ...check(published.url, ...span), '--json'], 1, filled],
  nearPlan: [[node, ...plan('1.121.0', 'latest')], 0],
  wholePlan: [[node, ...plan('0.1050.0', '2.134.2')], 1],
  large: [[node, ...largeCheck, '--json'], 1],
  largest: [[node, ...largestCheck, '--json'], 1],
  ...(jq ? { largeJq: [jqCheck(large.file, large.near, large.to), 1] } : {}),
};
const column = (i) => Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, one[i]]));
const envs = column(2);
const times = await timeInTurn(column(0), { exits: column(1), env: (name) => envs[name], rounds: 15 });
for (const server of [published, unkept]) server.close();
const { floor, json } = column(0);
const processor = processorTime({ floor, json }, 25);
const timed = (what, name, target) => {
  if (times[name] !== undefined) row(what, ratio(times[name], times.floor), target);
};
const memory = (args, target) => row('  peak memory', `${peakMemory(args).toFixed(0)} MiB`, target);

row('node -e 0', ms(times.floor), '');
memory(['-e', '0'], '');
timed('--version', 'version', 'at most 1.08');
timed('--help', 'help', 'at most 1.45');
timed('upgrade-check --json', 'json', 'at most 1.45');
row('  in processor time', (processor.json / processor.floor).toFixed(2), 'at most 1.5');
memory([...realCheck, '--json'], 'at most 50 MiB');
timed('  the same question asked of jq', 'jq', '');
if (jq) row('  upgrade-check of jq', (times.json / times.jq).toFixed(2), 'at most 0.95');
timed('upgrade-check as text', 'text', 'at most 1.6');
timed('upgrade-check --json, a known issue applies', 'issue', 'at most 1.6');
timed('upgrade-check --json, to latest', 'latest', 'at most 1.75');
timed('upgrade-check --json, single executable', 'executable', 'at most 0.65');
if (gojq) row('  of gojq', (times.executable / times.gojq).toFixed(2), 'at most 0.9');
timed('upgrade-check --json, one request to loopback', 'request', 'at most 2.1');
timed('  the same asked with curl and jq', 'curl', '');
timed('upgrade-check --json, unchanged since it was kept', 'unchanged', '');
timed('upgrade-plan, 1.121.0 to latest', 'nearPlan', 'at most 2.4');
timed('upgrade-plan over all releases', 'wholePlan', 'at most 4.0');
timed('upgrade-check --json in an index of 35,980 releases', 'large', 'at most 2.7');
memory([...largeCheck, '--json'], 'at most 80 MiB');
timed('  the same question asked of jq', 'largeJq', '');
timed('upgrade-check --json over all of them', 'largest', '');

if (!isStartsOnly) await measureTheRest();
process.stdout.write(JSON.stringify(rows));

async function measureTheRest() {
  const artifacts = fork(new URL('artifact-server.js', import.meta.url));
  const [port] = await once(artifacts, 'message');
  const single = check(trueIndex, '1.0.0', '1.500.0');
  const verifying = [
    ...single,
    '--verify-artifacts',
    '--no-cache',
    '--artifact-url',
    `http://127.0.0.1:${port}/{version}`,
  ];
  const verified = await timeInTurn(
    { single: [node, ...single], verifying: [node, ...verifying] },
    { rounds: 7 },
  );
  const idealMs = (500 / 8) * 20;
  row(
    '--verify-artifacts, 500 at 20 ms each',
    ms(verified.verifying),
    `at most ${ms(1.6 * idealMs + verified.single)}`,
  );
  row('  peak memory', `${peakMemory(verifying).toFixed(0)} MiB`, 'at most 120 MiB');
  artifacts.kill();

  const results = fork(new URL('result-server.js', import.meta.url));
  const [resultPort] = await once(results, 'message');
  const env = {
    LIGHTDASH_URL: `http://127.0.0.1:${resultPort}`,
    LIGHTDASH_PROJECT: uuid,
    LIGHTDASH_API_KEY: 'a token',
  };
  for (const format of ['csv', 'ndjson']) {
    const out = writeText(`result.${format}`, '');
    const fetching = [lightspan, 'query', 'results', uuid, '--output', format, '--out', out];
    const started = performance.now();
    const peak = peakMemory(fetching, { runs: 1, env });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    row(`query results, a million rows as ${format}`, `${seconds} s`, '');
    row('  written', `${(statSync(out).size / 1e6).toFixed(0)} MiB`, '');
    row('  peak memory', `${peak.toFixed(0)} MiB`, 'at most 120 MiB');
  }
  results.kill();

  const mirror = writeMirror();
  const wholeSpan = ['--from', '0.1893.0', '--to', '2.134.2', '--index', mirror];
  const page = [
    lightspan,
    'upgrade-report',
    ...wholeSpan,
    '--format',
    'html',
    '--out',
    `${mirror}/report.html`,
  ];
  const reported = await timeInTurn(
    {
      check: [node, lightspan, 'upgrade-check', ...wholeSpan],
      verifying: [node, lightspan, 'upgrade-check', ...wholeSpan, '--verify-artifacts'],
      page: [node, ...page],
    },
    { rounds: 7, exits: { check: 1, verifying: 1, page: 1 } },
  );
  row(
    'upgrade-report as HTML, from a mirror',
    ms(reported.page),
    `at most ${ms(3 * reported.check + reported.verifying - reported.check)}`,
  );
  row('  the page', `${(statSync(`${mirror}/report.html`).size / 1e6).toFixed(2)} MB`, 'under 2 MB');
  row('  peak memory', `${peakMemory(page).toFixed(0)} MiB`, '');

  const growth = [1, 10, 30].map((times) => ({ times, ...repeatedIndex(times) }));
  const grown = await timeInTurn(
    {
      floor: [node, '-e', '0'],
      ...Object.fromEntries(
        growth.map(({ times, file, from, to }) => [
          times,
          [node, ...check(file, from, to), '--max-bytes', '1GiB'],
        ]),
      ),
    },
    { exits, rounds: 7 },
  );
  for (const { times } of growth.slice(1)) {
    const factor = (grown[times] - grown.floor) / (grown[1] - grown.floor);
    row(
      `upgrade-check, ${times} times the entries`,
      `${factor.toFixed(1)} times the work`,
      `at most ${times}`,
    );
  }

  const index = parseReleaseSafetyIndexText(readFileSync(publishedIndex, 'utf8'));
  const longest = { from: '0.1050.0', to: '2.134.2' };
  const evaluations = Array.from({ length: 200 }, () => {
    const started = performance.now();
    evaluateSpan(index, longest);
    return performance.now() - started;
  });
  row('evaluateSpan, the longest span', ms(median(evaluations)), 'under 1 ms');

  const planned = planningTime(index, longest, 40);
  row('planRoute, end to end', ms(planned), 'under 20 ms');
  for (const { times, file, from, to } of growth.slice(1)) {
    const larger = parseReleaseSafetyIndexText(readFileSync(file, 'utf8'));
    const factor = planningTime(larger, { from, to }, 7) / planned;
    row(`planRoute, ${times} times the entries`, `${factor.toFixed(1)} times the work`, 'near linear');
  }

  const instance = await startInstance();
  const commands = everyCommand({
    index: publishedIndex,
    published: ['--index', mirror, '--offline'],
    instance: instance.url,
    to: '2.134.2',
    safe: false,
    pin: writeText('values.yaml', 'image:\n  tag: "1.121.0"\n'),
    metricQueryFile: writeText('metric-query.json', JSON.stringify(metricQuery)),
    mirrorFolder: `${mirror}-copy`,
  });
  const whole = await timeInTurn(
    {
      floor: [node, '-e', '0'],
      ...Object.fromEntries(
        Object.entries(commands).map(([name, [args]]) => [name, [node, lightspan, ...args]]),
      ),
    },
    {
      rounds: 9,
      exits: Object.fromEntries(Object.entries(commands).map(([name, [, exit]]) => [name, exit])),
      env: () => ({ LIGHTDASH_URL: instance.url, LIGHTDASH_PROJECT: uuid, LIGHTDASH_API_KEY: 'a token' }),
    },
  );
  instance.close();
  for (const name of Object.keys(commands)) row(name, ratio(whole[name], whole.floor), '');
}

function planningTime(index, span, rounds) {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    planRoute(index, span);
    return performance.now() - started;
  });
  return median(times);
}

/** The single executable: its runtime is its own, whichever Node runs this. */
function buildExecutable() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  execFileSync(process.execPath, ['scripts/build-executable.js'], { cwd: root, stdio: 'ignore' });
  return join(root, 'build', 'lightspan');
}

/** The targets are those of the Node of which all is measured. */
function row(what, figure, aim) {
  const target = isStartsOnly ? '' : aim;
  rows.push([what, figure, target]);
  process.stderr.write(`${what.padEnd(54)}${figure.padEnd(22)}${target}\n`);
}

function ratio(time, floor) {
  return `${(time / floor).toFixed(2)} (${ms(time)})`;
}

function ms(time) {
  return `${time.toFixed(time < 10 ? 2 : 1)} ms`;
}
