import { howToSeeDeployment, type Need, needs } from '../facts/needs.js';
import { sentence } from '../render/phrase.js';
import { listNames } from '../render/words/lists.js';
import type { MissingNeed } from './finding.js';

/** If no facts of the deployment were requested, its parts are not listed one by one. */
export function withoutMissingParts(missing: readonly MissingNeed[]): readonly MissingNeed[] {
  const asked = missing.every(({ need, why }) => need !== 'deployment' || why !== 'not-asked');
  return missing.filter(
    ({ need, why }) => asked || need === 'deployment' || !isPartOfDeployment(need) || why !== 'not-asked',
  );
}

function isPartOfDeployment(need: Need): boolean {
  return needs[need].of === 'deployment' && need !== 'deployment';
}

/** What was not seen and why, without a full stop. */
export function describeMissing({ need, why, detail, names = [] }: MissingNeed): string {
  const said = detail === undefined ? '' : ` (${detail}${names.length === 0 ? '' : `: ${listNames(names)}`})`;
  // They are always asked for.
  const words = need === 'artifacts' && why === 'not-asked' ? 'not all were found' : whyWords[why];
  return `${needs[need].label}: ${words}${said}`;
}

/** What several checks lack, each thing once: that no database was read says it of all that is in one. */
export function describeLacking(missing: readonly MissingNeed[]): string[] {
  const ofDatabase = ({ need, why, detail }: MissingNeed) =>
    why === 'not-asked' && detail === undefined && needs[need].otherwise === undefined;
  const others = missing.filter((one) => !ofDatabase(one));
  return [
    ...(others.length < missing.length ? ['no database was read'] : []),
    ...new Set(withoutMissingParts(others).map(describeMissing)),
  ];
}

const whyWords: Record<MissingNeed['why'], string> = {
  'not-asked': 'not asked for',
  'not-permitted': 'not permitted to see',
  absent: 'not there',
  timeout: 'took too long',
  failed: 'could not be read',
  unsafe: 'not read, because that could run code with your rights',
};

/** How to make all of it visible, each advice once. */
export function adviseOn(missing: readonly MissingNeed[], how: (missing: MissingNeed) => string): string {
  return `${sentence([...new Set(withoutMissingParts(missing).map(how))].join('; '))}.`;
}

/** How to make it visible to a preflight, without a full stop. */
export function howToSee({ need, why, detail }: MissingNeed): string {
  const { right, otherwise, resources } = needs[need];
  if (need === 'deployment' && why === 'not-asked' && detail === undefined) {
    return `give ${howToSeeDeployment}; --only database leaves the deployment out`;
  }
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: try the upgrade on a copy of the database';
  }
  if (why === 'not-permitted' && resources !== undefined) {
    return `let your user of kubectl get and list ${resources}; the page of this command has the least privileged Role for it`;
  }
  if (need === 'workloads' && why === 'absent') {
    return 'check --namespace and --release, and that what was read is the deployment of Lightdash';
  }
  if (need === 'snapshots' && why === 'absent') {
    return 'check yourself that there is a backup of today: one made elsewhere is not seen from here';
  }
  if (need === 'migrator' && (why === 'absent' || why === 'failed')) {
    return 'name the role that migrates with --migrating-role, where facts are collected';
  }
  // If the server refused it, the server's message says so.
  if (need === 'migrator' && why === 'not-permitted' && detail === undefined) {
    return 'connect as a role without a limit of its own, with an address that sets none';
  }
  if (otherwise !== undefined) return `give ${otherwise}`;
  switch (why) {
    case 'not-asked':
      return 'give --database, or --facts with a file that contains it';
    case 'not-permitted':
      return `grant the collecting role ${right ?? 'the right to see it'}; --grants prints all it needs`;
    case 'absent':
      return 'check the address, and the schema of the collecting role';
    case 'timeout':
      return 'try again at a quiet time';
    case 'failed':
      return 'try again, and check what the server says';
    case 'unsafe':
      return 'find out who made it, and why; a release makes tables without such code';
  }
}

/** How to make it visible after an upgrade: only with options that exist then, and without steps to try beforehand. */
export function howToSeeAfterwards(missing: MissingNeed): string {
  const { need, why } = missing;
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: what it has migrated cannot be checked';
  }
  if (why === 'not-permitted' && (isPartOfDeployment(need) || need === 'deployment')) {
    const what = needs[need].resources ?? needs.workloads.resources;
    return `let your user of kubectl get and list ${what}; the page of upgrade-preflight has the least privileged Role for it`;
  }
  if (why === 'not-permitted') {
    const { right = 'the right to see it' } = needs[need];
    return `grant the collecting role ${right}; lightspan upgrade-preflight --grants prints all it needs`;
  }
  const isToBeFound = need === 'workloads' && why === 'absent';
  if (need === 'deployment' || (isPartOfDeployment(need) && !isToBeFound)) {
    return 'give --kubernetes, or --manifests with what kubectl prints of workloads and pods';
  }
  return howToSee(missing);
}
