import { expect, it } from 'vitest';
import type { ObservedFacts } from '../../src/facts/facts-schema.js';
import { knownEdition } from '../../src/instance/ledger.js';
import { readObjects } from '../../src/sources/deployment/kubernetes-object.js';
import { manifestFacts } from '../../src/sources/deployment/manifest-facts.js';
import { asYaml, chartObjects } from '../support/manifests.js';
import { seenAt } from '../support/preflight.js';

const deployed: ObservedFacts = manifestFacts({
  objects: readObjects(asYaml(chartObjects({ chart: '2.16.101', app: '1.237.0' })), 'x'),
  sources: ['x'],
  lookedAt: null,
  seenAt,
});
const stated = (edition: string): ObservedFacts => ({
  stated: { status: 'seen', value: { edition }, seenAt, source: 'stated' },
});

it.each<[string, ObservedFacts, string | undefined]>([
  ['nothing', {}, undefined],
  ['a person', stated('enterprise'), 'enterprise'],
  ['a deployment', deployed, 'community'],
  ['a person before a deployment', { ...deployed, ...stated('enterprise') }, 'enterprise'],
])('is told by %s', (_, facts, edition) => {
  expect(knownEdition(facts)).toBe(edition);
});
