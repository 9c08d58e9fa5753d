/** What names an image: `[registry/]repository[:tag][@digest]`, each part as it is written. */
export interface ImageReference {
  /** Such as `ghcr.io` or `registry:5000`. */
  readonly registry: string | undefined;
  /** Without the registry, such as `lightdash/lightdash`. */
  readonly repository: string | undefined;
  readonly tag: string | undefined;
  /** Such as `sha256:9f86…`. */
  readonly digest: string | undefined;
}

/** Takes an image reference apart. A text without `/` and `:` is the name of an image, not a tag. */
export function parseImageReference(text: string): ImageReference {
  const { name, tag, digest } = splitReference(text);
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  // As container tools tell them apart: a registry has a dot or a port, or is this machine.
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  return {
    registry: hasRegistry ? first : undefined,
    repository: hasRegistry ? name.slice(slash + 1) : name,
    tag,
    digest,
  };
}

/** The same of what may be a tag alone: `1.214.0` and `1.214.0@sha256:…` have no name. */
export function parseTagOrReference(text: string): ImageReference {
  const { name, tag, digest } = splitReference(text);
  if (tag === undefined && !name.includes('/')) {
    return { registry: undefined, repository: undefined, tag: name, digest };
  }
  return parseImageReference(text);
}

function splitReference(text: string) {
  const at = text.indexOf('@');
  const front = at === -1 ? text : text.slice(0, at);
  const colon = front.indexOf(':', front.lastIndexOf('/') + 1);
  return {
    name: colon === -1 ? front : front.slice(0, colon),
    tag: colon === -1 ? undefined : front.slice(colon + 1),
    digest: at === -1 ? undefined : text.slice(at + 1),
  };
}
