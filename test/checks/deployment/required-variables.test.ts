import { describe, expect, it } from 'vitest';
import { requiredVariables } from '../../../src/checks/deployment/required-variables.js';
import { describeFinding } from '../../../src/checks/describe.js';
import { runChecks } from '../../../src/checks/run-checks.js';
import type { ContainerFact, PodFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  backendWith,
  chartValuesOf,
  composedAt,
  containerOf,
  deployedAt,
  emptyLiterals,
  fromSecret,
  imageOf,
  literals,
  migrationJobWith,
  seenThrough,
  serverWith,
  workerWith,
} from '../../support/deployment.js';
import { foundBy, inputOf, itFinds, type Situation } from '../../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;
type Told = Partial<ContainerFact>;

const storage = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'];
const own = (...names: string[]): Told => ({ variables: literals(...names) });
const all = own('LIGHTDASH_SECRET', ...storage);
const secret = own('LIGHTDASH_SECRET');
const from = (object: string, ...keys: string[]): Told => ({
  ...own(...storage),
  variablesFrom: [fromSecret(object, keys)],
});
const unseen: Told = { variables: [], variablesFrom: [fromSecret('env', null)] };
const hidden = (values: Parameters<typeof chartValuesOf>[0], version: string | null = '2.16.361'): Facts => ({
  workloads: [serverWith(all)],
  chartValues: chartValuesOf({ migrationJobEnabled: true, ...values }),
  helm: { release: 'bi', namespace: 'bi', chart: 'lightdash', chartVersion: version },
});
const empty: Told = {
  variables: [...literals('LIGHTDASH_SECRET', 'S3_BUCKET', 'S3_REGION'), ...emptyLiterals('S3_ENDPOINT')],
};

const ofOtherChart: Facts = {
  helm: { release: 'bi', namespace: 'bi', chart: 'bi-platform', chartVersion: '2.16.361' },
  stated: { 'migration-job': 'on' },
};

const pods = (...workloads: WorkloadFact[]): Facts => ({ workloads });
const secretsOf = (ofPods: string, ofJob: string) =>
  pods(serverWith(from(ofPods, 'LIGHTDASH_SECRET')), migrationJobWith(from(ofJob, 'LIGHTDASH_SECRET')));
const after = (told: Told) =>
  pods(
    backendOf('2.0.0', {
      containers: [containerOf('2.0.0', { ...told, init: true }), containerOf('2.0.0', all)],
    }),
  );
/** The pods of the backend, as a cluster has them while they run a release. */
const running = (...told: Partial<PodFact & { version: string; ready: boolean }>[]): PodFact[] =>
  told.map(({ version = '2.0.0', ready = true, ...pod }, i) => ({
    ...{ name: `pod-${i}`, namespace: 'lightdash', workload: 'lightdash-backend' },
    ...{ phase: 'Running', ending: false },
    containers: [
      {
        ...{ name: 'lightdash', init: false, image: imageOf(version) },
        ...{ ready, restarts: 0, reason: null, lastReason: null, lastExitCode: null },
      },
    ],
    ...pod,
  }));
const runningUnseen = (...told: Parameters<typeof running>) => ({
  ...pods(backendWith(unseen)),
  pods: running(...told),
});
const jobHas = { migrationJobVariables: ['LIGHTDASH_SECRET', ...storage] };
const inherits = { migrationJobInheritsGlobalEnv: true };

const stop = (workload: string) => `stop variable-missing ${workload}`;
const nats = (...names: string[]): Told => own('LIGHTDASH_SECRET', ...storage, ...names);
const byConfigMap = (version: string | null, told: Parameters<typeof chartValuesOf>[0] = {}): Facts =>
  hidden(
    {
      variables: [...storage, 'NATS_ENABLED'],
      migrationJobVariables: ['LIGHTDASH_SECRET', ...storage],
      ...told,
    },
    version,
  );
/** The same, with the switch as it was read. */
const switched = (on: boolean, ...names: string[]): Told => ({
  variables: [
    ...(nats(...names).variables ?? []),
    ...literals('NATS_ENABLED').map((one) => ({ ...one, on })),
  ],
});
const natsIn = (switches: { NATS_ENABLED?: boolean }, more: Told = all): Told => ({
  ...more,
  variablesFrom: [{ origin: 'config-map', object: 'env', prefix: '', keys: ['NATS_ENABLED'], switches }],
});
const natsWorker = (replicas: number) => ({
  ...workerWith(nats('NATS_ENABLED', 'NATS_URL')),
  component: 'warehouse-nats-worker',
  replicas,
});
const noUrl = (workload: string) => `warn nats-url-missing ${workload}`;
const notTold = 'not-checked facts-not-seen';
const other = 'warn job-has-other-secret LIGHTDASH_SECRET';

describe('required variables', () => {
  itFinds(requiredVariables, (facts: Facts) => ({ facts: { ...deployedAt('2.0.0'), ...facts } }), {
    'stop job-has-no-secret secretRefs.migration.name': {
      'are not named for the job': {
        ...pods(serverWith(all), migrationJobWith(all)),
        chartValues: chartValuesOf({ migrationJobEnabled: true, migrationJobSecretNamed: false }),
      },
    },
    'ok required-set': {
      'are set': {},
      'are named for the job': {
        ...pods(serverWith(all), migrationJobWith(all)),
        chartValues: chartValuesOf({ migrationJobEnabled: true, migrationJobSecretNamed: true }),
      },
      'are in a Secret that was not seen, with which the running release has started': runningUnseen({}, {}),
      'are in a Secret that was not seen, beside a pod that was evicted': runningUnseen(
        {},
        { phase: 'Failed', ready: false, version: '1.9.0' },
      ),
      'are NATS_URL in a Secret that was not seen, with which the running release has started': {
        ...pods(backendWith({ ...unseen, ...nats('NATS_ENABLED') })),
        pods: running({}),
      },
      'are not named where no job is on': {
        ...pods(serverWith(all)),
        chartValues: chartValuesOf({ migrationJobEnabled: false, migrationJobSecretNamed: false }),
      },
      'are not asked of what runs before': after({ ...own(), starts: 'other' }),
      'are the secrets of the chart': secretsOf('bi', 'bi-migration-secrets'),
      'are the secret that the chart makes for the job, for both': secretsOf(
        'bi-migration-secrets',
        'bi-migration-secrets',
      ),
      'are one secret for both': secretsOf('corp', 'corp'),
      'of a job that was not seen are its own': hidden(jobHas),
      'of a job that was not seen are inherited': hidden(inherits),
      'are NATS_URL in the job, and it has both': pods(
        serverWith(all),
        natsWorker(1),
        migrationJobWith(nats('NATS_ENABLED', 'NATS_URL')),
      ),
      'are no NATS_URL where NATS_ENABLED is false': pods(serverWith(switched(false)), workerWith(all)),
      'are no NATS_URL where the ConfigMap of the chart switches NATS off': pods(
        serverWith(natsIn({ NATS_ENABLED: false })),
        natsWorker(0),
        migrationJobWith(natsIn({ NATS_ENABLED: false })),
      ),
      'are no NATS_URL where NATS_ENABLED is empty': pods(
        serverWith({ variables: [...(all.variables ?? []), ...emptyLiterals('NATS_ENABLED')] }),
      ),
      'are no NATS_URL where values switch NATS off': byConfigMap('2.10.180', {
        switches: { NATS_ENABLED: false },
      }),
      'are no NATS_URL without NATS_ENABLED': pods(serverWith(all), natsWorker(1), migrationJobWith(all)),
      'of a job that was not seen have the NATS_URL of the chart': byConfigMap('2.10.181'),
      'of a job that was not seen have NATS_URL of their own': byConfigMap('2.10.180', {
        migrationJobVariables: ['LIGHTDASH_SECRET', ...storage, 'NATS_URL'],
      }),
      'of a job that was not seen have NATS_URL of the values': byConfigMap('2.10.180', {
        variables: ['NATS_ENABLED', 'NATS_URL'],
      }),
    },
    [stop('Deployment lightdash-backend')]: {
      'are missing in the backend': pods(backendWith(secret)),
      'are empty': pods(backendWith(empty)),
      'are empty in a Secret': pods(
        backendWith({
          ...own(...storage),
          variablesFrom: [{ ...fromSecret('env', ['LIGHTDASH_SECRET']), emptyKeys: ['LIGHTDASH_SECRET'] }],
        }),
      ),
      'are without the secret': pods(backendWith(own(...storage))),
      'are missing in what migrates before': after({ ...secret, starts: 'migration' }),
    },
    [stop('Deployment lightdash-worker')]: {
      'are missing in a worker': pods(backendWith(all), workerWith(secret)),
    },
    [stop('Job lightdash-migrate')]: {
      'are missing in the job': pods(serverWith(all), migrationJobWith(secret)),
    },
    [notTold]: {
      'may be in a Secret that was not seen': pods(backendWith(unseen)),
      'may be in a Secret that was not seen, without a pod': runningUnseen(),
      'may be in a Secret that was not seen, where one pod is not ready': runningUnseen({}, { ready: false }),
      'may be in a Secret that was not seen, where one pod ends': runningUnseen({}, { ending: true }),
      'may be in a Secret that was not seen, where a pod runs another release': runningUnseen(
        {},
        { version: '1.9.0' },
      ),
      'may be in a Secret that was not seen, where the pods are of another workload': runningUnseen({
        workload: 'lightdash-worker',
      }),
      'may be in a Secret that was not seen, where the pods are of another namespace': runningUnseen({
        namespace: 'other',
      }),
      'may be in a Secret that was not seen, where the Deployment is paused': {
        ...pods({ ...backendWith(unseen), suspended: true }),
        pods: running({}),
      },
      'may be in a Secret that was not seen, where the workloads are still to be applied': {
        deployment: seenThrough(deployedAt('2.0.0'), { origin: 'rendered' }).deployment,
        ...runningUnseen({}),
      },
      'may be in a Secret of the job that was not seen, whatever the pods have': {
        ...pods(serverWith(all), migrationJobWith(unseen)),
        pods: running({}),
      },
      'are set in part, and the rest may be in a Secret that was not seen': pods(
        backendWith({ ...unseen, ...secret }),
      ),
      'are in pods that were not seen': pods(),
      'of a job that was not seen are not known to be inherited where the chart is not told': hidden(
        { ...inherits, existingSecret: 'corp' },
        null,
      ),
      'of a job of another chart may be set, whatever its values are named': {
        ...hidden(jobHas),
        ...ofOtherChart,
      },
      'of a job that was not seen are in its Secret': hidden({ migrationJobExistingSecret: 'x' }),
      'of a job that was not seen are those of the chart': hidden({}),
      'of a job that was not seen reach it in part': hidden({
        existingSecret: 'corp',
        variables: storage,
        migrationJobVariables: ['LIGHTDASH_SECRET'],
      }),
      'are NATS_URL, which may be in a Secret that was not seen': pods(
        serverWith({ ...unseen, ...nats('NATS_ENABLED') }),
        migrationJobWith(all),
      ),
      'of a job that was not seen have NATS_URL where the chart is not told': byConfigMap(null),
      'of a job that was not seen may have NATS_URL in its Secret': byConfigMap('2.10.180', {
        migrationJobExistingSecret: 'x',
      }),
      'of a job of which nothing is told': { workloads: [serverWith(all)], chartValues: 'absent' },
      'of a job of which no values are told': {
        workloads: [serverWith(all)],
        chartValues: 'absent',
        stated: { 'migration-job': 'on' },
      },
    },
    [`${stop('Deployment lightdash-worker')}; ${notTold}`]: {
      'are missing in one, and may be in another': pods(backendWith(unseen), workerWith(secret)),
    },
    [other]: {
      'are one secret of the pods and another of the job': secretsOf('corp', 'bi-migration-secrets'),
    },
    [`${stop('migrationJob')}; ${other}`]: {
      'of a job that was not seen are not inherited in that chart': hidden(
        { ...inherits, existingSecret: 'corp' },
        '2.14.0',
      ),
      'of a job that was not seen do not reach it': hidden({ existingSecret: 'corp' }),
    },
    [noUrl('Job lightdash-migrate')]: {
      'are NATS_URL in the job, if NATS is on': pods(
        serverWith(nats('NATS_ENABLED', 'NATS_URL')),
        migrationJobWith(nats('NATS_ENABLED')),
      ),
    },
    'stop nats-url-missing migrationJob': {
      'of a job that was not seen are without NATS_URL, and values switch NATS on': byConfigMap('2.10.180', {
        switches: { NATS_ENABLED: true },
      }),
    },
    'stop nats-url-missing Deployment lightdash-backend': {
      'are NATS_URL, where NATS_ENABLED is true': pods(serverWith(switched(true))),
      'are NATS_URL, where a ConfigMap switches NATS on': pods(serverWith(natsIn({ NATS_ENABLED: true }))),
      'are NATS_URL, where a variable overrides the ConfigMap': pods(
        serverWith(natsIn({ NATS_ENABLED: false }, switched(true))),
      ),
    },
    'stop nats-url-missing Job lightdash-migrate': {
      'are NATS_URL in the job, where NATS is on for certain': pods(
        serverWith(nats('NATS_ENABLED', 'NATS_URL')),
        natsWorker(1),
        migrationJobWith(nats('NATS_ENABLED')),
      ),
    },
    [noUrl('Deployment lightdash-backend')]: {
      'are NATS_URL, where a ConfigMap has another value': pods(serverWith(natsIn({}))),
      'are NATS_URL, where an object that was not seen may override the ConfigMap': pods(
        serverWith({
          variables: [...(all.variables ?? []), ...emptyLiterals('NATS_URL')],
          variablesFrom: [...(natsIn({ NATS_ENABLED: false }).variablesFrom ?? []), fromSecret('env', null)],
        }),
      ),
      'are NATS_URL, where workers of NATS are switched off': pods(
        serverWith(nats('NATS_ENABLED')),
        natsWorker(0),
      ),
      'are a NATS_URL that is empty': pods(
        serverWith({ variables: [...(nats('NATS_ENABLED').variables ?? []), ...emptyLiterals('NATS_URL')] }),
        natsWorker(0),
      ),
    },
    [noUrl('migrationJob')]: { 'of a job that was not seen are without NATS_URL': byConfigMap('2.10.180') },
  });

  it.each([
    ['0.1622.9', ['ok required-set']],
    ['0.1623.0', ['stop variable-missing service lightdash']],
    ['0.1781.9', ['stop variable-missing service lightdash']],
    ['0.1782.0', ['ok required-set']],
    ['0.3050.9', ['ok required-set']],
    ['0.3051.0', ['stop variable-missing service lightdash']],
  ])('are no object storage of compose before %s', (to, found) => {
    const facts = composedAt('0.1600.0', { containers: [containerOf('0.1600.0', secret)] });
    expect(foundBy(requiredVariables, { from: '0.1600.0', to, facts })).toEqual(found);
  });

  it.each([
    ['0.3050.0', ['not-checked facts-not-seen']],
    ['0.3051.0', ['ok required-set']],
  ])('are in a Secret that was not seen where %s needed them as well', (from, found) => {
    const workload = backendOf(from, { containers: [containerOf(from, unseen)] });
    const facts = { ...deployedAt(from), workloads: [workload], pods: running({ version: from }) };
    expect(foundBy(requiredVariables, { from, to: '0.3060.0', facts })).toEqual(found);
  });

  it('are to be set where docker compose reads them', () => {
    const facts = composedAt('0.3000.0', { containers: [containerOf('0.3000.0', secret)] });
    const input = inputOf({
      from: '0.3000.0',
      to: '0.3051.0',
      facts,
      releases: [{ version: '0.3000.0' }, { version: '0.3051.0' }],
    });
    const remedies = runChecks([requiredVariables], input).findings.map(
      (finding) => describeFinding(finding as Parameters<typeof describeFinding>[0]).remedy?.text,
    );
    expect(remedies).toEqual([expect.stringContaining('in .env, or under environment')]);
    expect(remedies.join()).not.toMatch(/pod|values/);
  });

  it('are required of a hidden job of that chart version', () => {
    const facts = { ...deployedAt('0.1600.0'), ...hidden({ existingSecret: 'corp' }) };
    expect(foundBy(requiredVariables, { from: '0.1600.0', to: '0.1622.0', facts })).toEqual([other]);
  });
});
