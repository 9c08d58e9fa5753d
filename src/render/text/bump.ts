import type { Bump } from '../../release-safety/bump.js';
import { printable } from '../printable.js';
import { capped } from '../words/lists.js';
import { nextOfRefusedBump, whyAndNext } from '../words/next.js';
import { describeBlock, describeReason } from '../words/reasons.js';

/** What happened to the pin, for a person. */
export function renderBump(
  { result, decision, blockedBy, stops }: Bump,
  {
    pin,
    otherPlaces,
    check,
  }: { readonly pin: string; readonly otherPlaces: readonly string[]; readonly check: boolean },
): string {
  const { fromVersion, toVersion } = result;
  const name = printable(pin);
  const moves = check ? 'would move' : 'moved';
  const to = `${moves} from ${fromVersion} to ${toVersion}`;
  const withIt = otherPlaces.length === 0 ? '' : ` With it: ${printable(otherPlaces.join(', '))}.`;
  switch (decision) {
    case 'rolling':
      return `${name} ${to} (RollingUpdate: old and new pods may overlap).${withIt}\n`;
    case 'recreate':
      return `${name} ${to} (RECREATE, not proven to roll: back up the database, plan a downtime, and stop the old pods before the new ones start).${withIt}\n`;
    case 'at-target':
      return `${name} stays at ${fromVersion}: there is nothing to move to.\n`;
    case 'refused':
      if (stops.length > 0) {
        return `${name} stays at ${fromVersion}: the facts of the instance stop the upgrade to ${toVersion}.\n`;
      }
      return [
        `${name} stays at ${fromVersion}: ${toVersion === fromVersion ? 'no release is' : `${toVersion} is not`} proven to be reached in one rolling step.`,
        ...describeRefusal({ result, blockedBy }),
        '',
      ].join('\n');
  }
}

function describeRefusal({ result, blockedBy }: Pick<Bump, 'result' | 'blockedBy'>): string[] {
  const against = blockedBy === null ? result.reasons : [blockedBy];
  const why =
    blockedBy === null
      ? result.reasons.map((reason) => describeReason(reason, result.fromVersion))
      : [describeBlock(blockedBy)];
  return [
    ...capped(why, 10).map((line) => `  - ${line}`),
    ...whyAndNext(
      against.map(({ kind }) => kind),
      nextOfRefusedBump,
    ),
  ];
}
