import type { ContainerFact } from '../facts/deployment-facts.js';
import { type GivenVariable, givenVariable } from '../facts/given-variable.js';
import type { LightdashContainer } from '../facts/lightdash-containers.js';
import type { Lacking } from './check.js';
import { nameOf } from './workloads.js';

/**
 * Whether a variable of a container is set. A variable whose value was not seen counts as set: a reference to a key of
 * a Secret is meant to set it, and Secrets are not read unless you ask for it.
 */
export function stateOfVariable(container: ContainerFact, name: string): Exclude<GivenVariable, 'given'> {
  const state = givenVariable(container, name);
  return state === 'given' ? 'set' : state;
}

/** The object that a variable comes from; undefined if its value is written out, or nothing that was seen sets it. */
export function objectOfVariable(container: ContainerFact, name: string): string | undefined {
  const own = container.variables.findLast((variable) => variable.name === name);
  if (own !== undefined) return own.object ?? undefined;
  return container.variablesFrom.findLast(
    ({ prefix, keys }) => name.startsWith(prefix) && keys?.includes(name.slice(prefix.length)),
  )?.object;
}

/** Objects that set variables of a container, and were not seen. */
export function unseenObjects({ variablesFrom }: ContainerFact): readonly string[] {
  return variablesFrom.filter(({ keys }) => keys === null).map(({ origin, object }) => `${origin} ${object}`);
}

/** Reports that the variables of some containers are not known. */
export function lackingVariables(of: readonly LightdashContainer[]): Lacking {
  const objects = new Set(
    of.flatMap(({ workload, container }) =>
      unseenObjects(container).map((object) => `${object}, for ${nameOf(workload)}`),
    ),
  );
  return { lacks: 'variables', why: 'not-asked', detail: [...objects].join('; ') };
}
