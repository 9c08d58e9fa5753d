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

/** Lightdash, by the name that mirrors keep, and most who make an image from it. */
export function isLightdashImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_.])lightdash$/.test(lastPartOf(repository));
}

export function isDatabaseImage({ repository }: Pick<ImageFact, 'repository'>): boolean {
  return /(?:^|[-_.])(?:postgres|postgresql|pgvector|postgis|timescaledb|timescaledb-ha|postgresql-repmgr|spilo-\d+)$/.test(
    lastPartOf(repository),
  );
}

function lastPartOf(repository: string | null): string {
  return (repository ?? '').split('/').at(-1) ?? '';
}
