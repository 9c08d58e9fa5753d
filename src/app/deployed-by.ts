import { type DeployKind, isDeployKind } from '../instance/facts/fact-names.js';
import { conditionFacts } from '../instance/facts/known-facts.js';
import { isEnv } from '../pins/kinds/variables.js';
import { isValuesFile } from '../pins/pin-pattern.js';
import type { Pin } from '../pins/yaml/pin-at.js';
import type { FactsInFile } from '../question/evidence.js';
import type { ReadFacts } from './sources/read-facts.js';

/** What deploys it, by what is stated, by what was seen, or else by the files that pin. */
export function deployedBy(
  stated: FactsInFile['stated'],
  facts: ReadFacts | undefined,
  pinned: readonly Pin[],
): DeployKind | undefined {
  return deployedByFacts(stated, facts) ?? deployedByFiles(pinned);
}

/** Whether docker compose deploys a pin of a change: its file says it first, as a change may be of several instances. */
export function isPinOfCompose(
  { file, path }: Pick<Pin, 'file' | 'path'>,
  stated: FactsInFile['stated'],
  facts: ReadFacts | undefined,
): boolean {
  const isOfCompose = path[0] === 'services' || isEnv(file);
  return (deployedByFiles([{ file, isOfCompose }]) ?? deployedByFacts(stated, facts)) === 'compose';
}

function deployedByFacts(
  stated: FactsInFile['stated'],
  facts: ReadFacts | undefined,
): DeployKind | undefined {
  const by = stated.get('deployed-by') ?? (facts && conditionFacts(facts.file.facts).get('deployed-by'));
  return isDeployKind(by) ? by : undefined;
}

/** Those of docker compose, such as its `.env`, or values of the chart. Of any others, nothing is known. */
function deployedByFiles(pinned: readonly Pick<Pin, 'file' | 'isOfCompose'>[]): DeployKind | undefined {
  if (pinned.length === 0) return undefined;
  if (pinned.every((pin) => pin.isOfCompose)) return 'compose';
  return pinned.every(({ file }) => isValuesFile(file)) ? 'helm' : undefined;
}
