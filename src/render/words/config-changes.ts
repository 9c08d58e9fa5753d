import type { NetConfigChange, VariableDefault } from '../../release-safety/changes.js';

/** What happened to an environment variable, and what the operator who sets it must do. */
const netChangeWords: Record<
  NetConfigChange['type'],
  { describe(change: NetConfigChange): string; remedy(change: NetConfigChange): string }
> = {
  removed: {
    describe: ({ formerNames, name }) => {
      const former = formerNames[0] ?? name;
      return `${former} removed${former === name ? '' : ` (called ${name} by then)`}`;
    },
    remedy: ({ formerNames }) => `remove ${formerNames.join(' or ')}: nothing reads it any more`,
  },
  renamed: {
    describe: (change) => {
      const { formerNames, name, previousDefault, defaultValue } = change;
      const defaults = previousDefault === defaultValue ? '' : ` (default ${describeDefaults(change)})`;
      return `${formerNames[0] ?? name} renamed to ${name}${defaults}`;
    },
    remedy: ({ formerNames, name }) => `set ${name} instead of ${formerNames.join(' or ')}`,
  },
  defaultChanged: {
    describe: (change) => `${change.name} has another default: ${describeDefaults(change)}`,
    remedy: ({ name }) => `nothing, if your value is meant: what you set for ${name} outweighs the default`,
  },
};

export function describeNetChange(change: NetConfigChange): string {
  return netChangeWords[change.type].describe(change);
}

/** What the operator who sets the variable must do. */
export function describeWhatToChange(change: NetConfigChange): string {
  return netChangeWords[change.type].remedy(change);
}

function describeDefaults({ previousDefault, defaultValue }: NetConfigChange): string {
  return `${showDefault(previousDefault)}, now ${showDefault(defaultValue)}`;
}

function showDefault(value: VariableDefault): string {
  if (value === undefined) return 'not reported';
  return value === null ? 'none' : JSON.stringify(value);
}
