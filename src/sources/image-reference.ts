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
  const [front, digest] = splitAt(text, text.indexOf('@'));
  const [name, tag] = splitAt(front, front.indexOf(':', front.lastIndexOf('/') + 1));
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

/** Takes a tag apart that may have a digest: `1.214.0@sha256:…`. */
export function parseTag(text: string): ImageReference {
  const [tag, digest] = splitAt(text, text.indexOf('@'));
  return { registry: undefined, repository: undefined, tag: tag === '' ? undefined : tag, digest };
}

/** Either of them: a text without `/` and `:` is a tag here. */
export function parseTagOrReference(text: string): ImageReference {
  return /^[^@]*[:/]/.test(text) ? parseImageReference(text) : parseTag(text);
}

/** What is before and behind the character at `index`; all of it is before where there is none. */
function splitAt(text: string, index: number): [string, string | undefined] {
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
