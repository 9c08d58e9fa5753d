import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from './support/cli.js';
import { fetchHelm } from './support/helm.js';
import { serving, startInstance } from './support/instance-server.js';
import { type Cluster, serveKubernetes, writeKubeconfig } from './support/kubernetes-api.js';
import { backendPod, canary, chartObjects, inCluster } from './support/manifests.js';
import { upgradeTo, writeSituation } from './support/preflight.js';
import { closedPort } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The kubectl of the gates in test/cluster.test.ts, against a loopback API that knows no verb but reading. */
let kubectlFolder = '';
let helms: Record<string, string> = {};
beforeAll(() => {
  helms = fetchHelm();
  kubectlFolder = join(helms[4] ?? '', 'kubectl');
}, 300_000);

type Json = Record<string, unknown>;

/** A cluster: what kubectl is run with to ask it, and what it was asked. */
async function startCluster(
  cluster: Cluster,
  {
    secrets = false,
    contextNamespace = cluster.namespace ?? 'bi',
  }: { secrets?: boolean; contextNamespace?: string } = {},
) {
  const { asked, port } = await serveKubernetes(cluster);
  onTestFinished(() => {
    // Read-only by construction: nothing else was even tried, and no Secret was asked for but by name where it may be.
    expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([]);
    const asksNoValue = (one: string) => secrets && /\/secrets\/[^/]+$/.test(one);
    expect(asked.filter((one) => one.includes('secrets') && !asksNoValue(one))).toEqual([]);
  });
  return { asked, env: environment(port, contextNamespace) };
}

function environment(port: number, namespace: string, user: Json = { token: canary }) {
  const PATH = `${kubectlFolder}${delimiter}${process.env.PATH}`;
  return { KUBECONFIG: writeKubeconfig(port, namespace, user), HOME: temporaryFolder(), PATH };
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
    expect(stderr).toContain('Asking kubectl, context prod-eu, namespace bi: only get, no Secrets\n');
    expect(facts.deployment.value).toEqual({
      ...{ kind: 'kubernetes', origin: 'cluster', sources: ['prod-eu'], context: 'prod-eu', namespace: 'bi' },
      ...{ hooksSeen: null, unseenKinds: [] },
    });
    expect(facts.workloads.value).toMatchObject([{ name: 'prod-lightdash-backend', role: 'backend' }]);
    expect(facts.workloads.value[0].containers[1].variablesFrom).toMatchObject([
      {
        object: 'prod-lightdash',
        keys: ['LIGHTDASH_MIGRATION_EXECUTION_MODE', 'NATS_ENABLED', 'PGHOST', 'SITE_URL'],
      },
      { object: 'prod-lightdash', keys: null },
    ]);
    expect(facts.pods.value).toMatchObject([{ workload: 'prod-lightdash-backend' }]);
    expect(facts.autoscalers.value).toMatchObject([{ maxReplicas: 100 }]);
    expect(facts.helm.value).toMatchObject({ release: 'prod', chartVersion: '2.16.361' });
  });

  it('asks for the keys of the Secrets that variables come from, and for nothing else of them', async () => {
    const objects = [...withoutSecret, secret];
    const { env, asked } = await startCluster({ objects }, { secrets: true, contextNamespace: 'other' });
    const { facts, stderr } = await look(env, '--secret-keys', '--namespace', 'bi');
    expect(stderr).toContain('only get, of Secrets only keys\n');
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

  it.each([
    [[], true],
    [['--secret-keys'], false],
  ])('names the option that asks for keys of Secrets, unless it is there (%j)', async (more, isNamed) => {
    const { env } = await startCluster({ objects: withoutSecret }, { secrets: true });
    const argv = ['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', mirror, '--kubernetes'];
    const { stdout } = await runCli([...argv, '--only', 'required-variables', ...more], { env });
    const next = stdout.split('\n').find((line) => line.startsWith('Next: '));
    expect(next?.includes('the keys of the Secrets (--secret-keys)')).toBe(isNamed);
    expect(next?.match(/ --secret-keys/g)).toHaveLength(1);
  });

  it.each<[string, Cluster]>([
    ['may not be read', { objects: [...withoutSecret, secret], forbidden: ['secrets'] }],
    ['are not there', { objects: withoutSecret }],
  ])('leaves keys of Secrets unknown that %s', async (_, cluster) => {
    const { env } = await startCluster(cluster, { secrets: true });
    const { facts } = await look(env, '--secret-keys');
    expect(facts.workloads.value[0].containers[1].variablesFrom[1].keys).toBeNull();
  });

  const managed = (...managers: string[]) => ({
    managedFields: managers.map((one, i) => {
      const [manager, operation] = one.split(' ');
      return { manager, operation, apiVersion: 'apps/v1', time: `2026-08-0${i + 1}T10:00:00Z` };
    }),
  });
  const controller = 'kube-controller-manager Update';
  it.each<[what: string, major: number | undefined, managers: string[], expected: unknown[]]>([
    ['Helm 4 on what it applied', 4, ['helm Apply', controller], ['4.1.4', true]],
    ['Helm 4 on what a Helm 3 applied last', 4, ['helm Apply', 'helm Update'], ['4.1.4', false]],
    ['Helm 4 on what a Helm 3 made', 4, ['helm Update', 'kubectl Apply'], ['4.1.4', false]],
    ['Helm 3', 3, ['helm Apply'], ['3.17.2', undefined]],
    ['no helm', undefined, ['helm Apply'], [undefined, undefined]],
  ])('says which helm is here, and how a release was applied: %s', async (_, major, managers, expected) => {
    const objects = running.map((object) =>
      object.kind === 'Deployment'
        ? { ...object, metadata: { ...(object.metadata as Json), ...managed(...managers) } }
        : object,
    );
    const { env } = await startCluster({ objects });
    const folder = major === undefined ? [] : [join(helms[major] ?? '', 'helm')];
    const { facts, stdout } = await look({ ...env, PATH: [...folder, env.PATH].join(delimiter) });
    expect([facts.helm.value.client, facts.workloads.value[0].appliedOnServer]).toEqual(expected);
    expect(/Helm [\d.]+ here/.exec(stdout)?.[0]).toEqual(
      expected[0] === undefined ? undefined : `Helm ${expected[0]} here`,
    );
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

  it.each<[string, Cluster, string, string]>([
    ['whose jobs may not be read', { objects: running, forbidden: ['jobs'] }, 'not-permitted', 'failed'],
    ['without Lightdash', {}, 'absent', 'failed'],
  ])('does not answer for a namespace %s', async (_, cluster, workloads, pods) => {
    const { env } = await startCluster(cluster);
    const { facts, code } = await look(env);
    expect([code, facts.workloads.status, facts.pods.status]).toEqual([3, workloads, pods]);
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

  it.each<[string, Record<string, string>, string[], string]>([
    ['a server', {}, [], 'cannot read the cluster'],
    ['the context', {}, ['--context', 'nope'], 'no such context'],
    ['any context', { KUBECONFIG: '/nowhere' }, [], 'without a context'],
    ['kubectl', { PATH: '/nowhere' }, [], 'cannot run kubectl'],
  ])('gives none without %s', async (_, env, more, said) => {
    const outcome = await look({ ...environment(await closedPort(), 'bi'), ...env }, ...more);
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining(said) });
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
    expect(stderr).toContain('Asking kubectl, context prod\\u001b[2J, namespace bi\\u001b[2J: only get');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('upgrade-verify --kubernetes', () => {
  const pod = (name: string, tag: string, status: Json = {}) => backendPod({ name, tag, status });
  const deployed = (...pods: Json[]) =>
    inCluster([...chartObjects(chart).filter(({ kind }) => kind !== 'Pod'), ...pods]);
  const lastState = { terminated: { reason: 'Error', exitCode: 1 } };
  const waits = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState };
  const crashing = { containerStatuses: [{ name: 'lightdash', ready: false, restartCount: 4, ...waits }] };
  const verify = async (env: Record<string, string>, window: string, interval: string) => {
    const { url } = await startInstance(serving('2.130.0'));
    const argv = ['upgrade-verify', '--instance', url, '--version', '2.130.0', '--kubernetes'];
    const outcome = await runCli([...argv, '--window', window, '--interval', interval], { env });
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain(canary);
    return outcome;
  };

  it.each<[string, Cluster, number, string]>([
    [
      'every pod runs the release',
      { objects: deployed(pod('a', '2.130.0')) },
      0,
      'ok          pods: 1 pod of 1 workload, all ready and on 2.130.0\n',
    ],
    [
      'an old one is left',
      { objects: deployed(pod('a', '2.130.0'), pod('old', '2.100.0')) },
      1,
      'NO          pods: old runs lightdash/lightdash:2.100.0, not 2.130.0\n',
    ],
    [
      'one crashes',
      { objects: deployed(pod('a', '2.130.0', crashing)) },
      1,
      'NO          pods: a is not ready: CrashLoopBackOff, container lightdash, 4 restarts\n',
    ],
    [
      'pods may not be read',
      { objects: deployed(pod('a', '2.130.0')), forbidden: ['pods'] },
      3,
      'NOT CHECKED pods: ',
    ],
  ])('%s: exit %i', async (_, cluster, code, told) => {
    const { env } = await startCluster(cluster);
    expect(await verify(env, '0s', '1s')).toMatchObject({
      code,
      stdout: expect.stringContaining(`\n${told}`),
    });
  });

  it('waits while a rollout goes on, and says once where it looks', async () => {
    const objects = deployed(pod('a', '2.130.0'), pod('old', '2.100.0'));
    const { env, asked } = await startCluster({ objects });
    const timer = setInterval(() => {
      // The old pod goes when it was seen.
      if (!asked.some((one) => one.endsWith('/pods'))) return;
      objects.pop();
      clearInterval(timer);
    }, 1500);
    onTestFinished(() => clearInterval(timer));
    const { code, stderr } = await verify(env, '2m', '1s');
    expect(code).toBe(0);
    expect(stderr).toMatch(/ waits on pods: old runs lightdash\/lightdash:2\.100\.0, not 2\.130\.0\n/);
    expect(stderr.match(/Asking kubectl/g)).toHaveLength(1);
  }, 150_000);
});

describe('helm template', () => {
  it('prints what is read as the objects that it is made of', async () => {
    const folder = temporaryFolder();
    const templates = join(folder, 'lightdash', 'templates');
    mkdirSync(templates, { recursive: true });
    const chartFile = 'apiVersion: v2\nname: lightdash\nversion: 2.16.361\nappVersion: 2.130.0\n';
    writeFileSync(join(folder, 'lightdash', 'Chart.yaml'), chartFile);
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
      const { workloads, hookObjects, helm, deployment } = JSON.parse(readFileSync(out, 'utf8')).facts;
      const sorted = (fact: { value: { name: string }[] }) =>
        fact.value.toSorted((a, b) => a.name.localeCompare(b.name));
      return [sorted(workloads), sorted(hookObjects), helm.value, deployment.value.hooksSeen];
    };
    const direct = objects.map((one) => `---\n${JSON.stringify(one)}`).join('\n');
    expect(await facts(printed)).toEqual(await facts(direct));
  });
});
