import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The program of docs/jq.md, which asks jq the same question. */
const [, jqProgram] = /jq -ne [^']*'\n([\s\S]*?)\n'/.exec(
  readFileSync(new URL('../docs/jq.md', import.meta.url), 'utf8'),
);

export const jqCheck = (index, from, to) => [
  ...['jq', '-ne', '--arg', 'from', from, '--arg', 'to', to],
  jqProgram,
  index,
];

/** `curl | jq`, for an index behind a URL. */
export const curlJqCheck = (url, from, to) => [
  'sh',
  '-c',
  'curl --fail --silent "$0" | jq -ne --arg from "$1" --arg to "$2" "$3"',
  url,
  from,
  to,
  jqProgram,
];

export const isInstalled = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** The project, and the chart, of the instance. */
export const uuid = '3675b69e-8324-4110-bdca-059031aa8da3';
export const metricQuery = {
  exploreName: 'orders',
  dimensions: [],
  metrics: [],
  filters: {},
  sorts: [],
  limit: 1,
  tableCalculations: [],
};

/** An instance that answers every request of a command at once. */
export async function startInstance() {
  const answers = {
    '/api/v1/health': { status: 'ok', results: { version: '1.121.0' } },
    '/api/v1/readyz': { status: 'ready' },
    [`/api/v1/saved/${uuid}`]: { status: 'ok', results: { metricQuery } },
    [`/api/v1/projects/${uuid}/explores/orders/compileQuery`]: {
      status: 'ok',
      results: { query: 'SELECT 1' },
    },
    [`/api/v2/projects/${uuid}/dataCatalog/metrics-with-time-dimensions`]: {
      status: 'ok',
      results: { data: [] },
    },
    '/api/v1/org/users': { status: 'ok', results: [] },
    [`/api/v2/projects/${uuid}/query/compose-merge-query`]: {
      status: 'ok',
      results: {
        outcome: 'refused',
        fieldOrigins: {},
        parameterReferences: [],
        errors: [{ kind: 'fan_out', message: 'm', fieldIds: [], sourceId: null }],
      },
    },
  };
  const server = createServer((request, response) => {
    response.setHeader('lightdash-version', '1.121.0');
    response.end(JSON.stringify(answers[new URL(request.url, 'http://x').pathname] ?? {}));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Every command as one would call it: its arguments, and the exit code it ends with. */
export function everyCommand({ index, mirror, instance, pin, metricQueryFile }) {
  const span = ['--from', '1.121.0', '--to', '2.134.2', '--index', index];
  const merge = 'fixtures/merge/orders-and-visits.yaml';
  return {
    'upgrade-check': [['upgrade-check', ...span], 1],
    'upgrade-plan': [['upgrade-plan', ...span], 0],
    'upgrade-report': [['upgrade-report', ...span.slice(0, 4), '--index', mirror, '--offline'], 1],
    'upgrade-bump': [['upgrade-bump', '--file', `${pin}#image.tag`, '--check', '--index', index], 0],
    'upgrade-verify': [['upgrade-verify', '--instance', instance, '--version', '1.121.0', '--polls', '1'], 0],
    'index status': [['index', 'status', '--index', index], 0],
    'index verify': [['index', 'verify', '--index', index], 0],
    'index mirror': [['index', 'mirror', '--out', `${mirror}-copy`, '--index', index], 0],
    'release show': [['release', 'show', '2.134.2', '--index', mirror, '--offline'], 0],
    'merge validate': [['merge', 'validate', merge], 0],
    'merge submit': [['merge', 'submit', merge], 1],
    'chart get': [['chart', 'get', uuid], 0],
    'query compile': [['query', 'compile', metricQueryFile], 0],
    'catalog metrics': [['catalog', 'metrics'], 0],
    'org users': [['org', 'users'], 0],
    explain: [['explain', 'rule-1'], 0],
    'completion bash': [['completion', 'bash'], 0],
  };
}
