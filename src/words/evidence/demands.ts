import type { AppliedNote } from '../../core/results.js';
import { isMajorWithoutNote, majorsWithoutNote } from '../../core/span.js';
import { compact } from '../../core/text/compact.js';
import { printable } from '../../core/text/printable.js';
import type { Version } from '../../core/version.js';
import type { Demands } from '../../known-issues/demands.js';
import { countOf, listNames } from '../phrase.js';
import { upgradeNotesUrl } from './release.js';

/** What stands above all remarks: the majors, then how far what is known reaches. */
export function linesOfDemands({ majors, notes, beyond, laterStops }: Demands, isBeside = false): string[] {
  const whatToDo = (major: Version) => {
    const ofMajor = notes.filter(({ version }) => version === major).map(describeNote);
    const known = ofMajor[0] ? 'the publisher asks you to act' : 'nothing is known of it here';
    const act = isMajorWithoutNote(major)
      ? ` for which the publisher's notes list nothing to do (read ${majorsWithoutNote.readOn})`
      : `: ${known}; read ${upgradeNotesUrl}`;
    return isBeside ? act : [act, ...ofMajor].join('; ');
  };
  return compact(
    [...new Set(majors.map(whatToDo))].map((todo) => {
      const same = majors.filter((major) => whatToDo(major) === todo);
      return `Crosses ${same.join(', ')}, a major${same[1] ? ' each' : ''}${todo}`;
    }),
    laterStops.map(
      ({ stop, demandedBy }) =>
        `Warning: ${listNames(demandedBy)} ${demandedBy.length === 1 ? 'requires' : 'require'} the stop ${stop} first, ` +
        'which is later than the target (span rule 3): nothing can satisfy that; lightspan index verify shows it',
    ),
    beyond &&
      `Nothing is known here of problems found in releases after ${beyond.version} (as of ${beyond.asOf}): a ` +
        'newer lightspan, or --known-issues, may bring records of them.',
  );
}

/** With what else changes for whom. */
export function linesOfAllDemands(demands: Demands): string[] {
  return [...linesOfDemands(demands), ...linesOfNotes(demands)];
}

/** The same where a table has the notes: what changes for the instance. */
export function linesBesideChanges(demands: Demands): string[] {
  return linesOfDemands(demands, true);
}

/** What else changes for whom, where no table shows it: the notes that hang on no major. */
export function linesOfNotes({ majors, notes }: Demands): string[] {
  const others = notes.filter(({ version }) => !majors.includes(version));
  const shown = others.filter(({ notKnown }) => notKnown.length === 0);
  const left = others.filter((note) => !shown.includes(note));
  // Long lists of what only may concern the instance are shortened.
  const lines = left.length > mostOpenNotes ? shown : [...shown, ...left];
  return compact(
    lines.map(
      (note) => `From ${note.version}, ${describeNote(note)} (lightspan known-issues show ${note.id})`,
    ),
    lines === shown &&
      left.length > 0 &&
      `${countOf(left.length, 'note')} may concern you, depending on facts that are not known here: ` +
        `${left.map(({ id }) => id).join(', ')} (lightspan known-issues show <id>)`,
  );
}

const mostOpenNotes = 2;

function describeNote({ id, summary, notKnown }: AppliedNote): string {
  const may = notKnown.length === 0 ? '' : ', which may concern you';
  return printable(`note ${id}${may}: ${summary.replace(/\.$/, '')}`);
}
