import { describe } from 'vitest';
import { environment } from '../../../src/checks/deployment/environment.js';
import type { ContainerFact, WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  backendWith,
  composedAt,
  containerOf,
  deployedAt,
  emptyLiterals,
  fromSecret,
  literals,
  migrationJobWith,
  workerWith,
} from '../../support/deployment.js';
import { itFinds, type Situation } from '../../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;
type Told = Partial<ContainerFact>;

const own = (...names: string[]): Told => ({ variables: literals(...names) });
const unseen = (...names: string[]): Told => ({ ...own(...names), variablesFrom: [fromSecret('env', null)] });
const pods = (...workloads: WorkloadFact[]): Facts => ({ ...deployedAt('2.0.0'), workloads });

const changing = (...changes: readonly object[]): Situation => ({
  releases: [
    { version: '2.0.0' },
    { version: '2.1.0', artifact: { config: { checked: true, breaking: true, changes } } },
    { version: '2.2.0' },
  ],
});
const removed = changing({ type: 'removed', name: 'OLD', previousDefault: 'x' });
const renamed = changing({ type: 'renamed', name: 'NEW', previousName: 'OLD', defaultValue: null });
const renamedTwice = changing(
  { type: 'renamed', name: 'MIDDLE', previousName: 'OLD', defaultValue: null },
  { type: 'renamed', name: 'NEW', previousName: 'MIDDLE', defaultValue: null },
);
const another = changing({
  type: 'defaultChanged',
  name: 'PAGE',
  previousDefault: '500',
  defaultValue: '5000',
});
const notTold = 'not-checked facts-not-seen';

describe('environment variables', () => {
  itFinds(environment, ([way, facts]: readonly [Situation, Facts]) => ({ ...way, facts }), {
    'ok environment-kept': {
      'are kept': [changing(), pods(backendWith(own('OLD')))],
      'are kept where none that is set is changed': [removed, pods(backendWith(own('X')))],
      'are renamed, and both names are set': [renamed, pods(backendWith(own('OLD', 'NEW')))],
      'are renamed, and the new name alone is set': [renamed, pods(backendWith(own('NEW')))],
      'are renamed, and set by none': [renamed, pods(backendWith(own()))],
      'have another default, and are set': [another, pods(backendWith(own('PAGE')), migrationJobWith(own()))],
      'are kept where nothing is told of Secrets': [changing(), pods(backendWith(unseen()))],
    },
    'warn variable-removed OLD': {
      'are removed': [removed, pods(backendWith(own('OLD')))],
      'are removed, and a worker sets them': [removed, pods(backendWith(own()), workerWith(own('OLD')))],
      'are removed, and set to nothing': [removed, pods(backendWith({ variables: emptyLiterals('OLD') }))],
      'of compose are removed': [
        removed,
        composedAt('2.0.0', { containers: [containerOf('2.0.0', own('OLD'))] }),
      ],
    },
    [notTold]: {
      'are removed, and may be set': [removed, pods(backendWith(unseen()))],
      'are renamed, and the new name may be set': [renamed, pods(backendWith(unseen('OLD')))],
      'are renamed, and the old name may be set': [renamed, pods(backendWith(unseen('NEW')))],
      'have another default, and may be set': [another, pods(backendWith(unseen()))],
      'are set by nobody who was seen': [changing(), pods()],
      'are changed in what an artifact does not tell': [
        {
          releases: [
            { version: '2.0.0' },
            { version: '2.1.0', artifact: { config: { checked: false, breaking: false, changes: [] } } },
          ],
        },
        pods(backendWith(own())),
      ],
      'are changed in what artifacts do not know': [
        {
          releases: ['2.0.0', '2.1.0', '2.2.0'].map((version) => ({
            version,
            artifact: { config: { checked: true, breaking: 'unknown', changes: [] } },
          })),
        },
        pods(backendWith(own())),
      ],
    },
    [`${notTold}; warn variable-removed OLD`]: {
      'are removed, set, and may be set elsewhere': [
        removed,
        pods(backendWith(own('OLD')), workerWith(unseen())),
      ],
    },
    [`stop variable-renamed NEW; ${notTold}`]: {
      'are renamed, set, and may be set elsewhere': [
        renamed,
        pods(backendWith(own('OLD')), workerWith(unseen())),
      ],
    },
    'stop variable-renamed NEW': {
      'are renamed twice, and OLD is set': [renamedTwice, pods(backendWith(own('OLD')))],
      'are renamed twice, and MIDDLE is set': [renamedTwice, pods(backendWith(own('MIDDLE')))],
      'are renamed': [renamed, pods(backendWith(own('OLD')))],
      'are renamed, and the new name is set elsewhere': [
        renamed,
        pods(backendWith(own('OLD')), workerWith(own('OLD', 'NEW'))),
      ],
    },
    'warn variable-has-new-default PAGE': { 'have another default': [another, pods(backendWith(own()))] },
    [`${notTold}; warn variable-has-new-default PAGE`]: {
      'have another default for one that does not set them': [
        another,
        pods(backendWith(unseen()), workerWith(own())),
      ],
    },
    'warn variable-change-unknown 2.1.0': {
      'are changed in a way that is not known': [
        changing({ type: 'typeChanged', name: 'X' }),
        pods(backendWith(own())),
      ],
    },
    'not-checked artifacts-not-seen': {
      'are changed in a release without an artifact': [
        { releases: [{ version: '2.0.0' }, { version: '2.1.0', artifact: 'missing' }] },
        pods(backendWith(own())),
      ],
    },
  });
});
