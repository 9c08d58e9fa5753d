import { compact } from '../../shared/compact.js';
import { firstOf } from '../../words/lists.js';
import { countOf } from '../../words/phrase.js';
import { renderLines } from './messages.js';

interface FoundPlace {
  readonly file: string;
  readonly path: readonly string[];
}

/** Where the pins of a change were looked for, and what was found. */
export function renderPinSearch({
  before,
  after,
  searched,
  notRead,
}: {
  readonly before: readonly FoundPlace[];
  readonly after: readonly FoundPlace[];
  readonly searched: readonly string[];
  readonly notRead: readonly string[];
}): string {
  const places = [...new Set([...after, ...before].map(({ file, path }) => `${file}#${path.join('.')}`))];
  const line = (lead: string, names: readonly string[]) =>
    names.length > 0 && `${lead}: ${firstOf(names, 10)}`;
  return renderLines(
    compact(
      searched.length + places.length === 0 && 'No file of this change can pin Lightdash.',
      line(`Searched ${countOf(searched.length, 'file')} of the change for pins of Lightdash`, searched),
      line(`Found ${countOf(places.length, 'pin')}`, places),
      line('Not read, because it is no plain YAML', notRead),
    ),
  );
}
