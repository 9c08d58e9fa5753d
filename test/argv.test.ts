import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { declareCatalogMetrics } from '../src/commands/catalog-metrics/declaration.js';
import { declareChartGet } from '../src/commands/chart-get/declaration.js';
import type { Act } from '../src/commands/context.js';
import { declareIndexMirror } from '../src/commands/index-mirror/declaration.js';
import { declareIndexStatus } from '../src/commands/index-status/declaration.js';
import { declareIndexVerify } from '../src/commands/index-verify/declaration.js';
import { declareMergeSubmit } from '../src/commands/merge-submit/declaration.js';
import { declareMergeValidate } from '../src/commands/merge-validate/declaration.js';
import { declareOrgUsers } from '../src/commands/org-users/declaration.js';
import { declareQueryCompile } from '../src/commands/query-compile/declaration.js';
import { declareReleaseShow } from '../src/commands/release-show/declaration.js';
import { declareUpgradePlan } from '../src/commands/upgrade-plan/declaration.js';

/** What command lines become, in every field; `upgrade-check` has its own in `cli.test.ts`. */

async function parse(declare: (act: Act) => Command, argv: readonly string[]) {
  let acted = 0;
  const command = declare(async () => {
    acted += 1;
  }).exitOverride();
  await command.parseAsync(argv, { from: 'user' });
  expect(acted).toBe(1);
  return { args: command.processedArgs, options: command.opts() };
}

type Row = readonly [argv: string[], options: Record<string, unknown>];

function becomes(
  declare: (act: Act) => Command,
  always: { readonly argv?: readonly string[]; readonly args?: readonly unknown[]; readonly options: object },
  rows: readonly Row[],
): void {
  it.each(rows)('%j', async (argv, options) => {
    expect(await parse(declare, [...(always.argv ?? []), ...argv])).toEqual({
      args: always.args ?? [],
      options: { ...always.options, ...options },
    });
  });
}

const fetching = { timeout: 30_000, maxBytes: 67_108_864, cache: true };
const sourceRows: readonly Row[] = [
  [[], {}],
  [['--index', '-'], { index: '-' }],
  [['--timeout', '10m'], { timeout: 600_000 }],
  [['--max-bytes', '500KiB'], { maxBytes: 512_000 }],
  [['--max-age', '7d'], { maxAge: 604_800_000 }],
  [['--offline', '--no-cache', '--allow-http'], { offline: true, cache: false, allowHttp: true }],
];
const outputRows: readonly Row[] = [
  [['--json', '--verbose'], { json: true, verbose: true }],
  [['--color'], { color: true }],
  [['--no-color'], { color: false }],
];

describe('upgrade-plan', () => {
  becomes(declareUpgradePlan, { options: { ...fetching, to: 'latest' } }, [
    ...sourceRows,
    ...outputRows,
    [['--from', 'v1.2.3', '--to', 'v1.3.0'], { from: '1.2.3', to: '1.3.0' }],
    [['--to', 'latest-rolling'], { to: 'latest-rolling' }],
    [['--instance', 'https://example.org'], { instance: 'https://example.org' }],
    [
      ['--from-file', 'values.yaml#image.tag', '--tag-suffix', '-x'],
      { fromFile: 'values.yaml#image.tag', tagSuffix: '-x' },
    ],
    [['--format', 'junit'], { format: 'junit' }],
    [['--require-rolling'], { requireRolling: true }],
    [['--deploy', 'compose'], { deploy: 'compose' }],
    [
      [
        ...['--deploy', 'helm', '--chart-version', '2.16.284', '--migration-job'],
        ...['--release', 'bi', '--values', 'my values.yaml'],
      ],
      {
        deploy: 'helm',
        chartVersion: '2.16.284',
        migrationJob: true,
        release: 'bi',
        values: 'my values.yaml',
      },
    ],
  ]);
});

describe('index status', () => {
  becomes(declareIndexStatus, { options: fetching }, [...sourceRows, ...outputRows]);
});

describe('index verify', () => {
  becomes(declareIndexVerify, { options: fetching }, [...sourceRows, ...outputRows]);
});

describe('index mirror', () => {
  becomes(declareIndexMirror, { argv: ['--out', 'a'], options: { ...fetching, out: 'a' } }, [
    ...sourceRows,
    [['--artifacts'], { artifacts: true }],
    [['--from', 'v1.2.3', '--to', '1.3.0'], { from: '1.2.3', to: '1.3.0' }],
    [['--artifact-url', 'https://example.org/{version}'], { artifactUrl: 'https://example.org/{version}' }],
    [['--json', '--verbose'], { json: true, verbose: true }],
  ]);
});

describe('release show', () => {
  becomes(declareReleaseShow, { argv: ['v1.2.3'], args: ['1.2.3'], options: fetching }, [
    ...sourceRows,
    ...outputRows,
    [['--artifact-url', './mirror'], { artifactUrl: './mirror' }],
  ]);
});

describe('merge validate', () => {
  becomes(declareMergeValidate, { argv: ['-'], args: ['-'], options: {} }, [
    [[], {}],
    [['--json'], { json: true }],
  ]);
});

const asking = { timeout: 30_000 };
const connectionRows: readonly Row[] = [
  [[], {}],
  [['--url', 'https://example.org'], { url: 'https://example.org' }],
  [['--timeout', '5'], { timeout: 5000 }],
  [['--allow-http', '--json', '--verbose'], { allowHttp: true, json: true, verbose: true }],
];
const projectRow: Row = [['--project', 'x'], { project: 'x' }];

describe('merge submit', () => {
  becomes(
    declareMergeSubmit,
    { argv: ['merge.yaml'], args: ['merge.yaml'], options: { ...asking, validate: true } },
    [
      ...connectionRows,
      projectRow,
      [['--mode', 'interactive'], { mode: 'interactive' }],
      [['--mode', 'export', '--export-limit', 'all'], { mode: 'export', exportLimit: 'all' }],
      [['--export-limit', '500'], { exportLimit: 500 }],
      [
        ['--param', 'region=EU', '--param', 'years=[2025,2026]', '--param', 'a=b=c', '--param', 'none='],
        {
          param: new Map<string, unknown>([
            ['region', 'EU'],
            ['years', [2025, 2026]],
            ['a', 'b=c'],
            ['none', ''],
          ]),
        },
      ],
      [
        ['--invalidate-cache', '--no-validate', '--dry-run'],
        { invalidateCache: true, validate: false, dryRun: true },
      ],
      [['--context', 'api'], { context: 'api' }],
      [['--wait'], { wait: true }],
      [
        ['--wait', '30m', '--output', 'csv', '--raw-csv', '--out', 'rows.csv'],
        { wait: 1_800_000, output: 'csv', rawCsv: true, out: 'rows.csv' },
      ],
      [['--color'], { color: true }],
      [['--no-color'], { color: false }],
    ],
  );
});

describe('chart get', () => {
  becomes(declareChartGet, { argv: ['x'], args: ['x'], options: asking }, [
    ...connectionRows,
    [['--metric-query'], { metricQuery: true }],
  ]);
});

describe('query compile', () => {
  becomes(declareQueryCompile, { argv: ['-'], args: ['-'], options: asking }, [
    ...connectionRows,
    projectRow,
    [['--explore', 'orders'], { explore: 'orders' }],
  ]);
});

describe('catalog metrics', () => {
  becomes(declareCatalogMetrics, { options: asking }, [
    ...connectionRows,
    projectRow,
    [['--tag', 'a', '--tag', 'b c'], { tag: ['a', 'b c'] }],
    [['--sort', 'label', '--order', 'desc'], { sort: 'label', order: 'desc' }],
    [['--page', '2', '--page-size', '50'], { page: 2, pageSize: 50 }],
    [['--all'], { all: true }],
  ]);
});

describe('org users', () => {
  becomes(declareOrgUsers, { options: asking }, connectionRows);
});

describe('texts that are refused', () => {
  it.each<[(act: Act) => Command, string[], string]>([
    [declareUpgradePlan, ['--release', ''], 'It is empty.'],
    [declareUpgradePlan, ['--values', 'a\nb'], 'It holds a control character.'],
    [declareUpgradePlan, ['--tag-suffix', '$x'], 'An image tag cannot end so.'],
    [declareOrgUsers, ['--url', ' '], 'It is empty.'],
    [declareMergeSubmit, ['a', '--out', ''], 'It is empty.'],
    [declareMergeSubmit, ['a', '--context', 'a\u0007'], 'It holds a control character.'],
    [declareCatalogMetrics, ['--page', '0'], 'Write a whole number from 1.'],
  ])('%s %j', async (declare, argv, message) => {
    const quiet: (act: Act) => Command = (act) => declare(act).configureOutput({ writeErr: () => {} });
    await expect(parse(quiet, argv)).rejects.toThrow(message);
  });
});
