import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LightspanError } from '../../../../src/core/lightspan-error.js';
import { collectDeployment } from '../../../../src/gather/deployment/collect.js';
import {
  findCluster,
  readCluster,
  readSecretKeys,
  runKubectl,
} from '../../../../src/gather/deployment/kubernetes/cluster.js';
import { resources } from '../../../../src/gather/deployment/kubernetes/kubernetes-object.js';
import { quoted, standIn } from '../../../support/stand-in.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const timeoutMs = 20_000;
const nowhere = { context: null, namespace: null, timeoutMs };

/** A kubectl that answers by its words, and writes down how it was run. */
function kubectlWith(script: string, context: string | null = null) {
  const env = standIn('kubectl', `printf '%s\\n' "$*" >> "$ASIDE/run"\n${script}`);
  const runs = () => readFileSync(join(env.ASIDE, 'run'), 'utf8').trim().split('\n');
  return { kubectl: { env, context, namespace: null, timeoutMs }, runs };
}

const says = (stderr: string, exitCode = 1) => `echo ${quoted(stderr)} >&2; exit ${exitCode}`;
const prints = (json: unknown) => `echo ${quoted(JSON.stringify(json))}`;
const none = prints({ kind: 'List', apiVersion: 'v1', items: [] });

describe('the context', () => {
  const contexts = (context: object) => [
    { name: 'dev', context: { namespace: 'dev' } },
    { name: 'prod', context },
  ];
  it.each<[string, object[] | null, string | null, string]>([
    ['its own', contexts({ namespace: 'bi' }), null, 'bi'],
    ['none of its own', contexts({}), null, 'default'],
    ['an empty one', contexts({ namespace: '' }), null, 'default'],
    ['null', contexts({ namespace: null }), null, 'default'],
    ['its own, and another is asked for', contexts({ namespace: 'bi' }), 'other', 'other'],
    ['no list', null, null, 'default'],
    ['nothing of its name', contexts({}).slice(0, 1), null, 'default'],
  ])('has a namespace: %s', async (_, listed, wanted, namespace) => {
    const { kubectl, runs } = kubectlWith(prints({ 'current-context': 'prod', contexts: listed }));
    expect(await findCluster({ ...kubectl, namespace: wanted })).toMatchObject({
      context: 'prod',
      namespace,
    });
    expect(runs()).toEqual(['config view --minify -o json']);
  });

  it.each([
    ['error: current-context must exist in order to minify', null],
    ['error: current-context is not set', 'bi'],
  ])('is none inside a cluster: %s', async (said, namespace) => {
    const { kubectl } = kubectlWith(says(said));
    expect(await findCluster({ ...kubectl, namespace })).toMatchObject({ context: null, namespace });
  });

  it.each<[string | null, string, string]>([
    ['nope', 'error: cannot locate context nope', 'error: cannot locate context nope'],
    // What is named is not given up for what may run inside a cluster.
    ['nope', 'error: current-context is not set', 'error: current-context is not set'],
    [null, 'error: error loading config file', 'error: error loading config file'],
    [null, 'enter the passphrase', 'it ended with 1'],
  ])('is not there: %s, %s', async (context, said, fault) => {
    const { kubectl, runs } = kubectlWith(says(said), context);
    const message = `kubectl has no such context: ${fault}`;
    await expect(findCluster(kubectl)).rejects.toMatchObject({ code: 'unreadable-source', message });
    if (context !== null) expect(runs()).toEqual(['config view --minify -o json --context=nope']);
  });

  it.each([
    ['echo no', 'kubectl config view: expected a map'],
    [prints([]), 'kubectl config view: expected a map'],
    [prints({ contexts: [] }), 'kubectl config view: current-context: expected text'],
    [
      prints({ 'current-context': 'a', contexts: [{}] }),
      'kubectl config view: contexts[0].name: expected text',
    ],
  ])('is not read from %s', async (script, message) => {
    const { kubectl } = kubectlWith(script);
    await expect(findCluster(kubectl)).rejects.toMatchObject({ code: 'invalid-manifest', message });
  });
});

describe('a cluster', () => {
  it.each([
    ['bi', 20_000, ['--request-timeout=20s', '--namespace=bi']],
    [null, 2900, ['--request-timeout=2s']],
    // No time at all would be for ever.
    ['bi', 999, ['--request-timeout=1s', '--namespace=bi']],
  ])('is asked for every kind, the first alone: in %s, for %d ms', async (namespace, timeout, options) => {
    const { kubectl, runs } = kubectlWith(none, 'prod');
    const asked = await readCluster({ ...kubectl, timeoutMs: timeout, namespace }).catch(({ code }) => code);
    // Within a second it may not be done; what it was asked is the same.
    if (timeout > 999) expect(asked).toEqual({ objects: [], unseen: new Map() });
    const wanted = Object.values(resources).map((name) =>
      ['get', name, '--output=json', ...options, '--context=prod'].join(' '),
    );
    expect(runs()[0]).toBe(wanted[0]);
    if (timeout > 999) expect(runs().toSorted()).toEqual(wanted.toSorted());
  });

  it('is that of the context that was found, whatever the current one is by then', async () => {
    const { kubectl, runs } = kubectlWith(
      `case $1 in config) ${prints({ 'current-context': 'prod', contexts: [] })};; *) ${none};; esac`,
    );
    const { sources, facts } = await collectDeployment(
      { kubernetes: true },
      { env: kubectl.env, timeoutMs, stdin: Readable.from([]), now: () => new Date() },
    );
    expect(sources).toEqual(['the cluster of prod']);
    expect(facts.deployment).toMatchObject({ value: { sources: ['prod'], context: 'prod' } });
    const [first, ...others] = runs();
    expect(first).toBe('config view --minify -o json');
    expect(others.filter((run) => !run.endsWith(' --context=prod'))).toEqual([]);
  });

  it('is asked without a context where there is none, as inside it', async () => {
    const { kubectl, runs } = kubectlWith(
      `case $1 in config) ${says('error: current-context is not set')};; *) ${none};; esac`,
    );
    const { sources, facts } = await collectDeployment(
      { kubernetes: true, namespace: 'bi' },
      { env: kubectl.env, timeoutMs, stdin: Readable.from([]), now: () => new Date() },
    );
    expect(sources).toEqual(['the cluster']);
    expect(facts.deployment).toMatchObject({
      value: { sources: ['kubectl without a context'], context: null, namespace: 'bi' },
    });
    expect(runs().filter((run) => run.includes('--context'))).toEqual([]);
  });

  it('gives its objects in the order of the kinds, whichever answers first', async () => {
    const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } };
    const role = { kind: 'Role', apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'b' } };
    const list = (...items: object[]) => prints({ kind: 'List', apiVersion: 'v1', items });
    const { kubectl } = kubectlWith(
      `case $2 in pods) sleep 0.3; ${list(pod)};; roles.*) ${list(role)};; *) ${none};; esac`,
    );
    const { objects } = await readCluster(kubectl);
    expect(objects.map(({ kind, name }) => [kind, name])).toEqual([
      ['Pod', 'a'],
      ['Role', 'b'],
    ]);
  });

  const pods = 'kubectl get pods';
  it.each([
    ['echo no', `${pods}, from line 1: it is not a Kubernetes object: it has neither kind nor apiVersion`],
    [
      prints({
        kind: 'PodList',
        apiVersion: 'v1',
        items: [{ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'x' } }],
      }),
      `${pods} answered with Secret x`,
    ],
  ])('gives nothing but what it was asked for: %s', async (script, message) => {
    const { kubectl } = kubectlWith(`case $2 in pods) ${script};; *) ${none};; esac`);
    const read = readCluster(kubectl);
    await expect(read).rejects.toMatchObject({ code: 'invalid-manifest', message });
  });

  const forbidden =
    'Error from server (Forbidden): pods is forbidden: User "viewer" cannot list pods (login)';
  const unknown = 'the cluster does not know pods';
  const internal = 'Error from server (InternalError): an error on the server ("unknown")';
  it.each([
    [forbidden, 'not-permitted', forbidden],
    [`error: the server doesn't have a resource type "pods"`, 'absent', unknown],
    ['Error from server (NotFound): the server could not find the requested resource', 'absent', unknown],
    [internal, 'failed', internal],
    // What another program says is not shown, and tells nothing of the server.
    ['net/http: timed out. The connection to the server was refused', 'failed', 'it ended with 1'],
  ])('may not give a kind: %s', async (said, status, detail) => {
    const { kubectl } = kubectlWith(`case $2 in pods) ${says(said)};; *) ${none};; esac`);
    const { unseen } = await readCluster(kubectl);
    expect([...unseen]).toEqual([['Pod', { status, source: 'deployment', detail }]]);
  });

  it.each([
    'error: You must be logged in to the server (Unauthorized)',
    'Unable to connect to the server: getting credentials: exec: executable aws failed with exit code 255',
    'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?',
    'Error from server: etcdserver: request timed out',
  ])('may not answer at all, and is asked once: %s', async (said) => {
    const { kubectl, runs } = kubectlWith(says(said));
    await expect(readCluster(kubectl)).rejects.toMatchObject({
      code: 'unreadable-source',
      message: `kubectl cannot read the cluster: ${said}`,
      hint: 'Check --context, and that kubectl get pods works here.',
    });
    expect(runs()).toHaveLength(1);
  });
});

describe('what kubectl says', () => {
  it.each([
    ['error: first\nE1122 memcache.go\nError from server: last\nwarning: more', 'Error from server: last'],
    [
      'Unable to connect to the server: Get "https://me:secret@host/api"',
      'Unable to connect to the server: Get "https://host/api"',
    ],
    [`error: ${'é'.repeat(400)}`, `error: ${'é'.repeat(293)}`],
    [`error: ${'x'.repeat(292)} y`, `error: ${'x'.repeat(292)}`],
    ['secret', 'it ended with 3'],
  ])('is one line: %s', async (said, fault) => {
    const { kubectl } = kubectlWith(says(said, 3));
    await expect(findCluster(kubectl)).rejects.toThrow(`kubectl has no such context: ${fault}`);
  });

  it('is in English, and by no settings of its own', async () => {
    const { kubectl } = kubectlWith('echo "$KUBERC $KUBECTL_KUBERC $LC_ALL $MINE"; cat');
    const env = { ...kubectl.env, KUBERC: 'mine', KUBECTL_KUBERC: 'true', LC_ALL: 'de_DE', MINE: 'kept' };
    const { stdout } = await runKubectl({ ...kubectl, env }, ['get']);
    expect(stdout).toBe('off false C kept\n');
  });

  it.each<[string, string, object]>([
    ['sleep 60', 'takes too long', { code: 'timeout', message: 'kubectl get took longer than 1.5 s' }],
    ['yes', 'has no end', { code: 'too-large', message: 'kubectl get printed more than 16777216 bytes' }],
    [
      'kill -9 $$',
      'is killed',
      { code: 'unreadable-source', message: 'cannot run kubectl: it was ended by SIGKILL' },
    ],
  ])('is nothing where %s: it %s', async (script, _, fault) => {
    const { kubectl } = kubectlWith(script);
    const run = runKubectl({ ...kubectl, timeoutMs: script === 'sleep 60' ? 1500 : timeoutMs }, ['get']);
    await expect(run).rejects.toMatchObject(fault);
  });

  it.each(['sleep 60', 'exec yes'])('ends what it ran: %s', async (script) => {
    const { kubectl } = kubectlWith(`echo $$ > "$ASIDE/pid"; ${script.replace(/^(?:exec )?/, 'exec ')}`);
    const file = join(kubectl.env.ASIDE, 'pid');
    let pid = 0;
    // Until it lasts longer than what runs there takes to begin.
    for (let timeoutMs = 1500; pid === 0; timeoutMs *= 2) {
      await expect(runKubectl({ ...kubectl, timeoutMs }, ['get'])).rejects.toBeInstanceOf(LightspanError);
      pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    }
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive).toBe(false);
  });

  it('is nothing where it may not be run', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'kubectl'), '');
    await expect(runKubectl({ env: { PATH: folder }, ...nowhere }, ['get'])).rejects.toMatchObject({
      message: 'cannot run kubectl: spawn kubectl EACCES',
    });
  });

  it('is nothing without it', async () => {
    await expect(runKubectl({ env: { PATH: '/nowhere' }, ...nowhere }, ['get'])).rejects.toMatchObject({
      code: 'unreadable-source',
      message: 'cannot run kubectl: there is no program of that name',
      hint: expect.stringContaining('--manifests'),
    });
  });
});

describe('the keys of Secrets', () => {
  it.each([
    ['bi', ' --namespace=bi'],
    [null, ''],
  ])('are printed without their values: in %s', async (namespace, option) => {
    const { kubectl, runs } = kubectlWith(
      `case "$*" in *\\ secrets/a*) printf 'K_1.x-y\\nEMPTY empty\\n';; *) exit 1;; esac`,
    );
    const [secret, ...more] = await readSecretKeys({ ...kubectl, namespace }, ['a', 'b']);
    expect(more).toEqual([]);
    expect(secret).toMatchObject({
      ...{ group: '', kind: 'Secret', name: 'a', namespace, live: true },
      value: { data: { 'K_1.x-y': 'set', EMPTY: '' } },
    });
    const template = '{{range $key, $value := .data}}{{$key}}{{if not $value}} empty{{end}}{{"\\n"}}{{end}}';
    const output = `--output=go-template=${template}`;
    expect(runs().join('\n')).toBe(
      ['a', 'b'].map((name) => `get ${output} secrets/${name}${option}`).join('\n'),
    );
  });

  it.each(['a key', 'x=1', 'EMPTY empty ', `${'k'.repeat(254)}`])('are no such line: %s', async (line) => {
    const { kubectl } = kubectlWith(`echo ${quoted(line)}`);
    await expect(readSecretKeys(kubectl, ['s'])).rejects.toMatchObject({
      code: 'invalid-manifest',
      message: 'kubectl get secrets s printed something that is not a key',
    });
  });
});
