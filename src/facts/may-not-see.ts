import type { DeploymentFact } from './deployment-facts.js';

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
