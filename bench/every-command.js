/** One call of every command, and the instance that answers it: what is measured here, and what test/main.test.ts runs. */

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

const results = {
  '/api/v1/health': { version: '1.121.0' },
  [`/api/v1/saved/${uuid}`]: { metricQuery },
  [`/api/v1/projects/${uuid}/explores/orders/compileQuery`]: { query: 'SELECT 1' },
  [`/api/v2/projects/${uuid}/dataCatalog/metrics-with-time-dimensions`]: { data: [] },
  '/api/v1/org/users': [],
  [`/api/v2/projects/${uuid}/query/${uuid}`]: {
    status: 'ready',
    rows: [{ a: { value: { raw: 1, formatted: '1' } } }],
    nextPage: null,
  },
  [`/api/v2/projects/${uuid}/query/compose-merge-query`]: {
    outcome: 'refused',
    fieldOrigins: {},
    parameterReferences: [],
    errors: [{ kind: 'fan_out', message: 'm', fieldIds: [], sourceId: null }],
  },
};

/** Answers a request as an instance of 1.121.0 does. */
export function answerAsInstance(request, response) {
  const { pathname } = new URL(request.url, 'http://127.0.0.1');
  const answer =
    pathname === '/api/v1/readyz' ? { status: 'ready' } : { status: 'ok', results: results[pathname] ?? {} };
  response.setHeader('lightdash-version', '1.121.0');
  response.end(JSON.stringify(answer));
}

export function everyCommand({ index, published, instance, to, safe, pin, metricQueryFile, mirrorFolder }) {
  const span = ['--from', '1.121.0', '--to', to];
  const merge = 'fixtures/merge/orders-and-visits.yaml';
  const checked = safe ? 0 : 1;
  return {
    'upgrade-check': [['upgrade-check', ...span, '--index', index], checked],
    'upgrade-plan': [['upgrade-plan', ...span, '--index', index], 0],
    'upgrade-preflight': [['upgrade-preflight', '--sql'], 0],
    'upgrade-report': [['upgrade-report', ...span, ...published], checked],
    // It would write into this folder.
    init: [['init', '--instance', 'http://lightdash.example.com'], 2],
    settings: [['settings'], 0],
    'upgrade-bump': [
      ['upgrade-bump', '--file', `${pin}#image.tag`, '--to', '1.156.0', '--check', '--index', index],
      0,
    ],
    'pin-check': [
      [
        ...['pin-check', '--before', merge, '--after', pin, '--pin', 'values.yaml#image.tag'],
        ...['--accept', 'added', '--index', index],
      ],
      0,
    ],
    'upgrade-rehearse': [['upgrade-rehearse', '--print-dump'], 0],
    // Nothing listens there.
    'upgrade-status': [['upgrade-status', '--database', 'postgresql://nobody@127.0.0.1:9/none'], 3],
    'upgrade-verify': [
      ['upgrade-verify', '--instance', instance, '--version', '1.121.0', '--window', '0s'],
      0,
    ],
    'index status': [['index', 'status', '--index', index], 0],
    'index verify': [['index', 'verify', '--index', index], 0],
    'index datasource': [['index', 'datasource', '--from', '1.121.0', '--index', index], 0],
    'index mirror': [['index', 'mirror', '--out', mirrorFolder, '--index', index], 0],
    'release show': [['release', 'show', to, ...published], 0],
    'known-issues list': [['known-issues', 'list'], 0],
    'known-issues show': [['known-issues', 'show', 'start-check-refuses-skips'], 0],
    'known-issues verify': [['known-issues', 'verify', 'known-issues/start-check-refuses-skips.yaml'], 0],
    'merge validate': [['merge', 'validate', merge], 0],
    'merge submit': [['merge', 'submit', merge], 1],
    'chart get': [['chart', 'get', uuid], 0],
    'query compile': [['query', 'compile', metricQueryFile], 0],
    'query results': [['query', 'results', uuid, '--output', 'csv'], 0],
    'catalog metrics': [['catalog', 'metrics'], 0],
    'org users': [['org', 'users'], 0],
    explain: [['explain', 'rule-1'], 0],
    completion: [['completion', 'bash'], 0],
  };
}
