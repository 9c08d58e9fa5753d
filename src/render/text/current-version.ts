import { printable } from '../printable.js';

/** The running version and where it was found, for a person. */
export function renderCurrentVersion({
  version,
  source,
}: {
  readonly version: string;
  readonly source: string;
}): string {
  return `Current version: ${version}, from ${printable(source)}\n`;
}

/** The version that `latest` stands for: in an old index, it is an older one. */
export function renderLatest(version: string): string {
  return `Target: latest; the newest release in this index is ${version}\n`;
}
