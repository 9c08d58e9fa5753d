import { factsOfDeployment } from '../facts/facts-of-deployment.js';
import type { ObservedFacts } from '../facts/facts-schema.js';
import { seenValue } from '../facts/seen-value.js';
import type { Edition } from './release-line.js';

/** Whether the instance has a licence key, as a person states it, or else as its deployment shows it. */
export function knownEdition(facts: ObservedFacts): Edition {
  const edition = seenValue(facts.stated)?.edition ?? factsOfDeployment(facts).get('edition');
  return edition === 'community' || edition === 'enterprise' ? edition : undefined;
}
