import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { runCli, testNow } from './support/cli.js';
import { fetchHelm } from './support/helm.js';
import { serveKubernetes, writeKubeconfig } from './support/kubernetes-api.js';
import { realIndexFile } from './support/real-index.js';
import { closedPort, serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const run = promisify(execFile);

let programs: Record<string, string> = {};
beforeAll(() => {
  programs = fetchHelm();
}, 300_000);

const containerSchema = z.object({
  args: z.array(z.string()),
  env: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
});

/** The command line of the one job among manifests, its variables put in as Kubernetes does. */
function argvOf(manifests: string): string[] {
  const jobs = parseAllDocuments(manifests)
    .map((document) => document.toJS())
    .filter((manifest) => manifest?.kind === 'Job');
  expect(jobs).toHaveLength(1);
  const [container] = jobs[0].spec.template.spec.containers;
  const { args, env = [] } = containerSchema.parse(container);
  return args.map((arg) => env.reduce((text, { name, value }) => text.replaceAll(`$(${name})`, value), arg));
}

async function startInstance(version: string): Promise<string> {
  const { url } = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'ok', results: { version } }));
  });
  return url;
}

/** Runs the command line of a gate, with the instance of the test for that of the cluster. */
async function judge(argv: readonly string[], instance: string, now = testNow) {
  expect(argv).toContain('--max-age=7d');
  const asked = argv.map((arg) => (arg.startsWith('--instance=') ? `--instance=${instance}` : arg));
  const { code, stdout, stderr } = await runCli(asked, { env: { LIGHTSPAN_INDEX: realIndexFile }, now });
  return { code, said: stdout + stderr };
}

/** What a gate of either kind answers. */
const rows: [mode: string, from: string, tag: string, code: number, message: string][] = [
  ['RollingUpdate', '1.121.0', '1.156.0', 0, 'SAFE'],
  ['RollingUpdate', '1.156.0', '1.156.0', 0, 'SAFE'],
  ['RollingUpdate', '1.156.0', '1.157.0', 1, 'UNSAFE'],
  ['RollingUpdate', '1.156.0', '9.9.9', 1, 'UNSAFE'],
  ['RollingUpdate', '1.156.0', '1.121.0', 2, 'is older than'],
  ['Recreate', '1.156.0', '1.157.0', 0, '1.157.0'],
  ['Recreate', '1.111.0', '1.115.0', 0, '1.115.0'],
  ['Recreate', '0.1893.0', '2.134.2', 1, 'hops'],
  ['Recreate', '1.156.0', '9.9.9', 1, '9.9.9'],
  ['Recreate', '1.156.0', '1.121.0', 2, 'is older than'],
  // What is deployed is a tag and not a question: no gate looks up what it may mean.
  ['RollingUpdate', '1.156.0', 'latest', 2, 'vlatest'],
  ['Recreate', '1.156.0', 'latest-rolling', 2, 'vlatest-rolling'],
  ['Recreate', '1.156.0', '1.157', 2, 'v1.157'],
  ['RollingUpdate', '1.121.0', '1.156.0 --publisher-only', 2, 'is not'],
  ['RollingUpdate', '1.121.0', '$(touch pwned)', 2, 'is not'],
];

describe.each([3, 4])('the gate of Helm %i', (major) => {
  interface Release {
    readonly values?: object;
    /** Of the chart around it. */
    readonly own?: object;
    readonly name?: string;
    readonly chartVersion?: string;
    readonly more?: readonly string[];
    readonly alias?: string;
  }

  /** A chart around one of the structure that the published chart has. */
  function chartWith({ values = {}, own = {}, chartVersion = '2.16.361', alias }: Release): string {
    const folder = temporaryFolder();
    const inner = join(folder, 'charts', 'lightdash');
    mkdirSync(join(folder, 'templates'));
    mkdirSync(inner, { recursive: true });
    const key = alias ?? 'lightdash';
    const gate = readFileSync('examples/helm/upgrade-gate.yaml.tpl', 'utf8');
    writeFileSync(
      join(folder, 'templates', 'upgrade-gate.yaml'),
      gate.replace('$dependency := "lightdash"', `$dependency := "${key}"`),
    );
    const dependency = { name: 'lightdash', version: chartVersion, condition: `${key}.enabled`, alias };
    const files: [string, object][] = [
      [
        join(folder, 'Chart.yaml'),
        { apiVersion: 'v2', name: 'bi', version: '1.0.0', dependencies: [dependency] },
      ],
      [join(folder, 'values.yaml'), { ...own, [key]: values }],
      [
        join(inner, 'Chart.yaml'),
        { apiVersion: 'v2', name: 'lightdash', version: chartVersion, appVersion: '1.156.0' },
      ],
      [
        join(inner, 'values.yaml'),
        {
          ...{ image: { repository: 'lightdash/lightdash', tag: '' }, service: { port: 8080 } },
          ...{ upgrade: { mode: '' }, lightdashBackend: { strategy: {} } },
          scheduler: { enabled: false, strategy: {} },
        },
      ],
    ];
    for (const [file, content] of files) writeFileSync(file, JSON.stringify(content));
    return folder;
  }

  const helm = (release: Release) =>
    spawnSync(
      join(programs[major] ?? '', 'helm', 'helm'),
      ['template', release.name ?? 'prod', chartWith(release), '--is-upgrade', ...(release.more ?? [])],
      { encoding: 'utf8', env: { HOME: temporaryFolder() } },
    );
  const rendered = (release: Release) => {
    const { status, stdout, stderr } = helm(release);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return argvOf(stdout);
  };

  it.each(rows)('%s, %s to %s exits %i', async (mode, from, tag, code, message) => {
    const argv = rendered({ values: { upgrade: { mode }, image: { tag } } });
    const outcome = await judge(argv, await startInstance(from));
    expect(outcome.code, outcome.said).toBe(code);
    expect(outcome.said).toContain(message);
  });

  it('is no yes without an instance, and with an old index', async () => {
    const argv = rendered({});
    expect((await judge(argv, `http://127.0.0.1:${await closedPort()}`)).code).toBe(3);
    const instance = await startInstance('1.121.0');
    expect((await judge(argv, instance)).code).toBe(0);
    const late = new Date(testNow.getTime() + 8 * 24 * 3600 * 1000);
    expect((await judge(argv, instance, late)).code).toBe(3);
  });

  it.each<[string, Release, string]>([
    ['the service of the release', {}, 'http://prod-lightdash:8080'],
    ['one whose release has its name', { name: 'my-lightdash' }, 'http://my-lightdash:8080'],
    ['another port', { values: { service: { port: 80 } } }, 'http://prod-lightdash:80'],
    ['nameOverride', { values: { nameOverride: 'bi' } }, 'http://prod-bi:8080'],
    ['fullnameOverride', { values: { fullnameOverride: 'x' } }, 'http://x:8080'],
    ['an alias', { alias: 'dash' }, 'http://prod-dash:8080'],
    ['a long name', { name: `a${'b'.repeat(51)}` }, `http://a${'b'.repeat(51)}-lightdash:8080`],
  ])('asks %s', (_, release, instance) => {
    expect(rendered(release)).toContain(`--instance=${instance}`);
  });

  it('runs before the hook that migrates, once, without rights, and can write nothing', () => {
    const [job] = parseAllDocuments(helm({}).stdout).map((document) => document.toJS());
    expect(job.metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-upgrade',
      'helm.sh/hook-weight': '-10',
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    });
    const [ofArgoCd] = parseAllDocuments(readFileSync('examples/argo-cd/presync-gate.yaml', 'utf8')).map(
      (document) => document.toJS().spec,
    );
    const { args, env, ...container } = ofArgoCd.template.spec.containers[0];
    // Held for Argo CD in test/examples.test.ts.
    ofArgoCd.template.spec.containers = [{ ...container, args: expect.any(Array) }];
    expect(job.spec).toEqual(ofArgoCd);
  });

  it('judges the appVersion where there is no tag', () => {
    expect(rendered({})).toContain('--to=v1.156.0');
    expect(rendered({ values: { image: { tag: '1.121.0' } } })).toContain('--to=v1.121.0');
  });

  const recreate = { strategy: { type: 'Recreate' } };
  it.each<[string, object, string, string]>([
    ['nothing is said', {}, '2.16.361', 'upgrade-check'],
    ['the backend is recreated', { lightdashBackend: recreate }, '2.16.101', 'upgrade-plan'],
    [
      'a worker rolls',
      { lightdashBackend: recreate, scheduler: { enabled: true } },
      '2.16.101',
      'upgrade-check',
    ],
    [
      'the worker is recreated too',
      { lightdashBackend: recreate, scheduler: { enabled: true, ...recreate } },
      '2.16.101',
      'upgrade-plan',
    ],
    // An older chart reads no mode, and rolls.
    ['a mode does nothing', { upgrade: { mode: 'Recreate' } }, '2.16.101', 'upgrade-check'],
    [
      'the mode says otherwise',
      { upgrade: { mode: 'RollingUpdate' }, lightdashBackend: recreate },
      '2.16.361',
      'upgrade-check',
    ],
  ])('asks what is deployed where %s', (_, values, chartVersion, command) => {
    expect(rendered({ values, chartVersion })[0]).toBe(command);
  });

  it.each(['rollingupdate', 'Rolling', 'RollingUpdate ', 'recreate'])('renders for no mode "%s"', (mode) => {
    const { status, stderr } = helm({ values: { upgrade: { mode } } });
    expect(status).not.toBe(0);
    expect(stderr).toContain('upgrade.mode must be RollingUpdate or Recreate');
  });

  it('judges nothing where Lightdash is switched off', () => {
    expect(helm({ values: { enabled: false } }).stdout.trim()).toBe('');
  });

  describe('with an instance that is down', () => {
    const own = { upgradeGate: { from: 'deployment' } };

    it('is no yes where there is no Deployment', async () => {
      expect((await judge(rendered({ own }), 'http://127.0.0.1:9')).code).toBe(2);
    });

    it.each([
      ['lightdash/lightdash:1.121.0', 0],
      ['registry:5000/lightdash/lightdash:1.121.0', 0],
      [`lightdash/lightdash:1.121.0@sha256:${'0'.repeat(64)}`, 0],
      ['lightdash/lightdash:1.111.0', 1],
      ['lightdash/lightdash:1.157.0', 2],
      ['lightdash/lightdash:latest', 2],
      ['lightdash/lightdash', 2],
    ])('takes the image of the Deployment, %s: exit %i', async (image, code) => {
      const containers = [
        { name: 'sidecar', image: 'busybox:9.9.9' },
        { name: 'lightdash', image },
      ];
      const backend = {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'prod-lightdash-backend' } },
        spec: { template: { spec: { containers } } },
      };
      const { port } = await serveKubernetes({ objects: [backend], namespace: 'default' });
      const kubeconfig = writeKubeconfig(port, 'default');
      const chart = chartWith({ own });
      const { stdout, stderr } = await run(
        join(programs[major] ?? '', 'helm', 'helm'),
        ['template', 'prod', chart, '--is-upgrade', '--dry-run=server', '--kubeconfig', kubeconfig],
        { env: { HOME: temporaryFolder() } },
      );
      expect(stderr).not.toContain('Error');
      expect((await judge(argvOf(stdout), 'http://127.0.0.1:9')).code).toBe(code);
    });
  });
});

describe('the gate of Argo CD', () => {
  /** The manifests that Argo CD applies: kustomize is in kubectl. */
  function applied(mode: string, tag: string, image = 'lightdash/lightdash') {
    const folder = temporaryFolder();
    const gate = readFileSync('examples/argo-cd/presync-gate.yaml', 'utf8');
    writeFileSync(
      join(folder, 'presync-gate.yaml'),
      mode === 'Recreate'
        ? gate
            .replace(/^ +- upgrade-check\n/m, '')
            .replace('# - upgrade-plan', '- upgrade-plan')
            .replace('# - --max-hops=1', '- --max-hops=1')
        : gate,
    );
    const kustomization = readFileSync('examples/argo-cd/kustomization.yaml', 'utf8');
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      kustomization.replace('newTag: 1.156.0', `newTag: ${JSON.stringify(tag)}`),
    );
    const containers = [{ name: 'lightdash', image: `${image}:1.0.0` }];
    const deployment = {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'lightdash-backend' } },
      spec: { template: { spec: { containers } } },
    };
    writeFileSync(join(folder, 'lightdash.yaml'), JSON.stringify(deployment));
    return spawnSync(join(programs[4] ?? '', 'kubectl', 'kubectl'), ['kustomize', folder], {
      encoding: 'utf8',
    });
  }

  it.each(rows)('%s, %s to %s exits %i', async (mode, from, tag, code, message) => {
    const { status, stdout, stderr } = applied(mode, tag);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const outcome = await judge(argvOf(stdout), await startInstance(from));
    expect(outcome.code, outcome.said).toBe(code);
    expect(outcome.said).toContain(message);
  });

  it('is no yes where nothing fills the tag in, or an image has a port', async () => {
    const instance = await startInstance('1.121.0');
    const raw = readFileSync('examples/argo-cd/presync-gate.yaml', 'utf8');
    expect((await judge(argvOf(raw), instance)).code).toBe(2);
    const { stdout } = applied('RollingUpdate', '1.156.0', 'r:5000/lightdash');
    expect((await judge(argvOf(stdout), instance)).code).toBe(2);
  });
});
