import type { DeploymentFact } from './deployment-facts.js';

/** The value of a fact; undefined if it was not seen, for whatever reason. */
export function seenValue<T>(
  fact: { readonly status: string; readonly value?: T } | undefined,
): T | undefined {
  return fact?.status === 'seen' ? fact.value : undefined;
}

/** Whether objects of a kind were requested and may not be read. */
export function mayNotSee({ unseenKinds }: DeploymentFact, ...kinds: readonly string[]): boolean {
  const wanted = new Set(kinds.map(plainKind));
  return unseenKinds.some((kind) => wanted.has(plainKind(kind)));
}

/** A kind may be written as a resource: `deployments.apps`. */
function plainKind(kind: string): string {
  return kind
    .toLowerCase()
    .replace(/[.].*$/, '')
    .replace(/s$/, '');
}
