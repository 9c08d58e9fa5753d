import type { AppliedNote } from '../core/results.js';
import { compact } from '../core/text/compact.js';
import { printable } from '../core/text/printable.js';
import type { Version } from '../core/version.js';
import { upgradeNotesUrl } from '../core/words/release.js';
import type { Demands } from './demands.js';

/** What stands above all remarks: the majors, then how far what is known reaches. */
export function linesOfDemands({ majors, notes, beyond }: Demands): string[] {
  return compact(
    majors.map((major) => `Crosses ${describeMajor(major, notes)}; ${upgradeNotesUrl}`),
    beyond &&
      `Nothing is known here of problems found in releases after ${beyond.version} (as of ${beyond.asOf}): a newer lightspan, or --known-issues, may bring records of them.`,
  );
}

/** `3.0.0 (a major: the publisher asks for an action): …` */
export function describeMajor(major: Version, notes: readonly AppliedNote[]): string {
  const known = notes.filter(({ version }) => version === major);
  const what = known.length === 0 ? 'which one is not known here' : known.map(describeNote).join('; ');
  return `${major} (a major: the publisher asks for an action): ${what}`;
}

function describeNote({ id, summary, notKnown }: AppliedNote): string {
  const may = notKnown.length === 0 ? '' : ', which may concern you';
  return printable(`note ${id}${may}: ${summary.replace(/\.$/, '')}`);
}
