import type { ObservedFacts } from '../facts/facts-schema.js';
import type { Edition } from './release-line.js';

/** Whether the instance has a licence key, as a person states it. */
export function statedEdition({ stated }: Pick<ObservedFacts, 'stated'>): Edition {
  const edition = stated?.status === 'seen' ? stated.value.edition : undefined;
  return edition === 'community' || edition === 'enterprise' ? edition : undefined;
}
