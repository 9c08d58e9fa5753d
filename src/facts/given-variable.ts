import type { ContainerFact } from './deployment-facts.js';

/**
 * How a container is given a variable, as far as that was seen. `given`: it is set, and to what was not seen, which may be
 * nothing. `not-told`: something that was not seen may set it to more than nothing, and nothing that was seen does.
 */
export type GivenVariable = 'set' | 'empty' | 'given' | 'unset' | 'not-told';

/** What is set by itself counts before all keys of an object; of several of these the last counts. */
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
