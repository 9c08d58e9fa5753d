import type { ImageFact } from './facts/deployment-facts.js';

/** An image reference: `[registry/]repository[:tag][@digest]`, each part as written. */
export interface ImageReference {
  /** For example `ghcr.io` or `registry:5000`. */
  readonly registry: string | undefined;
  /** Without the registry, for example `lightdash/lightdash`. */
  readonly repository: string | undefined;
  readonly tag: string | undefined;
  /** For example `sha256:9f86…`. */
  readonly digest: string | undefined;
}

/** Parses an image reference. A text without `/` and `:` is the name of an image, not a tag. */
export function parseImageReference(text: string): ImageReference {
  const [front, digest] = splitAtIndex(text, text.indexOf('@'));
  const [name, tag] = splitAtIndex(front, front.indexOf(':', front.lastIndexOf('/') + 1));
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  // The rule of container tools: a registry has a dot or a port, or is this machine.
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  return {
    registry: hasRegistry ? first : undefined,
    repository: hasRegistry ? name.slice(slash + 1) : name,
    tag,
    digest,
  };
}

/** Parses a tag that may have a digest: `1.214.0@sha256:…`. */
export function parseTag(text: string): ImageReference {
  const [tag, digest] = splitAtIndex(text, text.indexOf('@'));
  return { registry: undefined, repository: undefined, tag: tag === '' ? undefined : tag, digest };
}

/** Parses either of them: here, a text without `/` and `:` is a tag. */
export function parseTagOrReference(text: string): ImageReference {
  return /^[^@]*[:/]/.test(text) ? parseImageReference(text) : parseTag(text);
}

/** The text before and after the character at `index`; without one, all of it is before. */
function splitAtIndex(text: string, index: number): [string, string | undefined] {
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

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
  return /(?:^|[-_./])(?:postgres|postgresql|pgvector|postgis|timescaledb|timescaledb-ha|postgresql-repmgr|spilo-\d+|postgresql-\d+(?:-\w+)?)$/.test(
    repository ?? '',
  );
}

/**
 * The major version of PostgreSQL that a tag names, such as `15.4`, `16-alpine` or `0.8.0-pg17`, or the image itself:
 * `postgresql-16-c9s`, `spilo-16`.
 */
export function majorOfImage({ tag, repository }: Pick<ImageFact, 'tag' | 'repository'>): number | undefined {
  const [, ofName] = /(?:^|\/)(?:postgresql|spilo)-(\d{1,2})(?:-\w+)?$/.exec(repository ?? '') ?? [];
  const [, behind] = /(?:^|[-._])pg(\d{1,2})(?!\d)/.exec(tag ?? '') ?? [];
  const [, before] =
    repository?.includes('pgvector') === true ? [] : (/^v?(\d{1,2})(?!\d)/.exec(tag ?? '') ?? []);
  const major = Number(ofName ?? behind ?? before);
  // Before 10, two numbers made a major version; no release of Lightdash starts on such a version.
  return major >= 10 ? major : undefined;
}
