import { type DeployKind, isDeployKind } from '../instance/facts/fact-names.js';
import { conditionFacts } from '../instance/facts/known-facts.js';
import { isValuesFile } from '../pins/pin-pattern.js';
import type { Pin } from '../pins/yaml/pin-at.js';
import type { FactsInFile } from '../question/evidence.js';
import type { ReadFacts } from './sources/read-facts.js';

/**
 * What deploys it, by what is stated, by what was seen, or else by the files that pin: those of docker compose, such as its
 * `.env`, or values of the chart. Of any others, nothing is known.
 */
export function deployedBy(
  stated: FactsInFile['stated'],
  facts: ReadFacts | undefined,
  pinned: readonly Pin[],
): DeployKind | undefined {
  const by = stated.get('deployed-by') ?? (facts && conditionFacts(facts.file.facts).get('deployed-by'));
  if (isDeployKind(by)) return by;
  if (pinned.length > 0 && pinned.every((pin) => pin.isOfCompose)) return 'compose';
  return pinned.length > 0 && pinned.every(({ file }) => isValuesFile(file)) ? 'helm' : undefined;
}
