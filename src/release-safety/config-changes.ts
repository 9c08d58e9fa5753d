import type { ConfigChange } from './artifact-schema.js';
import type { FoldedConfigChanges, NetConfigChange, VariableDefault } from './report-results.js';
import type { Version } from './version.js';

export type { FoldedConfigChanges, NetConfigChange, VariableDefault };

/** One change of an environment variable, and the release that made it. */
export interface ReleasedConfigChange {
  readonly version: Version;
  readonly change: ConfigChange;
}

/**
 * Folds the changes of a span into their net effect: a rename after a rename is one rename, a default that was changed
 * and changed back is no change, a variable that was renamed and then removed is removed.
 *
 * A variable is followed by the name it has at the time. A variable that is removed and named again later was added
 * again in between: additions break nothing, so artifacts do not list them. A rename keeps the default unless it states
 * another.
 *
 * @param released oldest first
 */
export function foldConfigChanges(released: readonly ReleasedConfigChange[]): FoldedConfigChanges {
  const variables: Variable[] = [];
  const unrecognised: { version: Version; change: Readonly<Record<string, unknown>> }[] = [];
  for (const { version, change } of released) {
    if (change.type === 'unrecognised') {
      unrecognised.push({ version, change: change.change });
      continue;
    }
    for (const variable of findVariables(variables, change)) {
      if (variable.versions.at(-1) !== version) variable.versions.push(version);
      apply(variable, change);
    }
  }
  return { changes: variables.flatMap((variable) => netChange(variable) ?? []), unrecognised };
}

type KnownChange = Exclude<ConfigChange, { type: 'unrecognised' }>;

interface Variable {
  /** Oldest first; the last is its current name. */
  names: string[];
  removed: boolean;
  /** Whether any release after the first stated a default. */
  defaultTold: boolean;
  firstDefault: VariableDefault;
  defaultNow: VariableDefault;
  versions: Version[];
}

/**
 * The variables that a change is about: those that have the name now, else those that had it when they were removed.
 */
function findVariables(variables: Variable[], change: KnownChange): Variable[] {
  const name = change.type === 'renamed' ? change.previousName : change.name;
  const bearing = variables.filter(({ names }) => names.at(-1) === name);
  const alive = bearing.filter(({ removed }) => !removed);
  if (alive.length > 0) return alive;
  if (bearing.length > 0) return bearing;
  // A name that another variable gave up belongs, from then on, to a variable that was added within the span.
  if (variables.some(({ names }) => names.includes(name))) return [];
  const variable: Variable = {
    names: [name],
    removed: false,
    defaultTold: false,
    firstDefault: undefined,
    defaultNow: undefined,
    versions: [],
  };
  variables.push(variable);
  return [variable];
}

function apply(variable: Variable, change: KnownChange): void {
  const untouched = !variable.defaultTold && variable.firstDefault === undefined;
  switch (change.type) {
    case 'removed':
      variable.removed = true;
      if (untouched) {
        variable.firstDefault = change.previousDefault;
        variable.defaultNow = change.previousDefault;
      }
      return;
    case 'renamed':
      variable.removed = false;
      variable.names.push(change.name);
      if (change.defaultValue === undefined) return;
      if (untouched) variable.firstDefault = change.defaultValue;
      else variable.defaultTold = true;
      variable.defaultNow = change.defaultValue;
      return;
    case 'defaultChanged':
      variable.removed = false;
      if (untouched) variable.firstDefault = change.previousDefault;
      variable.defaultTold = true;
      variable.defaultNow = change.defaultValue;
  }
}

function netChange(variable: Variable): NetConfigChange | undefined {
  const { names, removed, defaultTold, firstDefault, defaultNow, versions } = variable;
  const name = names.at(-1) ?? '';
  const formerNames = [...new Set(names)].filter((former) => removed || former !== name);
  const net = { formerNames, name, previousDefault: firstDefault, defaultValue: defaultNow, versions };
  if (removed) return { ...net, type: 'removed', defaultValue: undefined };
  if (names[0] !== name) return { ...net, type: 'renamed' };
  // Two defaults that are not stated may differ.
  const changedBack = firstDefault !== undefined && firstDefault === defaultNow;
  if (defaultTold && !changedBack) return { ...net, type: 'defaultChanged' };
  return undefined;
}

/** Splits net changes into those that concern an operator who sets the variables of these names, and the rest. */
export function splitByNames(
  changes: readonly NetConfigChange[],
  names: ReadonlySet<string>,
): { readonly set: readonly NetConfigChange[]; readonly others: readonly NetConfigChange[] } {
  const isSet = ({ formerNames, name, type }: NetConfigChange) =>
    formerNames.some((former) => names.has(former)) || (type === 'defaultChanged' && names.has(name));
  return { set: changes.filter(isSet), others: changes.filter((change) => !isSet(change)) };
}
