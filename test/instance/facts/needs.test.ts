import { expect, it } from 'vitest';
import type { DeploymentFact } from '../../../src/instance/facts/deployment-facts.js';
import { factKeysOf, isFactKey, mayNotSee } from '../../../src/instance/facts/needs.js';

it('every fact has one source, and a need that is no fact has none', () => {
  expect(factKeysOf('stated')).toEqual(['stated']);
  const [ofDatabase, ofDeployment] = [factKeysOf('database'), factKeysOf('deployment')];
  expect([ofDatabase[0], ofDatabase.at(-1)]).toEqual(['server', 'sortRate']);
  expect([ofDeployment[0], ofDeployment.at(-1)]).toEqual(['deployment', 'compose']);
  expect([isFactKey('ledger'), isFactKey('stated'), isFactKey('artifacts')]).toEqual([true, true, false]);
});

it.each([
  [['Deployment'], true],
  [['deployments.apps'], true],
  [['jobs.batch', 'DaemonSet'], true],
  [['Statefulset', 'pods', 'sDeployment'], false],
  [[], false],
])('of %j unseen, a Deployment or a DaemonSet may not be seen: %s', (unseenKinds, expected) => {
  const deployment = { unseenKinds } as Partial<DeploymentFact> as DeploymentFact;
  expect(mayNotSee(deployment, 'Deployment', 'DaemonSet')).toBe(expected);
});
