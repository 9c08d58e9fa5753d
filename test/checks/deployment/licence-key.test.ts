import { describe, expect, it } from 'vitest';
import { licenceKey } from '../../../src/checks/deployment/licence-key.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
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
  migrationJobOf,
  migrationJobWith,
  serverWith,
  workerWith,
} from '../../support/deployment.js';
import { foundBy, itFinds, type Situation } from '../../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;
type Told = Partial<ContainerFact>;

const key = 'LIGHTDASH_LICENSE_KEY';
const own: Told = { variables: literals(key) };
const none: Told = { variables: [] };
const empty: Told = { variables: emptyLiterals(key) };
const from = (object: string, ...keys: string[]): Told => ({
  variables: [],
  variablesFrom: [fromSecret(object, keys)],
});
const unseen = (object: string): Told => ({ variables: [], variablesFrom: [fromSecret(object, null)] });
/** Of several objects that set a variable the last counts. */
const emptyBefore = (object: string, keys: string[] | null = null): Told => ({
  variables: [],
  variablesFrom: [{ ...fromSecret('a', [key]), emptyKeys: [key] }, fromSecret(object, keys)],
});
const prefixed = (prefix: string, keys: string[] | null): Told => ({
  variables: [],
  variablesFrom: [{ ...fromSecret('a', keys), prefix }],
});

const full = (object: string) => fromSecret(object, [key]);
const emptied = (object: string) => ({ ...full(object), emptyKeys: [key] });
const of = (...variablesFrom: ContainerFact['variablesFrom']): Told => ({ variables: [], variablesFrom });

/** Jobs that have the key, and are not the one of an upgrade. */
const nightly = { ...migrationJobWith(own), kind: 'CronJob', hook: null, schedule: '0 3 * * *' } as const;
const former = migrationJobOf('1.9.0', {
  ...{ hook: null, succeeded: 1 },
  containers: [containerOf('1.9.0', { name: 'migrate', starts: 'migration', ...own })],
});
const proxy = containerOf('2.0.0', {
  ...{ ...none, name: 'proxy', starts: 'other' },
  image: imageOf('1.0.0', { reference: 'acme/lightdash/proxy:1.0.0', repository: 'acme/lightdash/proxy' }),
});
const renamed = (told: Told) =>
  containerOf('2.0.0', {
    ...{ starts: 'server', entrypointReplaced: true, ...told },
    image: imageOf('2.0.0', { reference: 'acme/bi:2.0.0', repository: 'acme/bi' }),
  });
const withJob = (pods: Told, ofJob: Told): Facts => ({
  workloads: [serverWith(pods), migrationJobWith(ofJob)],
});
const hidden = (
  pods: Told,
  values: Parameters<typeof chartValuesOf>[0],
  more: readonly WorkloadFact[] = [],
  chartVersion: string | null = '2.16.361',
): Facts => ({
  workloads: [serverWith(pods), ...more],
  chartValues: chartValuesOf({ migrationJobEnabled: true, ...values }),
  helm: { release: 'bi', namespace: 'bi', chart: 'lightdash', chartVersion },
});

const stop = 'stop licence-not-in-migrator Job lightdash-migrate';
const hiddenStop = 'stop licence-not-in-migrator migrationJob';
const notTold = 'not-checked facts-not-seen';

describe('the licence key', () => {
  itFinds(licenceKey, (facts: Facts) => ({ facts: { ...deployedAt('2.0.0'), ...facts } }), {
    'ok no-licence': {
      'is nowhere': withJob(none, none),
      'is nowhere that counts': withJob(empty, none),
      'is in the job alone': withJob(none, own),
      'is empty in a Secret, whatever is in one that counts behind it': withJob(
        of(fromSecret('a', null), emptied('b')),
        none,
      ),
      'cannot be what has another prefix': withJob(prefixed('OTHER_', null), none),
      'is empty in an object, and is not in the other': withJob(emptyBefore('b', []), none),
    },
    'ok licence-where-needed': {
      'is in both': withJob(own, from('b', key)),
      'is set in the last Secret that has it': withJob(own, of(emptied('a'), full('b'))),
      'may be in what both are given': withJob(unseen('a'), unseen('a')),
      'may be in what both are given, and is not in what was seen beside it': withJob(
        of(fromSecret('x', []), fromSecret('a', null)),
        unseen('a'),
      ),
      'is in the job, and may be in the pods': withJob(unseen('a'), own),
      'may be in pods that migrate': { workloads: [backendWith(unseen('a'))] },
      'reaches it by its own variables': hidden(own, { migrationJobVariables: [key] }),
      'reaches it by inheritance': hidden(own, { migrationJobInheritsGlobalEnv: true }),
    },
    [stop]: {
      'is in the pods alone': withJob(own, none),
      'is in the pods alone, by a Secret': withJob(from('a', 'X', key), from('b', 'X')),
      'is empty in the job': withJob(own, empty),
      'is empty in the last Secret that has it': withJob(own, of(full('a'), emptied('b'))),
      'has a prefix before it': withJob(prefixed('LIGHTDASH_', ['LICENSE_KEY']), none),
      'is in the container of an image that is called otherwise, beside one that is called after Lightdash': {
        workloads: [backendOf('2.0.0', { containers: [proxy, renamed(own)] }), migrationJobWith(none)],
      },
    },
    [notTold]: {
      'is empty in a Secret, and may be in one that counts before it': withJob(
        of(emptied('a'), fromSecret('b', null)),
        none,
      ),
      'may be in what the job is given': withJob(own, unseen('b')),
      'may be in what the pods are given': withJob(unseen('a'), none),
      'is empty in an object, and may be in one that counts before that': withJob(emptyBefore('b'), none),
      'may be in what only one is given': withJob(unseen('a'), unseen('b')),
      'may be in what only one is given, as a Secret and not as a ConfigMap': withJob(
        unseen('a'),
        of({ ...fromSecret('a', null), origin: 'config-map' }),
      ),
      'may be in what only one is given with that prefix': withJob(prefixed('LIGHTDASH_', null), unseen('a')),
      'may be in what is given to the pods beside what both are given': withJob(
        of(fromSecret('a', null), fromSecret('b', null)),
        unseen('a'),
      ),
      'is in no pod that was seen': { workloads: [] },
      'reaches it perhaps by inheritance': hidden(own, { migrationJobInheritsGlobalEnv: true }, [], null),
      'reaches it perhaps by its Secret': hidden(own, { migrationJobExistingSecret: 'x' }),
      'reaches it perhaps by the secrets of the chart': hidden(own, { variables: [key] }),
      'may be in pods, and does not reach the job': hidden(unseen('a'), {}),
    },
    'stop licence-not-in-migrator Deployment lightdash-backend': {
      'is in a worker alone': { workloads: [backendWith(none), workerWith(own)] },
    },
    [hiddenStop]: {
      'does not reach a job that was not seen': hidden(own, {}),
      'reaches what a clock starts, and no job that was not seen': hidden(own, {}, [nightly]),
      'reached a job of before, and reaches none that was not seen': hidden(own, {}, [former]),
      'does not reach it by inheritance that the chart does not know': hidden(
        own,
        { migrationJobInheritsGlobalEnv: true },
        [],
        '2.14.9',
      ),
    },
  });

  it('is in nothing that was not seen, of a community instance', () => {
    const facts = { ...deployedAt('2.0.0'), ...withJob(unseen('a'), none) };
    expect(foundBy(licenceKey, { edition: 'community', facts })).toEqual(['ok no-licence']);
  });

  it('is where the one service of compose has it', () => {
    const facts = composedAt('2.0.0', { containers: [containerOf('2.0.0', own)] });
    expect(foundBy(licenceKey, { facts })).toEqual(['ok licence-where-needed']);
  });
});
