import { howToSeeDeployment, type MissingFact, type Need, needs } from '../../instance/facts/needs.js';
import { capitalize, listNames } from '../phrase.js';

/** Each fact that a check lacked, and why: `sizes of tables: no permission to read (orders, users)`. */
export function describeMissingFacts(missing: readonly MissingFact[]): readonly string[] {
  return [...new Set(withoutMissingParts(missing).map(describeMissingFact))];
}

/** Without the parts of a deployment where no deployment was requested at all: one line says it of all of them. */
export function withoutMissingParts(missing: readonly MissingFact[]): readonly MissingFact[] {
  const isPart = ({ need, why }: MissingFact) => why === 'not-asked' && needs[need].of === 'deployment';
  const [ofDeployment] = missing.filter((fact) => fact.need === 'deployment' && isPart(fact));
  return ofDeployment === undefined
    ? missing
    : missing.filter((fact) => fact.need === 'deployment' || !isPart(fact));
}

function describeMissingFact({ need, why, detail, names = [] }: MissingFact): string {
  const about =
    detail === undefined ? '' : ` (${detail}${names.length === 0 ? '' : `: ${listNames(names)}`})`;
  // Artifacts are always looked for, so those that are missing were not found.
  const words = need === 'artifacts' && why === 'not-asked' ? 'not all were found' : whyWords[why];
  return `${needs[need].label}: ${words}${about}`;
}

/**
 * The facts that several checks lacked, each once. Facts of the database that nobody requested are one line, `no
 * database was read`.
 */
export function summarizeMissingFacts(missing: readonly MissingFact[]): string[] {
  const others = missing.filter(
    ({ need, why, detail }) =>
      why !== 'not-asked' || detail !== undefined || needs[need].otherwise !== undefined,
  );
  return [
    ...(others.length < missing.length ? ['no database was read'] : []),
    ...new Set(withoutMissingParts(others).map(describeMissingFact)),
  ];
}

const whyWords: Record<MissingFact['why'], string> = {
  'not-asked': 'not requested',
  'not-permitted': 'no permission to read',
  absent: 'not found',
  timeout: 'took too long',
  failed: 'could not be read',
  unsafe: 'not read: reading it could run code with your rights',
  old: 'too old',
};

/** One sentence with what to do about each missing fact, by `how`: `howToSee`, or `howToSeeAfterwards`. */
export function adviseOn(missing: readonly MissingFact[], how: (missing: MissingFact) => string): string {
  return `${capitalize([...new Set(withoutMissingParts(missing).map(how))].join('; '))}.`;
}

type Advice = { readonly [Missing in Need]?: { readonly [Why in MissingFact['why']]?: string } };

const nameRole = 'where facts are collected, name the role that migrates with --migrating-role';

/** What to do about one need that was not seen for one reason. */
const ownAdvice: Advice = {
  artifacts: {
    absent: 'a backfilled release never had an artifact: try the upgrade on a copy of the database',
  },
  workloads: {
    absent: 'check --namespace and --release, and that this is the deployment of Lightdash',
    failed:
      'see why; a kind of object that is not read, such as a Rollout of Argo, has to be checked by hand, and --only ' +
      'database leaves the deployment out',
  },
  snapshots: {
    absent:
      'make sure that there is a backup from today: one made elsewhere is stated with --fact backup=<time>',
  },
  migrator: { absent: nameRole, failed: nameRole },
};

/** As `ownAdvice`, but only where the source gave no detail, such as an error, that says more than this. */
const adviceWithoutDetail: Advice = {
  deployment: { 'not-asked': `pass ${howToSeeDeployment}; --only database leaves the deployment out` },
  migrator: {
    'not-permitted': 'connect as a role without limits of its own, by an address that sets none',
  },
};

const adviceByReason: Record<Exclude<MissingFact['why'], 'not-permitted'>, string> = {
  'not-asked': 'pass --database, or --facts with a file that contains it',
  absent: 'check the address, and the schema of the collecting role',
  timeout: 'try again at a quiet time',
  failed: 'try again, and check what the server says',
  unsafe: 'find out who made it, and why: no release makes tables with such code',
  old: 'collect the facts again; --max-age says how old they may be',
};

/** How to make it visible to a preflight, without a full stop. */
export function howToSee({ need, why, detail }: MissingFact): string {
  const { of, right = 'the right to see it', otherwise, resources = needs.workloads.resources } = needs[need];
  const advice =
    ownAdvice[need]?.[why] ?? (detail === undefined ? adviceWithoutDetail[need]?.[why] : undefined);
  if (advice !== undefined) return advice;
  if (why === 'not-permitted' && of === 'deployment') {
    return (
      `let your user of kubectl get and list ${resources}; the page of upgrade-preflight has the least ` +
      'privileged Role for it'
    );
  }
  if (otherwise !== undefined) return `pass ${otherwise}`;
  return why === 'not-permitted'
    ? `grant the collecting role ${right}; lightspan upgrade-preflight --grants prints all it needs`
    : adviceByReason[why];
}

/** How to make it visible after an upgrade: only with options that exist then, and without steps to try beforehand. */
export function howToSeeAfterwards(missing: MissingFact): string {
  const { need, why } = missing;
  if (need === 'artifacts' && why === 'absent') {
    return 'a backfilled release never had an artifact: what it migrated cannot be checked';
  }
  const isToBeFound = need === 'workloads' && why === 'absent';
  if (needs[need].of === 'deployment' && why !== 'not-permitted' && !isToBeFound) {
    return 'pass --kubernetes, or --manifests with what kubectl prints of workloads and pods';
  }
  return howToSee(missing);
}
