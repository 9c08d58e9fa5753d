import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { curlJqCheck, isInstalled, jqCheck, startInstance } from './commands.js';
import { everyCommand, metricQuery, uuid } from './every-command.js';
import { publishedIndex, repeatedIndex, trueIndex, writeText } from './indexes.js';
import { writeMirror } from './mirror.js';
import { median, peakMemory, timeInTurn } from './processes.js';
import { serveFile } from './server.js';

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
const exits = { check: 1, 1: 1, 10: 1, 30: 1 };

const realCheck = check(publishedIndex, '1.121.0', '2.134.2');
const jq = isInstalled('jq');
const starts = await timeInTurn(
  {
    floor: [node, '-e', '0'],
    version: [node, lightspan, '--version'],
    check: [node, ...realCheck],
    ...(jq ? { jq: jqCheck(publishedIndex, '1.121.0', '2.134.2') } : {}),
  },
  { exits: { ...exits, jq: 1 } },
);
row('node -e 0', ms(starts.floor), '');
row('--version', ratio(starts.version, starts.floor), 'at most 1.2');
row('upgrade-check, the real index', ratio(starts.check, starts.floor), 'at most 1.9, and less than jq');
row('  peak memory', `${peakMemory(realCheck).toFixed(0)} MB`, 'at most 90 MB');
if (jq) row('the same question asked of jq', ratio(starts.jq, starts.floor), '');

const published = await serveFile(publishedIndex, { etag: '"a"' });
const unkept = await serveFile(publishedIndex, { 'cache-control': 'no-store' });
const checkOf = ({ url }) => [node, ...check(url, '1.121.0', '2.134.2')];
const fetched = await timeInTurn(
  {
    floor: [node, '-e', '0'],
    unchanged: checkOf(published),
    asked: checkOf(unkept),
    ...(jq && isInstalled('curl') ? { curl: curlJqCheck(published.url, '1.121.0', '2.134.2') } : {}),
  },
  { exits: { unchanged: 1, asked: 1, curl: 1 } },
);
for (const server of [published, unkept]) server.close();
row('upgrade-check, unchanged since it was kept', ratio(fetched.unchanged, fetched.floor), 'at most 4.0');
row('upgrade-check, one request to loopback', ratio(fetched.asked, fetched.floor), 'at most 4.0');
if (fetched.curl !== undefined)
  row('the same asked with curl and jq', ratio(fetched.curl, fetched.floor), '');

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
  row('  peak memory', `${peakMemory(verifying).toFixed(0)} MB`, 'at most 120 MB');
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
    row('  written', `${(statSync(out).size / 1e6).toFixed(0)} MB`, '');
    row('  peak memory', `${peak.toFixed(0)} MB`, 'at most 120 MB');
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
  row('  peak memory', `${peakMemory(page).toFixed(0)} MB`, '');

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

  const plan = planningTime(index, longest, 40);
  row('planRoute, end to end', ms(plan), 'under 20 ms');
  for (const { times, file, from, to } of growth.slice(1)) {
    const larger = parseReleaseSafetyIndexText(readFileSync(file, 'utf8'));
    const factor = planningTime(larger, { from, to }, 7) / plan;
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
      env: { LIGHTDASH_URL: instance.url, LIGHTDASH_PROJECT: uuid, LIGHTDASH_API_KEY: 'a token' },
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

/** The targets are those of the Node of which all is measured. */
function row(what, figure, aim) {
  const target = isStartsOnly ? '' : aim;
  rows.push([what, figure, target]);
  process.stderr.write(`${what.padEnd(42)}${figure.padEnd(22)}${target}\n`);
}

function ratio(time, floor) {
  return `${(time / floor).toFixed(2)} (${ms(time)})`;
}

function ms(time) {
  return `${time.toFixed(time < 10 ? 2 : 1)} ms`;
}
