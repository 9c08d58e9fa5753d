import type { ImageFact } from '../../facts/deployment-facts.js';
import { parseImageReference } from '../image-reference.js';

/** An image as a workload names it. */
export function imageFact(reference: string, pullPolicy: string | null): ImageFact {
  const { registry, repository, tag, digest } = parseImageReference(reference);
  return {
    reference,
    registry: registry ?? null,
    repository: repository ?? null,
    tag: tag ?? null,
    digest: digest ?? null,
    pullPolicy,
  };
}

export function isDatabaseImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_./])(?:postgres|postgresql|pgvector|postgis|timescaledb|timescaledb-ha|postgresql-repmgr|spilo-\d+)$/.test(
    repository ?? '',
  );
}
