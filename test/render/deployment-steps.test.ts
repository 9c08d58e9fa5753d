import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type ChartRecreate,
  type Deployment,
  type Strategy,
  stepsFor,
} from '../../src/release-safety/deployment.js';
import { renderStep, type StepFacts } from '../../src/render/deployment-steps.js';

const facts = {
  fromVersion: '1.0.0',
  toVersion: '1.10.0',
  strategy: 'Recreate',
  tagSuffix: '',
  release: 'lightdash',
  valuesFile: 'values.yaml',
  chartVersion: undefined,
  healthUrl: undefined,
} as const satisfies StepFacts;

const rendered = (deployment: Deployment, strategy: Strategy, changed: Partial<StepFacts> = {}) =>
  stepsFor(strategy, deployment).map((step) => renderStep(step, { ...facts, strategy, ...changed }));

const charts: ChartRecreate[] = ['stops-workloads', 'needs-scale-down', 'unknown'];
const deployments: Deployment[] = [
  { kind: 'compose' },
  ...charts.flatMap((chartRecreate) =>
    [true, false].map((migrationJob) => ({ kind: 'helm', chartRecreate, migrationJob }) as const),
  ),
];
const cases = deployments.flatMap((deployment) =>
  (['RollingUpdate', 'Recreate'] as const).map((strategy) => ({ deployment, strategy })),
);
const nastyFacts = {
  release: "it's; rm -rf /",
  valuesFile: 'my values $(id).yaml',
  tagSuffix: '-custom',
  chartVersion: '2.16.284+a',
  healthUrl: 'https://example.com/a&b/api/v1/health',
} as const;

describe('the steps of a hop', () => {
  it.each(cases)('$strategy with $deployment: a shell can read every command', ({ deployment, strategy }) => {
    for (const changed of [{}, nastyFacts]) {
      const commands = rendered(deployment, strategy, changed).flatMap((step) => step.commands);
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) execFileSync('bash', ['-n'], { input: command, stdio: 'pipe' });
    }
  });

  it.each(cases)(
    '$strategy with $deployment: the commands get their words whole',
    ({ deployment, strategy }) => {
      const programs = ['helm', 'kubectl', 'docker', 'pg_dump', 'curl', 'grep'];
      const shims = programs.map((name) => `${name}() { printf '<%s>' ${name} "$@" >&2; }`).join('\n');
      const commands = rendered(deployment, strategy, nastyFacts).flatMap((step) => step.commands);
      const script = `exec 2>&1\n${shims}\n${commands.join('\n')}`;
      const env = { NAMESPACE: 'name space', PGDATABASE: 'db' };
      const words = execFileSync('bash', ['-c', script], { env, stdio: 'pipe' }).toString();
      expect(words).toContain('<pg_dump><--format=custom><--file=lightdash-1.0.0.dump><--dbname=db>');
      expect(words).toContain('<https://example.com/a&b/api/v1/health>');
      if (deployment.kind === 'compose') return;
      expect(words).toContain(
        `<helm><upgrade><it's; rm -rf /><lightdash/lightdash><--namespace><name space><--version><2.16.284+a>` +
          `<--values><my values $(id).yaml><--set-string><image.tag=1.10.0-custom>` +
          `<--set-string><upgrade.mode=${strategy}><--timeout><30m>`,
      );
    },
  );

  it.each(cases)(
    '$strategy with $deployment: the values are the tag as text, and the mode',
    ({ deployment, strategy }) => {
      const values = rendered(deployment, strategy).flatMap((step) => step.values ?? []);
      expect(values.map(({ yaml }) => parse(yaml))).toEqual([
        deployment.kind === 'compose'
          ? { services: { lightdash: { image: 'lightdash/lightdash:1.10.0' } } }
          : { image: { tag: '1.10.0' }, upgrade: { mode: strategy } },
      ]);
    },
  );

  it.each(cases)(
    'deployment rule 5: $strategy with $deployment speaks of downtime only for Recreate',
    (c) => {
      const words = JSON.stringify(rendered(c.deployment, c.strategy)).replaceAll('no downtime', '');
      expect(words.includes('downtime')).toBe(c.strategy === 'Recreate');
    },
  );

  it('what has to be filled in stops the shell', () => {
    const commands = rendered(
      { kind: 'helm', chartRecreate: 'unknown', migrationJob: true },
      'Recreate',
    ).flatMap((step) => step.commands);
    for (const command of commands) {
      expect(() => execFileSync('bash', ['-c', command], { env: {}, stdio: 'pipe' })).toThrow(/: set /);
    }
  });
});
