import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from './support/cli.js';
import { fetchHelm } from './support/helm.js';
import { serving, startInstance } from './support/instance-server.js';
import { backendPod, canary, chartObjects, inCluster } from './support/manifests.js';
import { upgradeTo, writeSituation } from './support/preflight.js';
import { closedPort, serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The kubectl of the gates in test/cluster.test.ts, against a loopback API that knows no verb but reading. */
let kubectlFolder = '';
beforeAll(() => {
  kubectlFolder = join(fetchHelm()[4] ?? '', 'kubectl');
}, 300_000);

type Json = Record<string, unknown>;

const resources: readonly [group: string, version: string, resource: string, kind: string][] = [
  ['', 'v1', 'pods', 'Pod'],
  ['', 'v1', 'configmaps', 'ConfigMap'],
  ['', 'v1', 'secrets', 'Secret'],
  ['', 'v1', 'serviceaccounts', 'ServiceAccount'],
  ['apps', 'v1', 'deployments', 'Deployment'],
  ['apps', 'v1', 'statefulsets', 'StatefulSet'],
  ['apps', 'v1', 'daemonsets', 'DaemonSet'],
  ['batch', 'v1', 'jobs', 'Job'],
  ['batch', 'v1', 'cronjobs', 'CronJob'],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'],
  ['autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'],
  ['rbac.authorization.k8s.io', 'v1', 'roles', 'Role'],
  ['rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding'],
  ['snapshot.storage.k8s.io', 'v1', 'volumesnapshots', 'VolumeSnapshot'],
];

interface Cluster {
  readonly objects?: readonly Json[];
  /** Resources that may not be read. */
  readonly forbidden?: readonly string[];
  /** Resources that it does not know. */
  readonly unknown?: readonly string[];
  /** Answers every list with this. */
  readonly garbage?: string;
  readonly unauthorized?: boolean;
  /** Never answers a list. */
  readonly silent?: boolean;
  readonly namespace?: string;
  /** Of the context, where that is another. */
  readonly contextNamespace?: string;
  /** Whether Secrets may be asked for, one by one. */
  readonly secrets?: boolean;
}

const failure = (code: number, reason: string, message: string) => ({
  code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code },
});

const nameIn = (metadata: unknown) => (metadata as { readonly name?: string } | undefined)?.name;

/** A cluster: what kubectl is run with to ask it, and what it was asked. */
async function startCluster(cluster: Cluster) {
  const { forbidden = [], unknown = [], namespace = 'bi', objects = [] } = cluster;
  const known = resources.filter(([, , resource]) => !unknown.includes(resource));
  const asked: string[] = [];
  const answer = ({ method, url = '' }: IncomingMessage): { code: number; body: unknown } => {
    const path = url.split('?')[0] ?? '';
    asked.push(`${method} ${path}`);
    if (method !== 'GET') return failure(405, 'MethodNotAllowed', 'reading alone');
    if (cluster.unauthorized === true) return failure(401, 'Unauthorized', 'Unauthorized');
    const groups = [...new Set(known.map(([group, version]) => `${group}/${version}`))];
    if (path === '/api') return { code: 200, body: { kind: 'APIVersions', versions: ['v1'] } };
    if (path === '/apis') {
      const listed = groups
        .filter((name) => !name.startsWith('/'))
        .map((groupVersion) => {
          const [name, version] = groupVersion.split('/');
          return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
        });
      return { code: 200, body: { kind: 'APIGroupList', apiVersion: 'v1', groups: listed } };
    }
    const [, groupVersion, , name, resource, one] =
      /^\/(?:api|apis)\/([^/]+(?:\/v\d)?)(\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    const own = known.filter(
      ([group, version]) => (group === '' ? version : `${group}/${version}`) === groupVersion,
    );
    if (resource === undefined && own.length > 0) {
      const listed = own.map(([, , plural, kind]) => ({
        name: plural,
        namespaced: true,
        kind,
        verbs: ['get', 'list'],
      }));
      return { code: 200, body: { kind: 'APIResourceList', groupVersion, resources: listed } };
    }
    const [, , , kind] = own.find(([, , plural]) => plural === resource) ?? [];
    if (kind === undefined || name !== namespace)
      return failure(404, 'NotFound', 'the server could not find the requested resource');
    if (forbidden.includes(resource ?? '')) {
      return failure(403, 'Forbidden', `${resource} is forbidden: User "viewer" cannot list resource`);
    }
    if (one !== undefined) {
      const found = objects.find(({ kind: other, metadata }) => other === kind && nameIn(metadata) === one);
      return found === undefined
        ? failure(404, 'NotFound', `${resource} "${one}" not found`)
        : { code: 200, body: found };
    }
    const items = objects.filter((object) => object.kind === kind);
    return { code: 200, body: { kind: `${kind}List`, apiVersion: groupVersion, metadata: {}, items } };
  };
  const { port } = await serve((request, response) => {
    const { code, body } = answer(request);
    const isList = /\/namespaces\//.test(request.url ?? '');
    if (isList && cluster.silent === true) return;
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(isList && cluster.garbage !== undefined ? cluster.garbage : JSON.stringify(body));
  });
  onTestFinished(() => {
    // Read-only by construction: nothing else was even tried, and no Secret was asked for but by name where it may be.
    expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
    const asksNoValue = (one: string) => cluster.secrets === true && /\/secrets\/[^/]+$/.test(one);
    expect(asked.filter((one) => one.includes('secrets') && !asksNoValue(one))).toEqual([]);
  });
  return { asked, env: environment(port, cluster.contextNamespace ?? namespace) };
}

function environment(port: number, namespace: string, user: Json = { token: canary }) {
  const folder = temporaryFolder();
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod-eu',
    contexts: [{ name: 'prod-eu', context: { cluster: 'x', user: 'x', namespace } }],
    users: [{ name: 'x', user }],
    clusters: [{ name: 'x', cluster: { server: `http://127.0.0.1:${port}` } }],
  };
  writeFileSync(join(folder, 'config'), JSON.stringify(config), { mode: 0o600 });
  return {
    KUBECONFIG: join(folder, 'config'),
    HOME: folder,
    PATH: `${kubectlFolder}${delimiter}${process.env.PATH}`,
  };
}

const chart = { chart: '2.16.361', app: '2.130.0', autoscaling: true } as const;
const running = inCluster([...chartObjects(chart).filter(({ kind }) => kind !== 'Pod'), backendPod()]);

const withoutSecret = running.filter(({ kind }) => kind !== 'Secret');
const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'prod-lightdash', namespace: 'bi' } },
  data: { LIGHTDASH_SECRET: Buffer.from(canary).toString('base64'), S3_BUCKET: canary, S3_ENDPOINT: '' },
};

const mirror = temporaryFolder();
beforeAll(async () => writeSituation(mirror, upgradeTo([])));

async function look(env: Record<string, string>, ...more: string[]) {
  const out = join(temporaryFolder(), 'facts.json');
  const outcome = await runCli(
    [
      ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', mirror],
      ...['--kubernetes', '--only', 'deployment', '--facts-out', out, ...more],
    ],
    { env },
  );
  const file = existsSync(out) ? readFileSync(out, 'utf8') : undefined;
  expect(`${outcome.stdout}${outcome.stderr}${file ?? ''}`).not.toContain(canary);
  return { ...outcome, facts: file === undefined ? undefined : JSON.parse(file).facts };
}

describe('--kubernetes', () => {
  it('reads a namespace with the kubectl of the user, and says where', async () => {
    const { env } = await startCluster({ objects: running });
    const { facts, stderr } = await look(env);
    expect(stderr).toContain('Asking kubectl, context prod-eu, namespace bi: get alone, and no Secrets\n');
    expect(facts.deployment.value).toEqual({
      kind: 'kubernetes',
      origin: 'cluster',
      sources: ['prod-eu'],
      context: 'prod-eu',
      namespace: 'bi',
      hooksSeen: null,
      unseenKinds: [],
    });
    expect(facts.workloads.value).toMatchObject([{ name: 'prod-lightdash-backend', role: 'backend' }]);
    expect(facts.workloads.value[0].containers[1].variablesFrom).toMatchObject([
      { object: 'prod-lightdash', keys: ['LIGHTDASH_MIGRATION_EXECUTION_MODE', 'PGHOST', 'SITE_URL'] },
      { object: 'prod-lightdash', keys: null },
    ]);
    expect(facts.pods.value).toMatchObject([{ workload: 'prod-lightdash-backend' }]);
    expect(facts.autoscalers.value).toMatchObject([{ maxReplicas: 100 }]);
    expect(facts.helm.value).toMatchObject({ release: 'prod', chartVersion: '2.16.361' });
    expect(facts.ledger).toEqual({ status: 'not-asked', source: 'database' });
  });

  it('asks for the keys of the Secrets that variables come from, and for nothing else of them', async () => {
    const objects = [...withoutSecret, secret];
    const { env, asked } = await startCluster({ objects, secrets: true, contextNamespace: 'other' });
    const { facts, stderr } = await look(env, '--secret-keys', '--namespace', 'bi');
    expect(stderr).toContain('get alone, and of Secrets the keys\n');
    expect(facts.workloads.value[0].containers[1].variablesFrom[1]).toMatchObject({
      origin: 'secret',
      object: 'prod-lightdash',
      keys: ['LIGHTDASH_SECRET', 'S3_BUCKET', 'S3_ENDPOINT'],
      emptyKeys: ['S3_ENDPOINT'],
    });
    expect(asked.filter((one) => one.includes('secrets'))).toContain(
      'GET /api/v1/namespaces/bi/secrets/prod-lightdash',
    );
  });

  it.each<[string, Cluster]>([
    ['may not be read', { objects: [...withoutSecret, secret], forbidden: ['secrets'] }],
    ['are not there', { objects: withoutSecret }],
  ])('leaves keys of Secrets unknown that %s', async (_, cluster) => {
    const { env } = await startCluster({ ...cluster, secrets: true });
    const { facts } = await look(env, '--secret-keys');
    expect(facts.workloads.value[0].containers[1].variablesFrom[1].keys).toBeNull();
  });

  it('says what may not be read, and what the server does not know', async () => {
    const { env } = await startCluster({
      objects: running,
      forbidden: ['poddisruptionbudgets', 'configmaps', 'cronjobs'],
      unknown: ['volumesnapshots'],
    });
    const { facts } = await look(env);
    expect(facts.deployment.value.unseenKinds).toEqual(['CronJob', 'ConfigMap', 'PodDisruptionBudget']);
    expect(facts.disruptionBudgets).toMatchObject({
      status: 'not-permitted',
      detail: expect.stringContaining('(Forbidden)'),
    });
    expect(facts.hookObjects.status).toBe('not-permitted');
    expect(facts.snapshots).toMatchObject({ status: 'absent' });
    expect(facts.workloads.value[0].containers[1].variablesFrom[0].keys).toBeNull();
  });

  it('does not take a namespace for empty whose jobs it may not read', async () => {
    const { env } = await startCluster({ objects: running, forbidden: ['jobs'] });
    const { facts, code } = await look(env);
    expect([code, facts.workloads.status, facts.pods.status]).toEqual([3, 'not-permitted', 'failed']);
  });

  it('tells of a namespace without Lightdash', async () => {
    const { env } = await startCluster({});
    const { facts, code } = await look(env);
    expect([code, facts.workloads.status]).toEqual([3, 'absent']);
  });

  it('asks the namespace that is named', async () => {
    const { env, asked } = await startCluster({ objects: running, namespace: 'other' });
    const { facts } = await look(env, '--namespace', 'bi');
    expect(facts?.workloads?.status).not.toBe('seen');
    expect(asked.filter((one) => one.includes('/namespaces/')).every((one) => one.includes('/bi/'))).toBe(
      true,
    );
  });

  it.each<[string, Cluster, number, string]>([
    ['no login', { unauthorized: true }, 3, 'kubectl cannot read the cluster'],
    ['words', { garbage: 'hello' }, 3, 'kubectl'],
    [
      'another kind',
      {
        garbage: JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: [{ metadata: { name: 'x' } }] }),
      },
      4,
      'answered with Pod x',
    ],
    ['no answer', { silent: true }, 3, 'took longer than'],
  ])('gives no answer by %s', async (_, cluster, code, message) => {
    const { env } = await startCluster(cluster);
    const outcome = await look(env, '--timeout', '2');
    expect(outcome.stderr).toContain(message);
    expect(outcome.code).toBe(code);
  });

  it('gives none without a server, without the context, and without kubectl', async () => {
    const gone = environment(await closedPort(), 'bi');
    expect(await look(gone)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cannot read the cluster'),
    });
    expect(await look(gone, '--context', 'nope')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no such context'),
    });
    const without = await look({ ...gone, KUBECONFIG: '/nowhere' });
    expect(without).toMatchObject({ code: 3, stderr: expect.stringContaining('without a context') });
    expect(await look({ ...gone, PATH: '/nowhere' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cannot run kubectl'),
    });
  });

  it('does not wait for a program that logs in and asks, nor show what it says', async () => {
    const script = join(temporaryFolder(), 'login');
    writeFileSync(script, `#!/bin/sh\necho "enter ${canary}" >&2\nread answer || exit 1\n`);
    chmodSync(script, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: script,
      interactiveMode: 'IfAvailable',
    };
    const env = environment(await closedPort(), 'bi', { exec });
    expect(await look(env)).toMatchObject({ code: 3, stderr: expect.stringContaining('kubectl cannot') });
  });

  it('shows what the context holds, and does not obey it', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    const [name, namespace] = ['prod\u001b[2J', 'bi\u001b[2J'];
    const config = JSON.stringify({ 'current-context': name, contexts: [{ name, context: { namespace } }] });
    writeFileSync(join(folder, 'bin', 'kubectl'), `#!/bin/sh\ncase $1 in config) echo '${config}';; esac\n`);
    chmodSync(join(folder, 'bin', 'kubectl'), 0o755);
    const { stderr } = await look({ PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` });
    expect(stderr).toContain('Asking kubectl, context prod\\u001b[2J, namespace bi\\u001b[2J: get alone');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('upgrade-verify --kubernetes', () => {
  const pod = (name: string, tag: string, status: Json = {}) => backendPod({ name, tag, status });
  const deployed = (...pods: Json[]) =>
    inCluster([...chartObjects(chart).filter(({ kind }) => kind !== 'Pod'), ...pods]);
  const crashing = {
    containerStatuses: [
      {
        name: 'lightdash',
        ready: false,
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { reason: 'Error', exitCode: 1 } },
      },
    ],
  };

  it.each<[string, readonly Json[], number, string]>([
    [
      'every pod runs the release',
      deployed(pod('a', '2.130.0')),
      0,
      '\nok          pods: 1 pod of 1 workload, all ready and of 2.130.0\n',
    ],
    [
      'an old one is left',
      deployed(pod('a', '2.130.0'), pod('old', '2.100.0')),
      1,
      '\nNO          pods: old runs lightdash/lightdash:2.100.0, not 2.130.0\n',
    ],
    [
      'one crashes',
      deployed(pod('a', '2.130.0', crashing)),
      1,
      '\nNO          pods: a is not ready: CrashLoopBackOff, container lightdash, 4 restarts\n',
    ],
  ])('%s: exit %i', async (_, objects, code, told) => {
    const { env } = await startCluster({ objects });
    const { url } = await startInstance(serving('2.130.0'));
    const argv = ['upgrade-verify', '--instance', url, '--version', '2.130.0', '--polls', '1'];
    const outcome = await runCli([...argv, '--window', '1s', '--interval', '2s', '--kubernetes'], { env });
    expect(outcome).toMatchObject({ code, stdout: expect.stringContaining(told) });
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(canary);
  });

  it('waits while a rollout goes on, and says once where it looks', async () => {
    const objects = deployed(pod('a', '2.130.0'), pod('old', '2.100.0'));
    const { env, asked } = await startCluster({ objects });
    const { url } = await startInstance(serving('2.130.0'));
    const timer = setInterval(() => {
      // The old pod goes when it was seen.
      if (asked.some((one) => one.endsWith('/pods'))) objects.splice(objects.length - 1, 1);
      if (objects.every(({ metadata }) => (metadata as Json).name !== 'old')) clearInterval(timer);
    }, 1500);
    onTestFinished(() => clearInterval(timer));
    const argv = ['upgrade-verify', '--instance', url, '--version', '2.130.0', '--polls', '1'];
    const outcome = await runCli([...argv, '--window', '2m', '--interval', '1s', '--kubernetes'], { env });
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stderr).toMatch(
      / s: waits on: pods: old runs lightdash\/lightdash:2\.100\.0, not 2\.130\.0\n/,
    );
    expect(outcome.stderr.match(/Asking kubectl/g)).toHaveLength(1);
  }, 150_000);

  it('is no yes where pods may not be read', async () => {
    const { env } = await startCluster({ objects: deployed(pod('a', '2.130.0')), forbidden: ['pods'] });
    const { url } = await startInstance(serving('2.130.0'));
    const argv = ['upgrade-verify', '--instance', url, '--version', '2.130.0', '--polls', '1'];
    const outcome = await runCli([...argv, '--window', '1s', '--interval', '2s', '--kubernetes'], { env });
    expect(outcome).toMatchObject({ code: 3, stdout: expect.stringContaining('\nNOT CHECKED pods: ') });
  });
});

describe('helm template', () => {
  it('prints what is read as the objects that it is made of', async () => {
    const folder = temporaryFolder();
    const templates = join(folder, 'lightdash', 'templates');
    mkdirSync(templates, { recursive: true });
    writeFileSync(
      join(folder, 'lightdash', 'Chart.yaml'),
      'apiVersion: v2\nname: lightdash\nversion: 2.16.361\nappVersion: 2.130.0\n',
    );
    const objects = chartObjects({ ...chart, job: true, worker: true, postgresql: true });
    for (const [i, one] of objects.entries()) {
      writeFileSync(join(templates, `${i}.yaml`), `# a template\n${JSON.stringify(one)}\n`);
    }
    const helm = join(kubectlFolder, '..', 'helm', 'helm');
    const printed = execFileSync(helm, ['template', 'prod', join(folder, 'lightdash'), '--is-upgrade'], {
      env: { HOME: folder },
    });
    const facts = async (text: string | Buffer) => {
      const file = join(folder, 'manifests.yaml');
      writeFileSync(file, text);
      const out = join(folder, 'facts.json');
      const { stderr } = await runCli([
        ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', mirror],
        ...['--manifests', file, '--facts-out', out, '--only', 'deployment'],
      ]);
      expect(stderr).toBe(`Facts written to ${out}\n`);
      const {
        workloads,
        hookObjects,
        helm: release,
        deployment,
      } = JSON.parse(readFileSync(out, 'utf8')).facts;
      const sorted = (fact: { value: { name: string }[] }) =>
        fact.value.toSorted((a, b) => a.name.localeCompare(b.name));
      return [sorted(workloads), sorted(hookObjects), release.value, deployment.value.hooksSeen];
    };
    const direct = objects.map((one) => `---\n${JSON.stringify(one)}`).join('\n');
    expect(await facts(printed)).toEqual(await facts(direct));
  });
});
