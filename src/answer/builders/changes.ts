import type { Preflight } from '../../checks/checks.js';
import type { AppliedNote, NetConfigChange } from '../../core/results.js';
import { compact } from '../../core/text/compact.js';
import { describeNetChange, describeWhatToChange } from '../../words/evidence/release.js';
import { capitalize, listNames } from '../../words/phrase.js';
import type { Table } from '../answer.js';

const columns = ['From', 'What changes', 'Concerns', 'Before the upgrade', 'After it'].map((title) => ({
  title,
}));

const variableIsSet = 'You set it.';

/** What changes for this instance; undefined if nothing does, as far as that is known. */
export function tableOfChanges(
  notes: readonly AppliedNote[],
  variables: readonly NetConfigChange[],
): Table | undefined {
  const rows = [
    ...notes.map(({ version, summary, concerns, before, after, notKnown }) => [
      version,
      summary,
      `${concerns}${notKnown.length === 0 ? '' : ` Not known here: ${listNames(notKnown)}.`}`,
      before ?? '',
      after ?? '',
    ]),
    ...variables
      .filter(({ type }) => type !== 'defaultChanged')
      .map((change) => [
        change.versions.at(-1) ?? '',
        `${capitalize(describeNetChange(change))}.`,
        variableIsSet,
        `${capitalize(describeWhatToChange(change))}.`,
        '',
      ]),
  ];
  if (rows.length === 0) return undefined;
  return { columns, rows: rows.map((cells) => cells.map((text) => ({ text }))) };
}

/** The variables that an instance sets and that the way renames or removes, as a preflight found them. */
export function variablesIn(preflight: Pick<Preflight, 'findings'> | undefined): readonly NetConfigChange[] {
  return (preflight?.findings ?? []).flatMap(({ evidence }) =>
    evidence.kind === 'variable-renamed' || evidence.kind === 'variable-removed' ? [evidence.change] : [],
  );
}

/**
 * A line for each row, where there is no room for a table.
 *
 * @param inShort without whom it concerns, and what to do
 */
export function linesOfChanges(changes: Table | undefined, inShort = false): string[] {
  return (changes?.rows ?? []).map((row) => {
    const [from, what, ...others] = row.map(({ text }) => text);
    // A variable that is set certainly concerns this instance, so what to do about it is always shown.
    const isFolded = inShort && others[0] !== variableIsSet;
    const rest = (isFolded ? [] : others).map(
      (text, i) => text !== '' && `${columns[i + 2]?.title}: ${text}`,
    );
    return compact(`From ${from}: ${what}`, rest).join(' ');
  });
}
