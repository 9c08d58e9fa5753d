import type { ContainerFact } from '../facts/deployment-facts.js';
import type { LightdashContainer } from '../facts/lightdash-containers.js';
import type { Lacking } from './check.js';
import { nameOf } from './workloads.js';

/** `empty`: set to nothing. `not-told`: nothing that was seen sets it, and something that was not seen may. */
export type VariableState = 'set' | 'empty' | 'unset' | 'not-told';

/** Whether a container is given a variable. */
export function stateOfVariable(container: ContainerFact, name: string): VariableState {
  const own = container.variables.findLast((variable) => variable.name === name);
  if (own !== undefined) return own.empty === true ? 'empty' : 'set';
  const sources = container.variablesFrom.filter(({ prefix }) => name.startsWith(prefix));
  const source = sources.findLast(({ prefix, keys }) => keys?.includes(name.slice(prefix.length)));
  if (source !== undefined) {
    return source.emptyKeys?.includes(name.slice(source.prefix.length)) === true ? 'empty' : 'set';
  }
  return sources.some(({ keys }) => keys === null) ? 'not-told' : 'unset';
}

/** The object that a variable comes from; undefined where it is written out, or nothing that was seen sets it. */
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

/** That it is not told which variables some containers are given. */
export function lackingVariables(of: readonly LightdashContainer[]): Lacking {
  const objects = new Set(
    of.flatMap(({ workload, container }) =>
      unseenObjects(container).map((object) => `${object}, for ${nameOf(workload)}`),
    ),
  );
  return { lacks: 'variables', why: 'not-asked', detail: [...objects].join('; ') };
}
