import type { ContainerFact } from './deployment-facts.js';

/**
 * How a variable of a container is set, as far as was seen. `given`: it is set, but its value was not seen and may be
 * empty. `not-told`: something that was not seen may set it to a value, and nothing that was seen does.
 */
export type GivenVariable = 'set' | 'empty' | 'given' | 'unset' | 'not-told';

/**
 * A variable set on its own takes precedence over all keys of an object; among several of the latter, the last counts.
 */
export function givenVariable(
  { variables, variablesFrom }: Pick<ContainerFact, 'variables' | 'variablesFrom'>,
  name: string,
): GivenVariable {
  const own = variables.findLast((variable) => variable.name === name);
  if (own !== undefined) return stateOf(own.empty);
  let outdone = false;
  for (const { keys, emptyKeys, prefix } of variablesFrom.toReversed()) {
    if (!name.startsWith(prefix)) continue;
    const key = name.slice(prefix.length);
    if (keys?.includes(key)) {
      const state = stateOf(emptyKeys === undefined ? null : emptyKeys.includes(key));
      if (!outdone) return state;
      return state === 'empty' ? 'not-told' : 'given';
    }
    outdone ||= keys === null;
  }
  return outdone ? 'not-told' : 'unset';
}

function stateOf(isEmpty: boolean | null): 'set' | 'empty' | 'given' {
  return isEmpty === null ? 'given' : isEmpty ? 'empty' : 'set';
}
