import type { ObservedFacts } from '../facts/facts-schema.js';
import { toldByDeployment } from '../facts/told-by-deployment.js';
import type { Edition } from './release-line.js';

/** Whether the instance has a licence key, as a person states it, or else as its deployment tells. */
export function knownEdition(facts: ObservedFacts): Edition {
  const { stated } = facts;
  const edition =
    (stated?.status === 'seen' ? stated.value.edition : undefined) ?? toldByDeployment(facts).get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : undefined;
}
